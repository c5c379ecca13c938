// URL parameters of the user list: parsed, ignored and written.
import { expect, test } from 'vitest'
import { changeUserListParams, filterOf, parseUserListParams, writeUserListParams } from './user-list-params.ts'

const plain = { search: '', from: '', to: '', sort: undefined, page: 1 }

test.each([
  ['', plain],
  [
    'search=+asha+&from=2026-01-31&to=2026-02-28&sort=asc&page=3',
    { search: 'asha', from: '2026-01-31', to: '2026-02-28', sort: 'asc', page: 3 },
  ],
  ['sort=desc', { ...plain, sort: 'desc' }],
  ['sort=up&page=0&from=tomorrow&to=2026-02-30', plain],
  ['page=-2', plain],
  ['page=1.5', plain],
  ['page=1e9', plain],
  ['page=1e1', plain],
  ['page=0x10', plain],
  ['page=%205%20', plain],
  [`search=${'a'.repeat(150)}`, { ...plain, search: 'a'.repeat(100) }],
])('%s is parsed as %j', (address, view) => {
  expect(parseUserListParams(new URLSearchParams(address))).toEqual(view)
})

test.each(['', 'search=a%26b&from=2026-01-31&to=2026-02-28&sort=desc&page=12'])('%s is written as it was parsed', (address) => {
  expect(writeUserListParams(parseUserListParams(new URLSearchParams(address))).toString()).toBe(address)
})

test('a changed filter returns to the first page, a changed page does not', () => {
  const view = parseUserListParams(new URLSearchParams('search=a&page=7'))
  expect(changeUserListParams(view, { search: 'b' })).toEqual({ ...plain, search: 'b' })
  expect(changeUserListParams(view, { page: 8 })).toEqual({ ...plain, search: 'a', page: 8 })
})

test('only set filters are sent to the server', () => {
  expect(filterOf(plain)).toEqual({})
  expect(filterOf({ search: 'a', from: '2026-01-31', to: '2026-02-28', sort: 'asc', page: 2 })).toEqual({
    search: 'a',
    from: '2026-01-31',
    to: '2026-02-28',
    sort: 'asc',
  })
})
