// Maps bars and prices to screen coordinates.
import type { IChartApi, ISeriesApi, Logical, SeriesType } from 'lightweight-charts'
import { placeOf, viewOf, type BarRange, type BarWindow } from '../view-window.ts'

export interface Plane {
  /** Centre of a bar in pixels, also outside the window. */
  xOf(index: number): number
  yOf(price: number): number | null
  /** Indexes of the visible bars, plus one on either side. */
  view(): BarRange
}

/** `axis` has the window of bars that the library holds now. */
export function planeOf(chart: IChartApi, series: ISeriesApi<SeriesType>, axis: { readonly window: BarWindow }): Plane {
  const scale = chart.timeScale()
  return {
    xOf: (index) => xOfBar(chart, axis.window, index) ?? -1,
    yOf: (price) => series.priceToCoordinate(price),
    view() {
      const range = scale.getVisibleLogicalRange()
      if (range === null) return { from: 0, to: 0 }
      const { from, to } = viewOf(axis.window, range)
      return { from: Math.floor(from) - 1, to: Math.ceil(to) + 2 }
    },
  }
}

/** Centre of a bar in pixels; null before the first paint. The library only maps whole groups; bars lie between them. */
export function xOfBar(chart: IChartApi, window: BarWindow, index: number): number | null {
  const scale = chart.timeScale()
  const place = placeOf(window, index)
  const before = Math.floor(place)
  const x = scale.logicalToCoordinate(before as Logical)
  if (x === null || place === before) return x
  const next = scale.logicalToCoordinate((before + 1) as Logical)
  return next === null ? null : x + (place - before) * (next - x)
}
