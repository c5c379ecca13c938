// The bare chart library as imported by the page, which also records all charts, so that all of them are panned by the same call.
import { createChart as makeChart, type ChartOptions, type DeepPartial, type IChartApi } from 'lightweight-charts'

export * from 'lightweight-charts'

export const madeCharts: IChartApi[] = []

export function createChart(host: HTMLElement | string, options?: DeepPartial<ChartOptions>): IChartApi {
  const chart = makeChart(host, options)
  madeCharts.push(chart)
  return chart
}

/** View methods that the Tezi chart and the bare library share. */
export function movesOf(chart: IChartApi) {
  const scale = chart.timeScale()
  return {
    framesPerPicture: 1 as const,
    pan: (bars: number) => scale.scrollToPosition(scale.scrollPosition() - bars, false),
    setBarSpace: (px: number) => scale.applyOptions({ barSpacing: px }),
    visible() {
      const range = scale.getVisibleLogicalRange()
      return range === null ? 0 : Math.round(range.to - range.from)
    },
  }
}
