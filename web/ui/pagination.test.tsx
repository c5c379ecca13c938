// The pages of a pagination with 2 margin pages and a range of 5.
import { expect, test } from 'vitest'
import { pageItems } from './pagination.tsx'

test.each([
  [1, 0, ''],
  [1, 1, '1'],
  [3, 5, '1 2 3 4 5'],
  [1, 7, '1 2 3 4 5 6 7'],
  [1, 20, '1 2 3 4 5 gap 19 20'],
  [3, 20, '1 2 3 4 5 gap 19 20'],
  [5, 20, '1 2 3 4 5 6 7 gap 19 20'],
  [6, 20, '1 2 3 4 5 6 7 8 gap 19 20'],
  [7, 20, '1 2 gap 5 6 7 8 9 gap 19 20'],
  [10, 20, '1 2 gap 8 9 10 11 12 gap 19 20'],
  [20, 20, '1 2 gap 16 17 18 19 20'],
  [4000, 7693, '1 2 gap 3998 3999 4000 4001 4002 gap 7692 7693'],
])('page %d of %d shows %s [spec 9.2]', (current, pageCount, shown) => {
  expect(pageItems(current, pageCount).join(' ')).toBe(shown)
})

test.each([
  [1, 77, '1 2 3 4 5 gap'],
  [40, 77, '1 2 gap 38 39 40 41 42 gap'],
  [76, 77, '1 2 gap 73 74 75 76 77'],
  [1, 4, '1 2 3 4'],
])('page %d of more than %d shows no last margin: %s', (current, pageCount, shown) => {
  expect(pageItems(current, pageCount, true).join(' ')).toBe(shown)
})
