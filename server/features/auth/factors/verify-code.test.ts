// The codes of authenticator apps, with the test vectors of RFC 6238.
import { expect, test } from 'vitest'
import { findTotpStep, newTotpSecret, totpUri } from './verify-code.ts'

/** The key of RFC 6238, '12345678901234567890', in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_234_567_890, '005924', 41_152_263],
  [20_000_000_000, '353130', 666_666_666],
])('at second %i the code is %s', (second, code, step) => {
  expect(findTotpStep(secret, code, second * 1000)).toBe(step)
})

test('one step of drift is accepted, two are not', () => {
  const atMs = 1_234_567_890_000
  for (const [steps, found] of [
    [-2, undefined],
    [-1, 41_152_263],
    [1, 41_152_263],
    [2, undefined],
  ] as const)
    expect(findTotpStep(secret, '005924', atMs + steps * 30_000)).toBe(found)
})

test.each(['', '28708', '2870822', 'abcdef', '000000'])('%j is not a valid code', (code) => {
  expect(findTotpStep(secret, code, 59_000)).toBeUndefined()
})

test('secrets are 160 random bits, and the URI has site and account', () => {
  const made = newTotpSecret()
  expect(made).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret()).not.toBe(made)
  expect(totpUri(secret, 'Tezi', 'asha@example.in')).toBe(
    `otpauth://totp/Tezi:asha%40example.in?issuer=Tezi&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  )
})
