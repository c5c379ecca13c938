// Where bars and prices stand on the screen at this moment.
import type { IChartApi, ISeriesApi, Logical, SeriesType } from 'lightweight-charts'
import { placeOf, viewOf, type BarRange, type BarWindow } from '../view-window.ts'

export interface Plane {
  /** Middle of a bar, also of one outside the window; pixels. */
  xOf(index: number): number
  yOf(price: number): number | null
  /** Bars that can be seen, by index, to one more on either side. */
  view(): BarRange
}

export function planeOf(chart: IChartApi, series: () => ISeriesApi<SeriesType>, window: () => BarWindow): Plane {
  const scale = chart.timeScale()
  return {
    xOf: (index) => xOfBar(chart, window(), index) ?? -1,
    yOf: (price) => series().priceToCoordinate(price),
    view() {
      const range = scale.getVisibleLogicalRange()
      if (range === null) return { from: 0, to: 0 }
      const { from, to } = viewOf(window(), range)
      return { from: Math.floor(from) - 1, to: Math.ceil(to) + 2 }
    },
  }
}

/** Middle of a bar, pixels; null before the first picture. The library has places for whole groups only, and bars lie between them. */
export function xOfBar(chart: IChartApi, window: BarWindow, index: number): number | null {
  const scale = chart.timeScale()
  const place = placeOf(window, index)
  const before = Math.floor(place)
  const x = scale.logicalToCoordinate(before as Logical)
  if (x === null || place === before) return x
  const next = scale.logicalToCoordinate((before + 1) as Logical)
  return next === null ? null : x + (place - before) * (next - x)
}
