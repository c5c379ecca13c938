// Parsing of typed and pasted codes.
import { expect, test } from 'vitest'
import { formatRecoveryCode, readCode } from './rules.ts'

test.each(['', '12345', '1234567', '12345a', 'abc', 'abcdef-abcdef-abcdef-abcde', 'ilo1ilo1ilo1ilo1ilo1ilo1', '١٢٣٤٥٦'])(
  '%j is not a code',
  (text) => {
    expect(readCode(text)).toBeUndefined()
  },
)

test.each([
  ['123456', 'totp', '123456'],
  [' 123 456 ', 'totp', '123456'],
  ['123-456', 'totp', '123456'],
  ['abcdef-ghjkmn-pqrstu-vwxyz2', 'recovery', 'abcdefghjkmnpqrstuvwxyz2'],
  ['ABCDEF GHJKMN PQRSTU VWXYZ2\n', 'recovery', 'abcdefghjkmnpqrstuvwxyz2'],
])('%j is a code', (text, kind, code) => {
  expect(readCode(text)).toEqual({ kind, code })
})

test('a recovery code is shown in groups and parsed back', () => {
  const shown = formatRecoveryCode('abcdefghjkmnpqrstuvwxyz2')
  expect(shown).toBe('abcdef-ghjkmn-pqrstu-vwxyz2')
  expect(readCode(shown)?.code).toBe('abcdefghjkmnpqrstuvwxyz2')
})
