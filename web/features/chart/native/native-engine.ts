// Engine of the Tezi chart, which draws candles from our server.
import type { NativeChart, NativeChartOptions } from './chart-port.ts'
import { TeziChart } from './native-chart.ts'
import type { ChartEngine } from '../engines/engine.ts'

/** What the chart needs besides its element; events other than `painted` go to the component that shows it. */
export type NativeView = Omit<NativeChartOptions, 'host' | 'events'> & { readonly events: Omit<NativeChartOptions['events'], 'painted'> }

/** The callback gets the chart when it is created, and undefined when it is disposed. */
export function nativeEngine(onChart: (chart: NativeChart | undefined) => void): ChartEngine<NativeView> {
  return {
    mount(host, view, report) {
      const chart = new TeziChart({ ...view, host, events: { ...view.events, painted: () => report('loaded') } })
      onChart(chart)
      return () => {
        onChart(undefined)
        chart.stop()
        host.replaceChildren()
      }
    },
  }
}
