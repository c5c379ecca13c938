// Checks a code against an account: each is good for one sign-in.
import type { Db } from '#server/db/database.ts'
import { SecretKeyError, type SecretBox } from '#server/secret-box.ts'
import type { SignInCode } from '#shared/factors/rules.ts'
import { AppError } from '#shared/http/errors.ts'
import { factorsText as text } from '#shared/text/en/factors.ts'
import { factorRepository } from './factor-repository.ts'
import { hashRecoveryCode } from './recovery-code.ts'
import { findStep } from './totp.ts'

export interface VerifyDeps {
  readonly box: SecretBox
  readonly onError: (error: unknown) => void
}

/** How a second factor was shown, as the audit log names it. */
export type FactorName = 'authenticator app' | 'recovery code' | 'passkey'

/** What a sealed secret is bound to. */
export const totpContext = (userId: string): string => `totp:${userId}`

/**
 * Uses the code up and names its kind; undefined for a wrong one or one that was used before.
 * @throws AppError unavailable when the app's secret cannot be decrypted.
 */
export async function takeCode(
  db: Db,
  userId: string,
  { kind, code }: SignInCode,
  at: Date,
  deps: VerifyDeps,
): Promise<FactorName | undefined> {
  const factors = factorRepository(db)
  if (kind === 'recovery') return (await factors.takeCode(userId, hashRecoveryCode(code), at)) ? 'recovery code' : undefined
  const totp = await factors.findTotp(userId, false)
  if (totp === undefined) return undefined
  const step = findStep(openSecret(totp.secret, userId, deps), code, at.getTime())
  return step !== undefined && (await factors.takeStep(userId, step)) ? 'authenticator app' : undefined
}

/** @throws AppError unavailable when it was encrypted with another key. */
export function openSecret(sealed: Buffer, userId: string, { box, onError }: VerifyDeps): string {
  try {
    return box.open(sealed, totpContext(userId))
  } catch (error) {
    if (!(error instanceof SecretKeyError)) throw error
    onError(error)
    throw new AppError('unavailable', text.unavailable, { code: 'auth.secret-key' })
  }
}
