// Session lifetimes by role, and generation and hashing of session secrets.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Role } from '#shared/users/user.ts'

/** Admin sessions are short, because they give access to all users' data. */
const lifetimes: Readonly<Record<Role, { idleMs: number; absoluteMs: number }>> = {
  user: { idleMs: 7 * dayMs, absoluteMs: 30 * dayMs },
  admin: { idleMs: 30 * minuteMs, absoluteMs: 12 * hourMs },
}

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

/** True until the idle or absolute lifetime of the role has passed. */
export function isAlive(session: { createdAtMs: number; lastSeenAtMs: number }, role: Role, nowMs: number): boolean {
  const { idleMs, absoluteMs } = lifetimes[role]
  return nowMs - session.createdAtMs < absoluteMs && nowMs - session.lastSeenAtMs < idleMs
}
