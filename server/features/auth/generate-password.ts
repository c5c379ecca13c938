// Passwords that the product makes up: for the first admin, and for one that an operator resets.
import { randomInt } from 'node:crypto'

/** Without look-alikes, so that it can be read off a screen. */
const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const generatedLength = 20

/** 20 letters and digits: 115 random bits. */
export function generatePassword(): string {
  return Array.from({ length: generatedLength }, () => letters[randomInt(letters.length)]).join('')
}
