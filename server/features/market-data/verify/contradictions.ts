// Compares stored candles with the smaller stored ones inside them.
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { resample } from '#shared/candles/resample.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { timeOfCandle } from '../history-steps.ts'

export interface Comparison {
  readonly sessionClass: SessionClass
  /** Of the larger candles. */
  readonly timeframe: Timeframe
  readonly large: readonly Candle[]
  /** Ascending. */
  readonly small: readonly Candle[]
  /** Where the smaller ones are complete: missing ones had no trades. */
  readonly covered: readonly TimeSpan[]
}

/** Days of these exchanges have official prices, which may differ from all minutes; only their range must contain them. */
const classesWithOfficialDays: ReadonlySet<SessionClass> = new Set(['nse-equity', 'nse-index', 'bse-index'])
/** Crypto exchanges build all candles from the same trades. Elsewhere prices are rounded, or corrected in one step only. */
const exact = { price: 1e-9, volume: 1e-6 }
const rounded = { price: 1e-3, volume: Infinity }

/** The larger candles that contradict the smaller ones, where those are complete. */
export function findContradictions({ sessionClass, timeframe, large, small, covered }: Comparison): Candle[] {
  const sums = new Map(resample(small, sessionClass, timeframe).map((sum) => [sum.timeMs, sum]))
  const isOfficial = timeframe === '1D' && classesWithOfficialDays.has(sessionClass)
  const tolerance = sessionClass === 'crypto' ? exact : rounded
  return large.filter((candle) => {
    const time = timeOfCandle(sessionClass, timeframe, candle.timeMs)
    if (time === undefined || !covered.some(({ fromMs, toMs }) => fromMs <= time.fromMs && toMs >= time.toMs)) return false
    const sum = sums.get(candle.timeMs)
    if (sum === undefined) return (candle.volume ?? 1) > 0
    return isOfficial ? !holds(candle, sum, tolerance.price) : !agrees(candle, sum, tolerance)
  })
}

function holds(candle: Candle, sum: Candle, tolerance: number): boolean {
  return candle.high >= sum.high * (1 - tolerance) && candle.low <= sum.low * (1 + tolerance)
}

function agrees(candle: Candle, sum: Candle, { price, volume }: typeof exact): boolean {
  const isNear = (one: number, other: number, share: number): boolean =>
    Math.abs(one - other) <= share * Math.max(Math.abs(one), Math.abs(other))
  return (
    (['open', 'high', 'low', 'close'] as const).every((name) => isNear(candle[name], sum[name], price)) &&
    (candle.volume === null || sum.volume === null || volume === Infinity || isNear(candle.volume, sum.volume, volume))
  )
}
