// The format of secrets, and the comparison of their hashes.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashSecret, isSameHash, newSecret, sha256 } from './hash-secret.ts'

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
