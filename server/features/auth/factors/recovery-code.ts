// Recovery codes: random enough that their plain hash cannot be searched.
import { randomInt } from 'node:crypto'
import { formatRecoveryCode, recoveryCodes, recoveryLength, recoveryLetters } from '#shared/factors/rules.ts'
import { sha256 } from '../session-rules.ts'

/** Ten codes as they are shown, and the hashes that are stored of them. */
export function newRecoveryCodes(): { shown: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: recoveryCodes }, () =>
    Array.from({ length: recoveryLength }, () => recoveryLetters[randomInt(recoveryLetters.length)]).join(''),
  )
  return { shown: codes.map(formatRecoveryCode), hashes: codes.map(hashRecoveryCode) }
}

/** The stored form of a code as `readCode` gives it. */
export function hashRecoveryCode(code: string): Buffer {
  return sha256(code)
}
