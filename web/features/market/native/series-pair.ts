// One line of the chart in two parts: the closed bars, a series of the library, and the forming one, on a canvas above it, so that a tick repaints one bar.
import type {
  IChartApi,
  IRange,
  ISeriesApi,
  SeriesDefinition,
  SeriesPartialOptionsMap,
  SeriesType,
  SeriesDataItemTypeMap,
} from 'lightweight-charts'
import type { FormingLayer } from './forming/forming-layer.ts'
import {
  rangeOfItem,
  spriteOf,
  unseenItem,
  unseenOptions,
  type LooseItem,
  type LooseOptions,
  type PriceRange,
} from './forming/sprite-of.ts'
import type { BarWindow } from './view-window.ts'

type Item<T extends SeriesType> = SeriesDataItemTypeMap[T]

export interface PairNeeds<T extends SeriesType> {
  readonly chart: IChartApi
  readonly forming: FormingLayer
  readonly definition: SeriesDefinition<T>
  readonly options: SeriesPartialOptionsMap[T]
  readonly paneIndex: number
  /** What a bar looks like, or the group of `step` bars that ends with it; a bar without a value is a bare time. */
  readonly itemOf: (index: number, step: number) => Item<T>
  /** True where a bar's item also depends on the bar behind it: the last closed one is then handed over again. */
  readonly isByNext?: boolean
}

export interface SeriesPair<T extends SeriesType> {
  /** Holds the closed bars; scales, guides and drawings hang on it. */
  readonly main: ISeriesApi<T>
  /** Hands over a window; `length` is the number of all bars. */
  draw(window: BarWindow, length: number): void
  /** Bars from `fromIndex` on are new or changed, and the window goes to the end. */
  advance(fromIndex: number, length: number): void
  /** Whether the forming bar alone is another, and its scale need not change for it. */
  canTouch(fromIndex: number, length: number): boolean
  /** The forming bar is another: it is so with the next repaint of what is above the library's picture. */
  touch(length: number): void
  /** The library knows an older forming bar than is shown. */
  isBehind(): boolean
  /** Has the library paint anew. */
  refresh(): void
  setOptions(options: SeriesPartialOptionsMap[T]): void
  remove(): void
}

interface Formed<T extends SeriesType> {
  /** On the library's axis. */
  readonly place: number
  readonly item: Item<T>
  readonly before: Item<T> | undefined
}

export function seriesPair<T extends SeriesType>(needs: PairNeeds<T>): SeriesPair<T> {
  const { chart, forming, definition, options, paneIndex, itemOf, isByNext = false } = needs
  const isLine = definition.type === 'Line' || definition.type === 'Area'
  const main = chart.addSeries(definition, options, paneIndex)
  // Scales and crosshair count with the forming bar, which is drawn by us.
  const tail = chart.addSeries(definition, { ...options, ...unseenOptions(definition.type, options as LooseOptions) }, paneIndex)
  const stopForming = forming.add(main.getPane(), {
    place: () => formed?.place,
    sprite(ratioY) {
      if (formed === undefined) return undefined
      const { item, before } = formed as { item: LooseItem; before: LooseItem | undefined }
      const yOf = (price: number) => (tail.priceToCoordinate(price) ?? Number.NaN) * ratioY
      return spriteOf(definition.type, options, { item, before, yOf })
    },
  })

  let held: BarWindow = { from: 0, to: 0, step: 1 }
  let formed: Formed<T> | undefined
  let known: Formed<T> | undefined

  const startOf = (index: number) => held.from + Math.floor((index - held.from) / held.step) * held.step
  const lastOf = (start: number, end: number) => itemOf(Math.min(start + held.step, end) - 1, held.step)
  const unseen = (item: Item<T>) => unseenItem(item) as unknown as Item<T>

  /** Undefined where the window holds no bar. */
  function formedOf(length: number): Formed<T> | undefined {
    const start = startOf(length - 1)
    if (start < held.from) return undefined
    const before = start - held.step
    return {
      place: (start - held.from) / held.step,
      item: itemOf(length - 1, held.step),
      before: isLine && before >= held.from ? lastOf(before, length) : undefined,
    }
  }

  function setFormed(next: Formed<T> | undefined): void {
    formed = next
    known = next
  }

  return {
    main,
    draw(window, length) {
      held = window
      const { from, to, step } = window
      const end = to === length ? startOf(length - 1) : to
      const items: Item<T>[] = []
      for (let start = from; start < end; start += step) items.push(lastOf(start, end))
      main.setData(items)
      const before = known
      setFormed(to === length ? formedOf(length) : undefined)
      if (known !== undefined) tail.setData([unseen(known.item)])
      else if (before !== undefined) tail.setData([])
    },
    advance(fromIndex, length) {
      // The forming bar of before may be closed by now, and has never been in the series.
      const formedAt = known === undefined ? length : held.from + known.place * held.step
      const start = startOf(Math.max(held.from, Math.min(fromIndex, formedAt)))
      const lastStart = startOf(length - 1)
      // Closed bars first: their times are in the chart already, through the tail.
      const first = isByNext && start < lastStart ? Math.max(held.from, start - held.step) : start
      for (let at = first; at < lastStart; at += held.step) main.update(lastOf(at, length))
      const next = formedOf(length)
      if (next === undefined) return
      if (known?.place === next.place) tail.update(unseen(next.item))
      else tail.setData([unseen(next.item)])
      setFormed(next)
    },
    canTouch(fromIndex, length) {
      const lastStart = startOf(length - 1)
      if (known?.place !== (lastStart - held.from) / held.step || startOf(fromIndex) !== lastStart) return false
      const range = rangeOfItem(itemOf(length - 1, held.step))
      const before = rangeOfItem(known.item)
      if (range === undefined || before === undefined) return range === before
      return staysScaled(main.priceScale().getVisibleRange(), before, range)
    },
    touch: (length) => void (formed = formedOf(length)),
    isBehind: () => formed !== known,
    refresh: () => tail.applyOptions({}),
    setOptions(next) {
      main.applyOptions(next)
      tail.applyOptions(next)
    },
    remove() {
      stopForming()
      chart.removeSeries(main)
      chart.removeSeries(tail)
    },
  }
}

/** Whether a scale that shows `before` shows `range` as it is: there is room, and what held the scale open still does. */
function staysScaled(scale: IRange<number> | null, before: PriceRange, range: PriceRange): boolean {
  if (scale === null) return false
  const isLowHeld = range[0] === before[0] || (range[0] >= scale.from && before[0] > scale.from)
  const isHighHeld = range[1] === before[1] || (range[1] <= scale.to && before[1] < scale.to)
  return isLowHeld && isHighHeld
}
