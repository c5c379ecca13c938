// User options of the Tezi chart, and their defaults.
import { adjustments, type Adjustment } from '#shared/candles/corporate-actions.ts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import type { Workspace } from '#shared/workspace/workspace.ts'
import type { ChartColours } from './chart-colours.ts'

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
  /** Corporate actions for which earlier prices are adjusted. */
  readonly adjustment: Adjustment
}

/** What user and market have set on one chart; changed in place. */
export interface ChartState {
  options: ChartOptions
  colours: ChartColours
  condition: LiveCondition | undefined
}

/** Unknown values are replaced by defaults. */
export function chartOptionsOf(options: Workspace['options']): ChartOptions {
  return {
    style: oneOf(candleStyles, options?.style),
    scale: oneOf(priceScales, options?.scale),
    colours: oneOf(candleColours, options?.colours),
    hasBreaks: options?.hasBreaks !== false,
    adjustment: oneOf(adjustments, options?.adjustment),
  }
}

function oneOf<V extends string>(values: readonly [V, ...V[]], given: unknown): V {
  return values.find((value) => value === given) ?? values[0]
}
