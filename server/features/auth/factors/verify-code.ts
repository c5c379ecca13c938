// Codes of second factors, each for one sign-in: of authenticator apps (RFC 6238, as all of them have it), and for recovery.
import { randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '#server/db/database.ts'
import { SecretKeyError, type SecretBox } from '#server/secrets/secret-box.ts'
import { formatRecoveryCode, recoveryCodes, recoveryLength, recoveryLetters, type SignInCode } from '#shared/factors/rules.ts'
import { AppError } from '#shared/http/app-error.ts'
import { sha256 } from '../hash-secret.ts'
import { FactorRepository } from './factor-repository.ts'

export interface VerifyCodeDeps {
  readonly box: SecretBox
  readonly onError: (error: unknown) => void
}

/** The kind of second factor, as named in the audit log. */
export type FactorName = 'authenticator app' | 'recovery code' | 'passkey'

const periodSeconds = 30
/** Phone clocks differ: the previous and the next step count as well. */
const driftSteps = 1
const secretBytes = 20
const totpSettings = { algorithm: 'SHA1', digits: 6, period: periodSeconds } as const

/** Context that a sealed secret is bound to. */
export const totpContext = (userId: string): string => `totp:${userId}`

/**
 * Consumes a one-time code (TOTP of the app, or a recovery code) and returns its kind; undefined if wrong or used before.
 * @throws AppError unavailable if the app's secret cannot be decrypted
 */
export async function verifyCode(
  db: Db,
  userId: string,
  { kind, code }: SignInCode,
  at: Date,
  deps: VerifyCodeDeps,
): Promise<FactorName | undefined> {
  const factors = new FactorRepository(db)
  // With enough entropy that a plain hash cannot be brute-forced.
  if (kind === 'recovery') return (await factors.takeCode(userId, sha256(code), at)) ? 'recovery code' : undefined
  const totp = await factors.findTotp(userId, false)
  if (totp === undefined) return undefined
  const step = findTotpStep(openTotpSecret(totp.secret, userId, deps), code, at.getTime())
  return step !== undefined && (await factors.takeStep(userId, step)) ? 'authenticator app' : undefined
}

/** A new secret of an app, base32. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32
}

/** @throws AppError unavailable if it was encrypted with another key */
export function openTotpSecret(sealed: Buffer, userId: string, { box, onError }: VerifyCodeDeps): string {
  try {
    return box.open(sealed, totpContext(userId))
  } catch (error) {
    if (!(error instanceof SecretKeyError)) throw error
    onError(error)
    throw new AppError('unavailable', 'factors.unavailable')
  }
}

/** The otpauth URI for a QR code. */
export function totpUri(secret: string, issuer: string, account: string): string {
  return new TOTP({ ...totpSettings, secret: Secret.fromBase32(secret), issuer, label: account }).toString()
}

/** The time step of the code, at most one away from now; undefined for a wrong code. */
export function findTotpStep(secret: string, code: string, nowMs: number): number | undefined {
  const totp = new TOTP({ ...totpSettings, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: nowMs, window: driftSteps })
  return delta === null ? undefined : Math.floor(nowMs / 1000 / periodSeconds) + delta
}

/** Ten recovery codes for display, and their hashes for storage: of each as `readCode` returns it. */
export function newRecoveryCodes(): { shown: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: recoveryCodes }, () =>
    Array.from({ length: recoveryLength }, () => recoveryLetters[randomInt(recoveryLetters.length)]).join(''),
  )
  return { shown: codes.map(formatRecoveryCode), hashes: codes.map(sha256) }
}
