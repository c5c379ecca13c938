// Engine of the Tezi chart, which draws candles from our server.
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import { takeEarlyChart } from '../early-chart.ts'
import type { NativeChart, NativeChartOptions } from './chart-port.ts'
import { TeziChart } from './native-chart.ts'
import type { ChartEngine } from '../engines/engine.ts'

/** What the chart needs besides its element; events other than `painted` go to the component that shows it. */
export type NativeView = Omit<NativeChartOptions, 'host' | 'events'> & { readonly events: Omit<NativeChartOptions['events'], 'painted'> }

/** The callback gets the chart when it is created, and undefined when it is disposed; `adjustment` is that of its prices. */
export function nativeEngine(adjustment: Adjustment, onChart: (chart: NativeChart | undefined) => void): ChartEngine<NativeView> {
  return {
    mount(host, view, report) {
      const events = { ...view.events, painted: () => report('loaded') }
      const early = takeEarlyChart({ slug: view.instrument.slug, timeframe: view.timeframe, adjustment })
      const chart = early?.handOver(host, events, view.place) ?? new TeziChart({ ...view, host, events })
      onChart(chart)
      return () => {
        onChart(undefined)
        chart.stop()
        host.replaceChildren()
      }
    },
  }
}
