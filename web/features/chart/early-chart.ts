// The chart that was started before the rest of the page: shown wherever the page still loads, then handed over once.
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { ChartEvents } from './native/chart-port.ts'
import type { LastingChart } from './native/lasting-chart.ts'

export interface ShownView {
  readonly slug: string
  readonly timeframe: Timeframe
  readonly adjustment: Adjustment
}

export interface EarlyChart extends ShownView {
  /** Chart and name, for a place without a toolbar of its own. */
  readonly element: HTMLElement
  readonly setNameShown: (isShown: boolean) => void
  /** Moves the chart into an element and sends its events, also earlier ones, to the new owner. */
  readonly handOver: (host: HTMLElement, events: ChartEvents) => LastingChart
  readonly stop: () => void
}

let early: EarlyChart | undefined

export function offerEarlyChart(chart: EarlyChart): void {
  dropEarlyChart()
  early = chart
}

/** Shows it in an element of a page that still loads. */
export function showEarlyChart(slot: HTMLElement, isNameShown: boolean): void {
  early?.setNameShown(isNameShown)
  if (early !== undefined) slot.append(early.element)
}

/** The chart, if it shows just this; the caller owns it then. */
export function takeEarlyChart({ slug, timeframe, adjustment }: ShownView): EarlyChart | undefined {
  const found = early?.slug === slug && early.timeframe === timeframe && early.adjustment === adjustment ? early : undefined
  if (found !== undefined) early = undefined
  return found
}

/** The page shows something else. */
export function dropEarlyChart(): void {
  early?.stop()
  early = undefined
}
