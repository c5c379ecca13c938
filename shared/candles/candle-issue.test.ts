// Invalid candles.
import { describe, expect, it } from 'vitest'
import type { Candle } from './candle.ts'
import { findCandleIssue, type CandleIssue } from './candle-issue.ts'

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
