// Sorts candles by time and removes duplicate timestamps.
import type { Candle } from '#shared/candles/candle.ts'

/** Ascending, unique timestamps; the later of two duplicates wins. */
export function ascendingOnce(candles: readonly Candle[]): Candle[] {
  const byStamp = new Map(candles.map((candle) => [candle.timeMs, candle]))
  return [...byStamp.values()].toSorted((one, other) => one.timeMs - other.timeMs)
}
