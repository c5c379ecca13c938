// What a person may choose about our own chart, with what holds until then.
import type { Adjustment } from '#shared/market/corporate-actions.ts'

export const candleStyles = ['candles', 'hollow', 'bars', 'line', 'area', 'heikin-ashi', 'renko'] as const
export type CandleStyle = (typeof candleStyles)[number]

export const priceScales = ['linear', 'log', 'percent'] as const
export type PriceScale = (typeof priceScales)[number]

export const candleColours = ['classic', 'safe', 'grey'] as const
export type CandleColours = (typeof candleColours)[number]

export interface ChartOptions {
  readonly style: CandleStyle
  readonly scale: PriceScale
  readonly colours: CandleColours
  readonly hasBreaks: boolean
  /** Corporate actions that earlier prices are adjusted for. */
  readonly adjustment: Adjustment
}
