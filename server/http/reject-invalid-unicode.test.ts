// Strings that no column can store, anywhere in a request.
import { expect, test } from 'vitest'
import { httpServerText } from '#shared/text/en/http.ts'
import { rejectInvalidUnicode } from './reject-invalid-unicode.ts'

test.each([
  ['NUL', 'a\u0000b'],
  ['a lone high surrogate', 'a\ud83d'],
  ['a lone low surrogate', '\ude00a'],
  ['a broken string in an array', ['a', ['b', '\u0000']]],
  ['a broken string in an object', { a: 1, b: { c: '\u0000' } }],
  ['a broken key', { a: { '\u0000': 1 } }],
  ['a broken string after values of other types', [null, 1, true, undefined, '\ud83d']],
])('%s is rejected', (_name, value) => {
  expect(() => rejectInvalidUnicode(value)).toThrow(expect.objectContaining({ kind: 'invalid', message: httpServerText.badRequest }))
})

test.each([
  ['ordinary text', 'आशा 😀'],
  ['other control characters', 'a\nb\u0001'],
  ['values that are not text', [null, 1, true, undefined, {}, []]],
])('%s passes', (_name, value) => {
  expect(() => rejectInvalidUnicode(value)).not.toThrow()
})

test('depth does not exhaust the stack', () => {
  let value: unknown = '\u0000'
  for (let depth = 0; depth < 200_000; depth += 1) value = [value]
  expect(() => rejectInvalidUnicode(value)).toThrow(expect.objectContaining({ kind: 'invalid' }))
})
