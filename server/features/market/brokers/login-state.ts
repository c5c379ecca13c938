// What ties a login at a broker to the session that began it.
import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits in URL-safe characters. */
export function newState(): string {
  return randomBytes(32).toString('base64url')
}

/** The only form that is stored. */
export function hashState(state: string): Buffer {
  return createHash('sha256').update(state).digest()
}
