// Token of an email link.
import { expect, test } from 'vitest'
import { readToken } from './use-link-token.ts'

test.each([
  ['#token=abc-_1', 'abc-_1'],
  ['#token=', undefined],
  ['#other=abc', undefined],
  ['', undefined],
])('the token of %j is %j', (hash, token) => {
  expect(readToken(hash)).toBe(token)
})
