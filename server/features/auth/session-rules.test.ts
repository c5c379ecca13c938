// Sessions: lifetimes by role to the millisecond, the format of the secrets, and the age of a password confirmation.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { adminText } from '#shared/text/en/admin.ts'
import { hashSecret, isAlive, isSameHash, newSecret, sha256 } from './session-rules.ts'
import { requireRecentPassword } from '#server/http/require-recent-password.ts'

const nowMs = Date.parse('2026-11-20T12:00:00+05:30')

test.each([
  ['user', 7 * dayMs, 30 * dayMs],
  ['admin', 30 * minuteMs, 12 * hourMs],
] as const)('the session of a role %s ends after %i ms without use and %i ms in all', (role, idleMs, absoluteMs) => {
  const isAliveAfter = (age: number, idle: number) => isAlive({ createdAtMs: nowMs - age, lastSeenAtMs: nowMs - idle }, role, nowMs)
  expect(isAliveAfter(idleMs, idleMs)).toBe(false)
  expect(isAliveAfter(idleMs, idleMs - 1)).toBe(true)
  expect(isAliveAfter(absoluteMs, 0)).toBe(false)
  expect(isAliveAfter(absoluteMs - 1, 0)).toBe(true)
  expect(isAliveAfter(0, 0)).toBe(true)
})

test.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['one character too few', 'A'.repeat(42)],
  ['one character too many', 'A'.repeat(44)],
  ['a secret with a character in front', `.${'A'.repeat(43)}`],
  ['a secret with a character behind', `${'A'.repeat(43)}.`],
  ['the alphabet of plain base64', `${'A'.repeat(42)}+`],
  ['a line break at the end', `${'A'.repeat(43)}\n`],
])('%s is not a secret', (_name, secret) => {
  expect(hashSecret(secret)).toBeUndefined()
})

test('a secret is new each time and is stored as its SHA-256', () => {
  const secret = newSecret()
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  expect(newSecret()).not.toBe(secret)
  expect(hashSecret(secret)).toEqual(createHash('sha256').update(secret).digest())
  expect(sha256('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('only equal hashes match, and another length is no error', () => {
  const hash = sha256('a')
  expect(isSameHash(hash, sha256('b'))).toBe(false)
  expect(isSameHash(hash, hash.subarray(1))).toBe(false)
  expect(isSameHash(hash, sha256('a'))).toBe(true)
})

test('a password counts as recent for 15 minutes', () => {
  const confirmed = (agoMs: number) => () => requireRecentPassword({ confirmedAtMs: nowMs - agoMs }, nowMs)
  expect(confirmed(15 * minuteMs + 1)).toThrow(
    expect.objectContaining({ kind: 'forbidden', message: adminText.confirmPassword, said: { code: 'admin.confirmPassword' } }),
  )
  expect(confirmed(15 * minuteMs)).not.toThrow()
  expect(confirmed(0)).not.toThrow()
})
