// Verifies a code of an account: each works for one sign-in.
import type { Db } from '#server/db/database.ts'
import { SecretKeyError, type SecretBox } from '#server/secrets/secret-box.ts'
import type { SignInCode } from '#shared/factors/rules.ts'
import { AppError } from '#shared/http/app-error.ts'
import { FactorRepository } from './factor-repository.ts'
import { hashRecoveryCode } from './recovery-code.ts'
import { findStep } from './totp.ts'

export interface VerifyDeps {
  readonly box: SecretBox
  readonly onError: (error: unknown) => void
}

/** The kind of second factor, as named in the audit log. */
export type FactorName = 'authenticator app' | 'recovery code' | 'passkey'

/** Context that a sealed secret is bound to. */
export const totpContext = (userId: string): string => `totp:${userId}`

/**
 * Consumes the code and returns its kind; undefined if wrong or used before.
 * @throws AppError unavailable if the app's secret cannot be decrypted
 */
export async function takeCode(
  db: Db,
  userId: string,
  { kind, code }: SignInCode,
  at: Date,
  deps: VerifyDeps,
): Promise<FactorName | undefined> {
  const factors = new FactorRepository(db)
  if (kind === 'recovery') return (await factors.takeCode(userId, hashRecoveryCode(code), at)) ? 'recovery code' : undefined
  const totp = await factors.findTotp(userId, false)
  if (totp === undefined) return undefined
  const step = findStep(openSecret(totp.secret, userId, deps), code, at.getTime())
  return step !== undefined && (await factors.takeStep(userId, step)) ? 'authenticator app' : undefined
}

/** @throws AppError unavailable if it was encrypted with another key */
export function openSecret(sealed: Buffer, userId: string, { box, onError }: VerifyDeps): string {
  try {
    return box.open(sealed, totpContext(userId))
  } catch (error) {
    if (!(error instanceof SecretKeyError)) throw error
    onError(error)
    throw new AppError('unavailable', 'factors.unavailable')
  }
}
