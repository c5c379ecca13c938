// Aggregates ticks into one-minute candles, for sources with trades or quotes but without candles.
import { minuteMs } from '#shared/base/durations.ts'
import type { Candle } from './candle.ts'

export interface Price {
  /** Time at the source, epoch milliseconds. */
  readonly timeMs: number
  readonly price: number
  /** Traded units; null for a quote. */
  readonly size: number | null
  /** Whether the taker was the buyer; null if unknown. */
  readonly isTakerBuy: boolean | null
}

export interface MinuteBuilder {
  /**
   * The updated minute: the newest one or the one before; null if the price is older than that.
   * Prices may arrive out of order within these two. Duplicates count twice, because they cannot be detected.
   */
  add(price: Price): Candle | null
}

interface Building {
  candle: Candle
  firstMs: number
  lastMs: number
}

/** A builder for one symbol. Volume is null while only quotes arrive; taker volume while one side is unknown. */
export function minuteBuilder(): MinuteBuilder {
  /** At most two, ascending. */
  let built: Building[] = []

  return {
    add(price) {
      const timeMs = Math.floor(price.timeMs / minuteMs) * minuteMs
      const known = built.find(({ candle }) => candle.timeMs === timeMs)
      if (known !== undefined) {
        grow(known, price)
        return known.candle
      }
      const newestMs = built.at(-1)?.candle.timeMs ?? timeMs
      if (timeMs < newestMs - minuteMs) return null
      const begun = begin(timeMs, price)
      built = [...built, begun].toSorted((one, other) => one.candle.timeMs - other.candle.timeMs)
      built = built.filter(({ candle }) => candle.timeMs >= Math.max(timeMs, newestMs) - minuteMs)
      return begun.candle
    },
  }
}

function begin(timeMs: number, price: Price): Building {
  const { price: value, size } = price
  const candle: Candle = { timeMs, open: value, high: value, low: value, close: value, volume: size, takerBuyVolume: takerSize(price) }
  return { candle, firstMs: price.timeMs, lastMs: price.timeMs }
}

function grow(building: Building, price: Price): void {
  const { candle } = building
  const [isFirst, isLast] = [price.timeMs < building.firstMs, price.timeMs >= building.lastMs]
  if (isFirst) building.firstMs = price.timeMs
  if (isLast) building.lastMs = price.timeMs
  building.candle = {
    timeMs: candle.timeMs,
    open: isFirst ? price.price : candle.open,
    high: Math.max(candle.high, price.price),
    low: Math.min(candle.low, price.price),
    close: isLast ? price.price : candle.close,
    ...grownVolume(candle, price),
  }
}

function grownVolume({ volume, takerBuyVolume }: Candle, price: Price): Pick<Candle, 'volume' | 'takerBuyVolume'> {
  if (price.size === null) return { volume, takerBuyVolume }
  const taken = takerSize(price)
  if (volume === null) return { volume: price.size, takerBuyVolume: taken }
  return { volume: volume + price.size, takerBuyVolume: takerBuyVolume === null || taken === null ? null : takerBuyVolume + taken }
}

function takerSize({ size, isTakerBuy }: Price): number | null {
  if (size === null || isTakerBuy === null) return null
  return isTakerBuy ? size : 0
}
