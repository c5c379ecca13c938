// Ties a broker login to the session that started it.
import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, URL-safe encoded. */
export function newState(): string {
  return randomBytes(32).toString('base64url')
}

/** Only this hash is stored. */
export function hashState(state: string): Buffer {
  return createHash('sha256').update(state).digest()
}
