// Bars of a small chart: the highest is full, the smallest is still visible.
import { expect, test } from 'vitest'
import { barHeights } from './overview-strip.tsx'

test.each([
  [[], []],
  [
    [0, 0],
    [0, 0],
  ],
  [
    [50, 100, 0],
    [14, 28, 0],
  ],
  [
    [1, 1_000_000],
    [1, 28],
  ],
])('%j are %j high', (amounts, heights) => {
  expect(barHeights(amounts, 28)).toEqual(heights)
})
