// How long a session lives, by role, and the making and hashing of its two secrets.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Role } from '#shared/users/user.ts'

/** An admin's session ends soon, because it opens everybody's data. */
const lifetimes: Readonly<Record<Role, { idleMs: number; absoluteMs: number }>> = {
  user: { idleMs: 7 * dayMs, absoluteMs: 30 * dayMs },
  admin: { idleMs: 30 * minuteMs, absoluteMs: 12 * hourMs },
}

/** 256 random bits in 43 URL-safe characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Undefined for anything that cannot be one of our secrets; else its SHA-256, the only form that is stored. */
export function hashSecret(secret: string | undefined): Buffer | undefined {
  if (secret === undefined || !/^[\w-]{43}$/.test(secret)) return undefined
  return sha256(secret)
}

/** SHA-256 of a text: the form in which secrets, and emails in counters, are stored. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Compares two hashes in constant time. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

/** True while neither the idle nor the absolute lifetime of the role has passed. */
export function isAlive(session: { createdAtMs: number; lastSeenAtMs: number }, role: Role, nowMs: number): boolean {
  const { idleMs, absoluteMs } = lifetimes[role]
  return nowMs - session.createdAtMs < absoluteMs && nowMs - session.lastSeenAtMs < idleMs
}
