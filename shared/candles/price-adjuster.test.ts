// Adjusted prices: which actions apply, from which candle on, and that a candle stays valid.
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { dayMs, minuteMs } from '../base/durations.ts'
import { adjusterOf, effectiveAdjustment, unadjusted } from './price-adjuster.ts'
import type { Candle } from './candle.ts'
import { resample } from './resample.ts'
import { adjustments, corporateActionsOf, type Adjustment } from './corporate-actions.ts'

const nowMs = Date.parse('2026-11-20T06:10:00Z')
const candleAt = (stamp: string, price: number, volume: number | null = 1_000): Candle => ({
  timeMs: Date.parse(stamp),
  open: price,
  high: price + 2,
  low: price - 2,
  close: price + 1,
  volume,
  takerBuyVolume: volume === null ? null : volume / 4,
})

const adjusted = (series: string, adjustment: Adjustment, candle: Candle, atMs = nowMs): Candle =>
  adjusterOf({ series, adjustment, sessionClass: 'nse-equity', nowMs: atMs })?.adjust(candle) ?? candle

test.each([
  // The last candle before the ex-date and the first one of it, for days and for minutes.
  ['reliance', 'splits', '2024-10-25T00:00:00Z', 0.5, 2],
  ['reliance', 'splits', '2024-10-28T00:00:00Z', 1, 1],
  ['reliance', 'splits', '2024-10-25T09:59:00Z', 0.5, 2],
  ['reliance', 'splits', '2024-10-28T03:45:00Z', 1, 1],
  // A demerger does not change the number of shares, and only applies to `all`.
  ['reliance', 'splits', '2023-07-19T00:00:00Z', 0.5, 2],
  ['reliance', 'all', '2023-07-19T00:00:00Z', (0.5 * 2580) / 2841.85, 2],
  ['reliance', 'all', '2023-07-20T03:45:00Z', 0.5, 2],
  ['reliance', 'none', '2023-07-19T00:00:00Z', 1, 1],
  ['tata-steel', 'splits', '2022-07-27T00:00:00Z', 0.1, 10],
  ['tata-steel', 'splits', '2022-07-28T00:00:00Z', 1, 1],
  // Bonus and split on the same day.
  ['bajaj-finance', 'splits', '2025-06-13T09:59:00Z', 0.1, 10],
  ['bajaj-finance', 'splits', '2025-06-16T03:45:00Z', 1, 1],
  ['tata-motors', 'splits', '2025-10-13T00:00:00Z', 1, 1],
  ['tata-motors', 'all', '2025-10-13T00:00:00Z', 400 / 660.75, 1],
  ['havells', 'all', '2020-01-01T00:00:00Z', 1, 1],
] as const)('%s adjusted for %s at %s', (series, adjustment, stamp, priceFactor, volumeFactor) => {
  const candle = candleAt(stamp, 2_000)
  const found = adjusted(series, adjustment, candle)
  expect(found.timeMs).toBe(candle.timeMs)
  for (const name of ['open', 'high', 'low', 'close'] as const) expect(found[name]).toBeCloseTo(candle[name] * priceFactor, 5)
  expect(found.volume).toBe(1_000 * volumeFactor)
  expect(found.takerBuyVolume).toBe(250 * volumeFactor)
})

test('an action applies from its ex-date on and not before', () => {
  const candle = candleAt('2024-10-24T00:00:00Z', 2_000)
  expect(adjusted('reliance', 'splits', candle, Date.parse('2024-10-27T23:59:59Z'))).toEqual(candle)
  expect(adjusted('reliance', 'splits', candle, Date.parse('2024-10-28T03:45:00Z')).close).toBe(1_000.5)
})

test('an unknown volume stays unknown', () => {
  expect(adjusted('reliance', 'splits', candleAt('2024-10-24T00:00:00Z', 2_000, null))).toMatchObject({
    volume: null,
    takerBuyVolume: null,
  })
})

test.each([
  ['nifty', 'splits', 'none'],
  ['nifty', 'all', 'none'],
  ['tata-steel', 'all', 'splits'],
  ['tata-steel', 'none', 'none'],
  ['tata-motors', 'splits', 'none'],
  ['tata-motors', 'all', 'all'],
  ['reliance', 'splits', 'splits'],
  ['reliance', 'all', 'all'],
] as const)('%s adjusted for %s is the same as for %s', (series, adjustment, expected) => {
  expect(effectiveAdjustment(series, adjustment, nowMs)).toBe(expected)
})

test('a week across an ex-date is made from its adjusted days', () => {
  const adjuster = adjusterOf({ series: 'tata-steel', adjustment: 'splits', sessionClass: 'nse-equity', nowMs })
  const days = [
    candleAt('2022-07-25T00:00:00Z', 1_000),
    candleAt('2022-07-27T00:00:00Z', 960),
    candleAt('2022-07-28T00:00:00Z', 98),
    candleAt('2022-07-29T00:00:00Z', 104),
  ].map((day) => adjuster?.adjust(day) ?? day)
  const [week] = resample(days, 'nse-equity', '1W')
  expect(week).toMatchObject({ open: 100, high: 106, low: 95.8, close: 105, volume: 22_000 })
})

const prices = fc.array(fc.integer({ min: 1, max: 5_000_000 }), { minLength: 4, maxLength: 4 }).map((list) => {
  const [low = 0, one = 0, other = 0, high = 0] = list.toSorted((a, b) => a - b).map((paise) => paise / 100)
  return { low, open: one, close: other, high }
})

test('an adjusted candle is valid, above zero, and converts back exactly', async () => {
  await assertProperty(
    fc.property(
      prices,
      fc.constantFrom('reliance', 'tata-steel', 'bajaj-finance', 'tata-motors'),
      fc.constantFrom(...adjustments),
      fc.integer({ min: Date.parse('2020-01-01') / minuteMs, max: Math.floor(nowMs / minuteMs) }),
      fc.integer({ min: 0, max: 1e9 }),
      (price, series, adjustment, minute, volume) => {
        const candle = { ...price, timeMs: minute * minuteMs, volume, takerBuyVolume: null }
        const found = adjusted(series, adjustment, candle)
        expect(found.low).toBeGreaterThan(0)
        expect(found.low).toBeLessThanOrEqual(Math.min(found.open, found.close))
        expect(found.high).toBeGreaterThanOrEqual(Math.max(found.open, found.close))
        const actions = corporateActionsOf(series).filter(({ kind }) =>
          adjustment === 'all' ? true : adjustment === 'splits' && (kind === 'split' || kind === 'bonus'),
        )
        expect(unadjusted(found, actions, 2)).toEqual(candle)
      },
    ),
  )
})

test('candles of different timeframes in one session have the same factor', async () => {
  const adjuster = adjusterOf({ series: 'reliance', adjustment: 'all', sessionClass: 'nse-equity', nowMs })
  await assertProperty(
    fc.property(
      fc.integer({ min: Date.parse('2022-01-01') / dayMs, max: Math.floor(nowMs / dayMs) }),
      fc.integer({ min: 225, max: 600 }),
      (day, minute) => {
        expect(adjuster?.factorAt(day * dayMs + minute * minuteMs)).toBe(adjuster?.factorAt(day * dayMs))
      },
    ),
  )
})
