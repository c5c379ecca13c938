// Recovery codes: with enough entropy that a plain hash cannot be brute-forced.
import { randomInt } from 'node:crypto'
import { formatRecoveryCode, recoveryCodes, recoveryLength, recoveryLetters } from '#shared/factors/rules.ts'
import { sha256 } from '../hash-secret.ts'

/** Ten codes for display, and their hashes for storage. */
export function newRecoveryCodes(): { shown: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: recoveryCodes }, () =>
    Array.from({ length: recoveryLength }, () => recoveryLetters[randomInt(recoveryLetters.length)]).join(''),
  )
  return { shown: codes.map(formatRecoveryCode), hashes: codes.map(hashRecoveryCode) }
}

/** The stored hash of a code returned by `readCode`. */
export function hashRecoveryCode(code: string): Buffer {
  return sha256(code)
}
