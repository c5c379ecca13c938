// Aggregates candles: the only definition of a larger candle's values.
import type { Candle } from './candle.ts'

/** A candle under construction. */
export type CandleSum = { -readonly [Key in keyof Candle]: Candle[Key] }

/** Starts a candle with this timestamp (epoch milliseconds) from its first part. */
export function beginSum(timeMs: number, first: Candle): CandleSum {
  const { open, high, low, close, volume, takerBuyVolume } = first
  return { timeMs, open, high, low, close, volume, takerBuyVolume }
}

/**
 * Adds the next part in time, in place. First open, highest high, lowest low, last close; volume is
 * null only if no part has one, and taker volume only if a part with volume has none.
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

/** Zero volume implies zero taker volume, whether the source states it or not. */
function takerPart({ volume, takerBuyVolume }: Candle): number | null {
  return takerBuyVolume ?? (volume === 0 ? 0 : null)
}
