// One line in two parts: closed bars in a library series, the forming bar on an overlay canvas, so that a tick repaints one bar.
import type {
  IChartApi,
  IRange,
  ISeriesApi,
  SeriesDefinition,
  SeriesPartialOptionsMap,
  SeriesType,
  SeriesDataItemTypeMap,
} from 'lightweight-charts'
import type { BarLayer } from './bar-layer.ts'
import type { FormingLayer } from './live-bar/overlay.ts'
import {
  rangeOfItem,
  spriteOf,
  unseenItem,
  unseenOptions,
  type LooseItem,
  type LooseOptions,
  type PriceRange,
} from './live-bar/to-shape.ts'
import type { Sprite } from './live-bar/draw.ts'
import type { BarWindow } from './view-window.ts'

type Item<T extends SeriesType> = SeriesDataItemTypeMap[T]

export interface PairOptions<T extends SeriesType> {
  readonly chart: IChartApi
  readonly forming: FormingLayer
  readonly definition: SeriesDefinition<T>
  readonly options: SeriesPartialOptionsMap[T]
  readonly paneIndex: number
  /** Item of a bar, or of the group of `step` bars that ends with it; without a value only its time. */
  readonly itemOf: (index: number, step: number) => Item<T>
  /** True where a bar's item also depends on the next bar: the last closed one is then updated again. */
  readonly isByNext?: boolean
}

export interface SeriesPair<T extends SeriesType> extends BarLayer {
  /** Holds the closed bars; price scale, guides and drawings are attached to it. */
  readonly main: ISeriesApi<T>
  /** Has the library repaint. */
  refresh(): void
  setOptions(options: SeriesPartialOptionsMap[T]): void
  remove(): void
}

export function seriesPair<T extends SeriesType>(options: PairOptions<T>): SeriesPair<T> {
  return new LibraryPair(options)
}

interface Formed<T extends SeriesType> {
  /** Logical index on the library's axis. */
  readonly place: number
  readonly item: Item<T>
  readonly before: Item<T> | undefined
}

class LibraryPair<T extends SeriesType> implements SeriesPair<T> {
  readonly main: ISeriesApi<T>
  readonly #tail: ISeriesApi<T>
  readonly #given: PairOptions<T>
  readonly #isLine: boolean
  readonly #stopForming: () => void
  #held: BarWindow = { from: 0, to: 0, step: 1 }
  /** The forming bar as the overlay shows it. */
  #formed: Formed<T> | undefined
  /** The forming bar as the library has it. */
  #known: Formed<T> | undefined

  constructor(given: PairOptions<T>) {
    const { chart, definition, options, paneIndex } = given
    this.#given = given
    this.#isLine = definition.type === 'Line' || definition.type === 'Area'
    this.main = chart.addSeries(definition, options, paneIndex)
    // Scale and crosshair need the forming bar in the library; it is invisible there because the overlay draws it.
    this.#tail = chart.addSeries(definition, { ...options, ...unseenOptions(definition.type, options as LooseOptions) }, paneIndex)
    this.#stopForming = given.forming.add(this.main.getPane(), {
      place: () => this.#formed?.place,
      sprite: (ratioY) => this.#sprite(ratioY),
    })
  }

  draw(window: BarWindow, length: number): void {
    this.#held = window
    const { from, to, step } = window
    const end = to === length ? this.#startOf(length - 1) : to
    const items: Item<T>[] = []
    for (let start = from; start < end; start += step) items.push(this.#lastOf(start, end))
    this.main.setData(items)
    const before = this.#known
    this.#known = to === length ? this.#formedOf(length) : undefined
    this.#formed = this.#known
    if (this.#known !== undefined) this.#tail.setData([unseen(this.#known.item)])
    else if (before !== undefined) this.#tail.setData([])
  }

  advance(fromIndex: number, length: number): void {
    const known = this.#known
    const { from, step } = this.#held
    // The previous forming bar may be closed now, and has never been in the main series.
    const formedAt = known === undefined ? length : from + known.place * step
    const start = this.#startOf(Math.max(from, Math.min(fromIndex, formedAt)))
    const lastStart = this.#startOf(length - 1)
    // Closed bars first: the tail series has already put their times on the chart.
    const first = this.#given.isByNext === true && start < lastStart ? Math.max(from, start - step) : start
    for (let at = first; at < lastStart; at += step) this.main.update(this.#lastOf(at, length))
    const next = this.#formedOf(length)
    if (next === undefined) return
    if (known?.place === next.place) this.#tail.update(unseen(next.item))
    else this.#tail.setData([unseen(next.item)])
    this.#known = next
    this.#formed = next
  }

  touch(fromIndex: number, length: number): boolean {
    const known = this.#known
    const lastStart = this.#startOf(length - 1)
    if (known?.place !== (lastStart - this.#held.from) / this.#held.step || this.#startOf(fromIndex) !== lastStart) return false
    const next = this.#formedOf(length)
    if (next === undefined) return false
    const [range, before] = [rangeOfItem(next.item), rangeOfItem(known.item)]
    if (range === undefined || before === undefined) {
      if (range !== before) return false
    } else if (!staysScaled(this.main.priceScale().getVisibleRange(), before, range)) return false
    this.#formed = next
    return true
  }

  refresh(): void {
    this.#tail.applyOptions({})
  }

  setOptions(options: SeriesPartialOptionsMap[T]): void {
    this.main.applyOptions(options)
    this.#tail.applyOptions(options)
  }

  remove(): void {
    this.#stopForming()
    this.#given.chart.removeSeries(this.main)
    this.#given.chart.removeSeries(this.#tail)
  }

  #startOf(index: number): number {
    const { from, step } = this.#held
    return from + Math.floor((index - from) / step) * step
  }

  #lastOf(start: number, end: number): Item<T> {
    const { step } = this.#held
    return this.#given.itemOf(Math.min(start + step, end) - 1, step)
  }

  /** Undefined where the window holds no bar. */
  #formedOf(length: number): Formed<T> | undefined {
    const { from, step } = this.#held
    const start = this.#startOf(length - 1)
    if (start < from) return undefined
    const before = start - step
    return {
      place: (start - from) / step,
      item: this.#given.itemOf(length - 1, step),
      before: this.#isLine && before >= from ? this.#lastOf(before, length) : undefined,
    }
  }

  #sprite(ratioY: number): Sprite | undefined {
    if (this.#formed === undefined) return undefined
    const { definition, options } = this.#given
    const { item, before } = this.#formed as { item: LooseItem; before: LooseItem | undefined }
    const yOf = (price: number) => (this.#tail.priceToCoordinate(price) ?? Number.NaN) * ratioY
    return spriteOf(definition.type, options, { item, before, yOf })
  }
}

function unseen<T extends SeriesType>(item: Item<T>): Item<T> {
  return unseenItem(item) as unknown as Item<T>
}

/** Whether the price scale stays the same: `range` fits, and any value of `before` that stretched it is unchanged. */
function staysScaled(scale: IRange<number> | null, before: PriceRange, range: PriceRange): boolean {
  if (scale === null) return false
  const isLowHeld = range[0] === before[0] || (range[0] >= scale.from && before[0] > scale.from)
  const isHighHeld = range[1] === before[1] || (range[1] <= scale.to && before[1] < scale.to)
  return isLowHeld && isHighHeld
}
