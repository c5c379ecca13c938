// Validates and compares candles.
import { minuteMs } from '#shared/base/durations.ts'
import type { Candle } from './candle.ts'

/** Maximum clock skew of a source or ours. */
const skewMs = 90_000
/** Relative rounding tolerance: decimal volumes added in another order differ in the last digits. */
const roundingShare = 1e-9

export const candleIssues = [
  'not-a-number',
  'not-positive',
  'out-of-order',
  'negative-volume',
  'odd-stamp',
  'in-the-future',
  'jump',
] as const

/** Why a candle is dropped; `jump` if no other one confirms its price. */
export type CandleIssue = (typeof candleIssues)[number]

/**
 * Why a candle is invalid at an instant (epoch milliseconds), or null: all numbers finite, prices above zero,
 * low <= open and close <= high, volume and taker volume not below zero, the timestamp on a grid of `gridMs` and
 * started, with 90 seconds of clock skew allowed.
 */
export function findCandleIssue(candle: Candle, nowMs: number, gridMs = minuteMs): CandleIssue | null {
  const { timeMs, open, high, low, close, volume, takerBuyVolume } = candle
  if (![timeMs, open, high, low, close, volume ?? 0, takerBuyVolume ?? 0].every(Number.isFinite)) return 'not-a-number'
  if (low <= 0) return 'not-positive'
  if (low > Math.min(open, close) || high < Math.max(open, close)) return 'out-of-order'
  if ((volume ?? 0) < 0 || (takerBuyVolume ?? 0) < 0) return 'negative-volume'
  if (timeMs % gridMs !== 0) return 'odd-stamp'
  return timeMs > nowMs + skewMs ? 'in-the-future' : null
}

/** Whether two candles are equal. */
export function areSameCandles(one: Candle, other: Candle): boolean {
  return haveSamePrices(one, other) && one.volume === other.volume && one.takerBuyVolume === other.takerBuyVolume
}

/**
 * Whether a later update of a closed candle changes nothing: same timestamp and prices, same volumes except for
 * rounding (a billionth), and taker volume the same or missing.
 */
export function correctsNothing(later: Candle, earlier: Candle): boolean {
  return (
    haveSamePrices(later, earlier) &&
    areNearlyEqual(later.volume, earlier.volume) &&
    (later.takerBuyVolume === null || areNearlyEqual(later.takerBuyVolume, earlier.takerBuyVolume))
  )
}

/** A later update with the taker volume of an earlier one, if it has none itself and is otherwise unchanged. */
export function withKnownTakers(later: Candle, earlier: Candle | undefined): Candle {
  if (later.takerBuyVolume !== null || earlier === undefined || !correctsNothing(later, earlier)) return later
  return { ...later, takerBuyVolume: earlier.takerBuyVolume }
}

function haveSamePrices(one: Candle, other: Candle): boolean {
  return (
    one.timeMs === other.timeMs && one.open === other.open && one.high === other.high && one.low === other.low && one.close === other.close
  )
}

function areNearlyEqual(one: number | null, other: number | null): boolean {
  if (one === null || other === null) return one === other
  return Math.abs(one - other) <= roundingShare * Math.max(one, other)
}
