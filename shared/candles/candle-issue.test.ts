// Invalid candles, and confirmation of price jumps.
import { describe, expect, it } from 'vitest'
import type { Candle } from './candle.ts'
import { areSameCandles, findCandleIssue, jumpGuard, type CandleIssue } from './candle-issue.ts'

const noonMs = Date.parse('2026-11-20T12:00Z')
const sound: Candle = { timeMs: noonMs, open: 10, high: 12, low: 9, close: 11, volume: 5, takerBuyVolume: 2 }

describe('an invalid candle', () => {
  const rows: readonly (readonly [CandleIssue, why: string, Partial<Candle>])[] = [
    ['not-a-number', 'no price', { open: Number.NaN }],
    ['not-a-number', 'an endless price', { high: Number.POSITIVE_INFINITY }],
    ['not-a-number', 'no volume that is a number', { volume: Number.NaN }],
    ['not-a-number', 'no time', { timeMs: Number.NaN }],
    ['not-positive', 'a price of nothing', { low: 0 }],
    ['not-positive', 'a price below nothing', { low: -1 }],
    ['out-of-order', 'a low above the open', { low: 10.5 }],
    ['out-of-order', 'a high below the close', { high: 10.5 }],
    ['negative-volume', 'less than no volume', { volume: -1 }],
    ['negative-volume', 'less than no takers', { takerBuyVolume: -1 }],
    ['odd-stamp', 'a second', { timeMs: noonMs + 1000 }],
    ['in-the-future', 'a minute that begins in two', { timeMs: noonMs + 120_000 }],
  ]
  it.each(rows)('%s: %s', (issue, _why, change) => {
    expect(findCandleIssue({ ...sound, ...change }, noonMs)).toBe(issue)
  })
})

describe('a valid candle', () => {
  const rows: readonly (readonly [why: string, Partial<Candle>])[] = [
    ['as it is', {}],
    ['without volume', { volume: null, takerBuyVolume: null }],
    ['with a volume of nothing', { volume: 0 }],
    ['flat', { open: 9, high: 9, close: 9 }],
    ['ahead of our clock by a minute', { timeMs: noonMs + 60_000 }],
    ['of a year ago', { timeMs: noonMs - 365 * 86_400_000 }],
  ]
  it.each(rows)('%s', (_why, change) => {
    expect(findCandleIssue({ ...sound, ...change }, noonMs)).toBeNull()
  })
})

describe('a price jump', () => {
  /** A one-minute candle with this close, and a range of one around it. */
  const at = (minute: number, close: number, high = close + 1): Candle => ({
    ...sound,
    timeMs: noonMs + minute * 60_000,
    open: close,
    high,
    low: close - 1,
    close,
  })
  /** Minutes that pass after each update. */
  const pass = (candles: readonly Candle[], lastClose: number | null) => {
    const guard = jumpGuard<Candle>({ candleOf: (candle) => candle, isRepetition: areSameCandles, lastClose: lastClose ?? undefined })
    return candles.map((candle) => guard.take(candle).map(({ close }) => close))
  }

  const rows: readonly (readonly [
    why: string,
    candles: readonly Candle[],
    passed: readonly (readonly number[])[],
    lastClose: number | null,
  ])[] = [
    ['is refuted by the next one', [at(0, 100), at(1, 150), at(2, 101)], [[100], [], [101]], null],
    ['is not confirmed by its own repetition', [at(0, 100), at(1, 150), at(1, 150), at(2, 101)], [[100], [], [], [101]], null],
    ['is not confirmed by another one elsewhere', [at(0, 100), at(1, 150), at(2, 50), at(3, 101)], [[100], [], [], [101]], null],
    ['of a wick alone waits, too', [at(0, 100), at(1, 100, 500), at(2, 100)], [[100], [], [100]], null],
    ['from a known price waits', [at(0, 150)], [[]], 100],
    ['is confirmed by a second statement near it, and both are used', [at(0, 100), at(1, 150), at(2, 151)], [[100], [], [150, 151]], null],
    ['is confirmed within its minute', [at(0, 100), at(1, 150), at(1, 152)], [[100], [], [150, 152]], null],
    ['down is one, too', [at(0, 100), at(1, 70), at(2, 71)], [[100], [], [70, 71]], null],
    ['may come first, where nothing is known', [at(0, 150)], [[150]], null],
    ['of a fifth is none', [at(0, 100), at(1, 119)], [[100], [119]], null],
  ]
  it.each(rows)('%s', (_why, candles, passed, lastClose) => {
    expect(pass(candles, lastClose)).toEqual(passed)
  })
})
