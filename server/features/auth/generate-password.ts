// Generated passwords: for the first admin, and for a reset by an operator.
import { randomInt } from 'node:crypto'

/** Without look-alike characters, so that it can be read from a screen. */
const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const generatedLength = 20

/** 20 letters and digits: 115 bits of entropy. */
export function generatePassword(): string {
  return Array.from({ length: generatedLength }, () => letters[randomInt(letters.length)]).join('')
}
