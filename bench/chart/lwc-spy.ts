// The bare chart library as everybody on the page gets it, with a list of the charts made, so that all of them are panned by the same call.
import { createChart as makeChart, type ChartOptions, type DeepPartial, type IChartApi } from 'lightweight-charts'

export * from 'lightweight-charts'

export const madeCharts: IChartApi[] = []

export function createChart(host: HTMLElement | string, options?: DeepPartial<ChartOptions>): IChartApi {
  const chart = makeChart(host, options)
  madeCharts.push(chart)
  return chart
}

/** Moves of a view that ours and the bare library have in common, because it is the same library. */
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
