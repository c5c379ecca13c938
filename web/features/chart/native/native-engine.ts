// Engine of the Tezi chart, which draws candles from our server.
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import { takeEarlyChart } from '../early-chart.ts'
import type { ChartEngine } from '../engines/engine.ts'
import type { NativeChart } from './chart-port.ts'
import { LastingChart, type ShownSeries } from './lasting-chart.ts'

/** What the chart shows; events other than `painted` go to the component that shows it. */
export interface NativeView extends Omit<ShownSeries, 'events'> {
  readonly adjustment: Adjustment
  readonly events: Omit<ShownSeries['events'], 'painted'>
}

export interface NativeEngine extends ChartEngine<NativeView> {
  /** Ends the chart, which outlives its views. */
  end(): void
}

/** The callback gets the chart when it is created, and undefined when it ends. */
export function nativeEngine(onChart: (chart: NativeChart | undefined) => void): NativeEngine {
  let chart: LastingChart | undefined
  let owner: HTMLElement | undefined
  const end = (): void => {
    chart?.stop()
    chart = undefined
    onChart(undefined)
  }
  const create = (host: HTMLElement, view: NativeView, events: ShownSeries['events']): LastingChart => {
    const { adjustment, instrument, timeframe } = view
    const early = takeEarlyChart({ slug: instrument.slug, timeframe, adjustment })?.handOver(host, events)
    if (early !== undefined) return early
    const created = new LastingChart(host)
    created.show({ ...view, events })
    return created
  }
  return {
    mount(host, view, report) {
      const events = { ...view.events, painted: () => report('loaded') }
      // A card has been in its place.
      if (owner !== host) end()
      owner = host
      if (chart === undefined) onChart((chart = create(host, view, events)))
      else chart.show({ ...view, events })
      return () => chart?.hide()
    },
    end,
  }
}
