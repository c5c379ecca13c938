// The engine that draws our own chart from our own candles.
import type { NativeChart, NativeChartNeeds } from '../native/chart-port.ts'
import { nativeChart } from '../native/native-chart.ts'
import type { ChartEngine } from './engine.ts'

/** What the chart needs beside its element; events other than that it is painted go to whoever shows it. */
export type NativeView = Omit<NativeChartNeeds, 'host' | 'events'> & { readonly events: Omit<NativeChartNeeds['events'], 'painted'> }

/** `onChart` is told of the chart while it lives, for options and gestures that come from outside of it. */
export function nativeEngine(onChart: (chart: NativeChart | undefined) => void): ChartEngine<NativeView> {
  return {
    mount(host, view, report) {
      const chart = nativeChart({ ...view, host, events: { ...view.events, painted: () => report('loaded') } })
      onChart(chart)
      return () => {
        onChart(undefined)
        chart.stop()
        host.replaceChildren()
      }
    },
  }
}
