// Candles in order of time, each stamp once.
import type { Candle } from '#shared/market/candles/candle.ts'

/** Ascending, each stamp once; of doubles the later statement counts. */
export function ascendingOnce(candles: readonly Candle[]): Candle[] {
  const byStamp = new Map(candles.map((candle) => [candle.timeMs, candle]))
  return [...byStamp.values()].toSorted((one, other) => one.timeMs - other.timeMs)
}
