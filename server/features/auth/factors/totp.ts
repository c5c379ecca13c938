// Time-based codes (RFC 6238): six digits that change every 30 seconds, as in all authenticator apps.
import { Secret, TOTP } from 'otpauth'

const periodSeconds = 30
/** Phone clocks differ: the previous and the next step count as well. */
const driftSteps = 1
const secretBytes = 20

const settings = { algorithm: 'SHA1', digits: 6, period: periodSeconds } as const

/** A new secret, base32. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32
}

/** The otpauth URI for a QR code. */
export function totpUri(secret: string, issuer: string, account: string): string {
  return new TOTP({ ...settings, secret: Secret.fromBase32(secret), issuer, label: account }).toString()
}

/** The time step of the code, at most one away from now; undefined for a wrong code. */
export function findStep(secret: string, code: string, nowMs: number): number | undefined {
  const totp = new TOTP({ ...settings, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: nowMs, window: driftSteps })
  return delta === null ? undefined : Math.floor(nowMs / 1000 / periodSeconds) + delta
}
