// One line of the chart as two series: the closed bars, and the forming one alone, so that a tick repaints one point and not the history.
import type {
  IChartApi,
  ISeriesApi,
  SeriesDefinition,
  SeriesPartialOptionsMap,
  SeriesType,
  SeriesDataItemTypeMap,
} from 'lightweight-charts'
import type { BarWindow } from './view-window.ts'

type Item<T extends SeriesType> = SeriesDataItemTypeMap[T]

export interface PairNeeds<T extends SeriesType> {
  readonly chart: IChartApi
  readonly definition: SeriesDefinition<T>
  readonly options: SeriesPartialOptionsMap[T]
  readonly paneIndex: number
  /** What a bar looks like, or the group of `step` bars that ends with it; a bar without a value is a bare time. */
  readonly itemOf: (index: number, step: number) => Item<T>
  /** A line needs the point before, to be joined with it. */
  readonly tailLength: 1 | 2
  /** True where a bar's item also depends on the bar behind it: the last closed one is then handed over again. */
  readonly isByNext?: boolean
}

export interface SeriesPair<T extends SeriesType> {
  /** Holds the closed bars; scales, guides and drawings hang on it. */
  readonly main: ISeriesApi<T>
  readonly tail: ISeriesApi<T>
  /** Hands over a window; `length` is the number of all bars. */
  draw(window: BarWindow, length: number): void
  /** Bars from `fromIndex` on are new or changed, and the window goes to the end. */
  advance(fromIndex: number, length: number): void
  setOptions(options: SeriesPartialOptionsMap[T]): void
  remove(): void
}

export function seriesPair<T extends SeriesType>(needs: PairNeeds<T>): SeriesPair<T> {
  const { chart, definition, options, paneIndex, itemOf, tailLength, isByNext = false } = needs
  const main = chart.addSeries(definition, options, paneIndex)
  const tail = chart.addSeries(definition, options, paneIndex)

  let held: BarWindow = { from: 0, to: 0, step: 1 }
  let isTailEmpty = true

  const startOf = (index: number) => held.from + Math.floor((index - held.from) / held.step) * held.step
  const lastOf = (start: number, end: number) => itemOf(Math.min(start + held.step, end) - 1, held.step)

  function showTail(length: number): void {
    const items: Item<T>[] = []
    const lastStart = startOf(length - 1)
    // No point before the window: the axis would count from it.
    const first = Math.max(held.from, lastStart - (tailLength - 1) * held.step)
    for (let start = first; start < length; start += held.step) items.push(lastOf(start, length))
    tail.setData(items)
    isTailEmpty = false
  }

  return {
    main,
    tail,
    draw(window, length) {
      held = window
      const { from, to, step } = window
      const end = to === length ? startOf(length - 1) : to
      const items: Item<T>[] = []
      for (let start = from; start < end; start += step) items.push(lastOf(start, end))
      main.setData(items)
      if (to === length) showTail(length)
      else if (!isTailEmpty) {
        isTailEmpty = true
        tail.setData([])
      }
    },
    advance(fromIndex, length) {
      const [start, lastStart] = [startOf(Math.max(fromIndex, held.from)), startOf(length - 1)]
      // Closed bars first: their times are in the chart already, through the tail.
      const first = isByNext && start < lastStart ? Math.max(held.from, start - held.step) : start
      for (let at = first; at < lastStart; at += held.step) main.update(lastOf(at, length))
      if (tailLength === 1 && start === lastStart && !isTailEmpty) tail.update(itemOf(length - 1, held.step))
      else showTail(length)
    },
    setOptions(next) {
      main.applyOptions(next)
      tail.applyOptions(next)
    },
    remove() {
      chart.removeSeries(main)
      chart.removeSeries(tail)
    },
  }
}
