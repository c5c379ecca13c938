// What stands at the axis of the price: prices, or how far they are from the first bar that can be seen, in percent.
import type { PriceFormatCustom } from 'lightweight-charts'
import type { BarColumns } from '#shared/market/indicators/columns.ts'
import { percentText, type PriceText } from './price-text.ts'

export interface PriceAxisNeeds {
  readonly text: PriceText
  readonly tickSize: number
  readonly bars: () => BarColumns
  readonly isPercent: () => boolean
  /** Writes the axis anew. */
  readonly rewrite: (format: PriceFormatCustom) => void
}

export interface PriceAxis {
  readonly format: PriceFormatCustom
  /** The first bar that can be seen is now this one, or there is another scale. */
  follow(fromIndex: number | undefined): void
}

/**
 * The library's own scale in percent is none for us: it counts each line from its own first value, so that an average
 * would cross the price where it does not, and the forming bar, a line of its own, would always stand at zero.
 */
export function priceAxis({ text, tickSize, bars, isPercent, rewrite }: PriceAxisNeeds): PriceAxis {
  /** Undefined where the axis shows prices. */
  let base: number | undefined
  const format: PriceFormatCustom = {
    type: 'custom',
    formatter: (price: number) => (base === undefined ? text.price(price) : percentText(100 * (price / base - 1))),
    minMove: tickSize,
  }
  return {
    format,
    follow(fromIndex) {
      const next = isPercent() && fromIndex !== undefined ? bars().close[Math.max(0, fromIndex)] : undefined
      if (next === base) return
      base = next
      rewrite(format)
    },
  }
}
