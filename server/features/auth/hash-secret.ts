// Random secrets of sessions and links, and their hashes, the only stored form.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits in 43 URL-safe characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The SHA-256 of a secret, the only stored form; undefined for a malformed one. */
export function hashSecret(secret: string | undefined): Buffer | undefined {
  if (secret === undefined || !/^[\w-]{43}$/.test(secret)) return undefined
  return sha256(secret)
}

/** SHA-256 of a text: how secrets, and emails in counters, are stored. */
export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Compares two hashes in constant time. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
