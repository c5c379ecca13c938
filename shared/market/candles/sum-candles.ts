// Adds candles up to a larger one: the one place that says what the larger one's values are.
import type { Candle } from './candle.ts'

/** A candle that still grows. */
export type CandleSum = { -readonly [Key in keyof Candle]: Candle[Key] }

/** Begins a candle with this stamp (epoch milliseconds) from its first part. */
export function beginSum(timeMs: number, first: Candle): CandleSum {
  const { open, high, low, close, volume, takerBuyVolume } = first
  return { timeMs, open, high, low, close, volume, takerBuyVolume }
}

/**
 * Adds the next part in time to a sum, in place. Open of the first, highest high, lowest low, close of the last; volume is
 * null only if no part has one, and the takers' part of it only if one of the parts with volume does not know it.
 */
export function addToSum(sum: CandleSum, next: Candle): void {
  if (next.high > sum.high) sum.high = next.high
  if (next.low < sum.low) sum.low = next.low
  sum.close = next.close
  if (next.volume === null) return
  if (sum.volume === null) {
    sum.volume = next.volume
    sum.takerBuyVolume = next.takerBuyVolume
    return
  }
  if (sum.takerBuyVolume !== null || next.takerBuyVolume !== null) {
    const [before, added] = [takerPart(sum), takerPart(next)]
    sum.takerBuyVolume = before === null || added === null ? null : before + added
  }
  sum.volume += next.volume
}

/** Of no volume at all the takers have none, whether the source says so or not. */
function takerPart({ volume, takerBuyVolume }: Candle): number | null {
  return takerBuyVolume ?? (volume === 0 ? 0 : null)
}
