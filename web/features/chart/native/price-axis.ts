// Labels of the price scale: prices, or percents relative to the first visible bar.
import type { PriceFormatCustom } from 'lightweight-charts'
import type { ChartModel } from './chart-model.ts'
import type { ChartState } from './chart-options.ts'
import { percentText, type PriceText } from '#web/features/market-data/price-text.ts'

export interface PriceAxisOptions {
  readonly text: PriceText
  readonly tickSize: number
  readonly model: Pick<ChartModel, 'shown'>
  readonly state: Pick<ChartState, 'options'>
}

export interface PriceAxis {
  readonly format: PriceFormatCustom
  /** Prices that are labelled now. */
  readonly ticks: () => readonly number[]
  /** The first visible bar or the scale may have changed; returns whether the labels have to be formatted again. */
  follow(fromIndex: number | undefined): boolean
}

/**
 * The library's own percentage mode does not work here: it starts each series at its own first value, so an average
 * would cross the price in the wrong places, and the forming bar, a series of its own, would always be at zero.
 */
export function priceAxis({ text, tickSize, model, state }: PriceAxisOptions): PriceAxis {
  /** Undefined where the axis shows prices. */
  let base: number | undefined
  let ticks: readonly number[] = []
  const formatter = (price: number): string => (base === undefined ? text.price(price) : percentText(100 * (price / base - 1)))
  const format: PriceFormatCustom = {
    type: 'custom',
    formatter,
    tickmarksFormatter(prices) {
      ticks = prices
      return prices.map(formatter)
    },
    minMove: tickSize,
  }
  return {
    format,
    ticks: () => ticks,
    follow(fromIndex) {
      const isPercent = state.options.scale === 'percent'
      const next = isPercent && fromIndex !== undefined ? model.shown.bars.close[Math.max(0, fromIndex)] : undefined
      if (next === base) return false
      base = next
      return true
    },
  }
}
