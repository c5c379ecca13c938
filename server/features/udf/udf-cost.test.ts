// Cost of a bars request before it is answered.
import { expect, test } from 'vitest'
import { barsWantedAtMost } from './udf-service.ts'

const day = 86_400
const range = (resolution: string, seconds: number, countback?: number) =>
  barsWantedAtMost({ symbol: 'NIFTY', resolution, from: 1_700_000_000, to: 1_700_000_000 + seconds, countback })

test.each([
  ['1', 3_600, 60],
  ['1', 61, 2],
  ['5', day, 288],
  ['60', 7 * day, 168],
  ['240', 10 * day, 60],
  ['D', 30 * day, 30],
  ['1D', 365 * day, 365],
  ['W', 365 * day, 53],
  // The shortest month.
  ['1M', 365 * day, 14],
])('a range costs the bars of its resolution: %s for %i s is %i', (resolution, seconds, bars) => {
  expect(range(resolution, seconds)).toBe(bars)
})

test('a countback costs itself, an empty range one bar, and no cost exceeds the maximum response', () => {
  expect(range('D', 365 * day, 20)).toBe(20)
  expect(range('D', 0)).toBe(1)
  expect(range('D', -day)).toBe(1)
  expect(range('1', 365 * day)).toBe(20_000)
  expect(range('1', day, 1_000_000)).toBe(20_000)
})

test('an unknown resolution is rejected', () => {
  expect(() => range('7', day)).toThrow('resolution')
})
