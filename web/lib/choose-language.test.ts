// Which language a page shows.
import { expect, test } from 'vitest'
import { chooseLanguage } from './choose-language.ts'

const known = ['hi', 'en-XA']

test.each([
  [null, ['en-IN', 'hi-IN'], undefined],
  [null, ['hi-IN', 'en-IN'], 'hi'],
  [null, ['ta-IN', 'hi-IN'], 'hi'],
  [null, ['ta-IN'], undefined],
  [null, [], undefined],
  ['hi', ['en-IN'], 'hi'],
  ['en-XA', ['en-IN'], 'en-XA'],
  ['en', ['hi-IN'], undefined],
  ['xx', ['hi-IN'], undefined],
])('stored %j, preferred %j: %s', (stored, preferred, tag) => {
  expect(chooseLanguage(known, stored, preferred)).toBe(tag)
})
