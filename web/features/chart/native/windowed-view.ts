// Feeds lightweight-charts a window of bars, and keeps the visible range stable when the window moves or bars are regrouped.
import type { IChartApi, Logical, LogicalRange } from 'lightweight-charts'
import type { AxisTimes } from './axis-times.ts'
import type { BarLayer } from './bar-layer.ts'
import type { ChartModel } from './chart-model.ts'
import {
  firstPoints,
  fittedWindow,
  leastPoints,
  newestWindow,
  placeOf,
  pointsFor,
  rangeOf,
  stepFor,
  viewOf,
  windowAround,
  windowFor,
  type BarRange,
  type BarWindow,
  type Motion,
} from './view-window.ts'

export interface WindowedViewOptions {
  readonly chart: IChartApi
  readonly model: Pick<ChartModel, 'shown'>
  readonly axis: AxisTimes
  readonly layers: BarLayer
}

/** Bars of empty space after the newest one. */
const restBars = 6
/** Width of a bar after a reset of the time scale. */
const usualPx = 6

/** Distance from the edge of a bar that was scrolled into view, as a fraction of the width. */
const marginPart = 0.15

export class WindowedView {
  readonly #scale: ReturnType<IChartApi['timeScale']>
  readonly #model: Pick<ChartModel, 'shown'>
  readonly #axis: AxisTimes
  readonly #layers: BarLayer
  /** Number of bars at the last draw. */
  #drawn = 0
  /** The overlays show a newer forming bar than the library has. */
  #isAhead = false
  /** The library applies a requested range in its next frame; until then it still reports the old one. */
  #requested: LogicalRange | undefined

  constructor({ chart, model, axis, layers }: WindowedViewOptions) {
    this.#scale = chart.timeScale()
    this.#model = model
    this.#axis = axis
    this.#layers = layers
  }

  /** True after a touch: once the library paints by itself, its scales may be wrong until it gets the last bar. */
  get isAhead(): boolean {
    return this.#isAhead
  }

  /** Visible bars by index, partly visible ones included; undefined before the first paint. */
  seen(): BarRange | undefined {
    const now = this.inView()
    return now === undefined ? undefined : { from: Math.floor(now.from), to: Math.ceil(now.to) }
  }

  /** The same with fractions of bars. */
  inView(): BarRange | undefined {
    const now = this.#range()
    return now === null ? undefined : viewOf(this.#axis.window, now)
  }

  /** After all bars were replaced: shows the newest, or keeps older visible ones that still exist. Keeps the distance to the last bar. */
  renew(): void {
    // The library itself keeps the distance to the last bar.
    const { to } = this.#axis.window
    if (to < this.#drawn && to <= this.#length) this.redraw()
    else this.toNewest()
  }

  /** Shows the newest bars; keeps the distance to the last one. */
  toNewest(): void {
    // Fast first paint: earlier bars are added when the browser is idle.
    const { to, step } = this.#axis.window
    this.#draw(newestWindow(this.#length, to === 0 ? firstPoints : leastPoints, step))
  }

  /** Draws the same bars again, for example with other colours. */
  redraw(): void {
    this.#move(fittedWindow(this.#axis.window, this.#length))
  }

  /** Call after this many bars were prepended. */
  shift(count: number, motion: Motion): void {
    // A window without bars would count as a view of older ones, and stay empty.
    if (this.#drawn === 0) return this.toNewest()
    const now = this.inView()
    const { from, to, step } = this.#axis.window
    const shifted = { from: from + count, to: to + count, step }
    const wanted = now === undefined ? undefined : windowFor(shifted, this.#length, { from: now.from + count, to: now.to + count }, motion)
    this.#move(wanted ?? fittedWindow(shifted, this.#length), count)
  }

  /** Bars from an index on are new or changed; returns whether the overlays alone can show it, and nothing is left to do. */
  touch(fromIndex: number): boolean {
    if (this.#isFar(fromIndex)) return true
    const length = this.#length
    if (this.#axis.window.to !== this.#drawn || this.#drawn !== length || !this.#layers.touch(fromIndex, length)) return false
    this.#isAhead = true
    return true
  }

  /** Gives the library what `touch` could not show; returns whether it paints. */
  advance(fromIndex: number): boolean {
    if (this.#isFar(fromIndex)) return false
    const length = this.#length
    const window = { ...this.#axis.window, to: length }
    this.#drawn = length
    this.#isAhead = false
    this.#axis.extend(this.#model.shown.bars, Math.max(fromIndex, window.from), window)
    this.#layers.advance(fromIndex, length)
    return true
  }

  /** Moves the window when the view is near its edge, and regroups bars after a zoom; returns whether it did. */
  follow(motion: Motion): boolean {
    const now = this.inView()
    if (now === undefined) return false
    const { window } = this.#axis
    // A drag counts in the groups that existed when it started.
    const step = motion === 'held' ? window.step : this.#stepOf(now, window.step)
    if (step !== window.step) {
      this.#move(windowAround(now, this.#length, { step, points: pointsFor(now, step) }))
      return true
    }
    // Newer bars than the library has follow with the next frame.
    const length = window.to === this.#drawn ? Math.min(this.#drawn, this.#length) : this.#length
    const next = windowFor(window, length, now, motion)
    if (next !== undefined) this.#move(next)
    return false
  }

  /** Multiplies the number of visible bars; the last visible one stays in place. */
  zoom(factor: number): void {
    const now = this.#range()
    if (now !== null) this.#setRange({ from: now.to - (now.to - now.from) * factor, to: now.to })
  }

  /** Brings these bars into view; fractions are allowed. */
  look(from: number, to: number): void {
    const wanted = { from, to }
    const step = this.#stepOf(wanted, 1)
    const around = { step, points: pointsFor(wanted, step) }
    const { window } = this.#axis
    // The library clamps ranges of bars that it does not hold.
    const next = step === window.step ? windowFor(window, this.#length, wanted, 'moving') : windowAround(wanted, this.#length, around)
    if (next !== undefined) this.#draw(next)
    this.#setRange(rangeOf(this.#axis.window, wanted))
  }

  /** Shows the newest bar as after loading, at the same zoom. */
  latest(): void {
    const now = this.inView()
    if (now !== undefined) this.#lookBack(now.to - now.from)
  }

  /** The newest bars at the usual zoom. */
  reset(): void {
    this.#lookBack(this.#scale.width() / usualPx)
  }

  /** Shows this bar in the middle, at the same zoom; the newest bars where it is one of them. */
  centre(index: number): void {
    const now = this.inView()
    if (now === undefined) return
    const half = (now.to - now.from) / 2
    const to = Math.min(index + half, this.#length - 1 + restBars)
    this.look(to - 2 * half, to)
  }

  #lookBack(bars: number): void {
    const to = this.#length - 1 + restBars
    this.look(to - bars, to)
  }

  /** Scrolls only as far as needed to make a bar visible. */
  lookAt(index: number): void {
    const { from: first, to: end, step } = this.#axis.window
    if (index < first || index >= end) {
      const one = { from: index, to: index }
      this.#move(windowAround(one, this.#length, { step, points: pointsFor(this.inView() ?? one, step), anchor: first }))
    }
    const now = this.#range()
    const at = placeOf(this.#axis.window, index)
    if (now === null || (at > now.from + 1 && at < now.to - 1)) return
    const width = now.to - now.from
    const from = at - width * (at <= now.from + 1 ? marginPart : 1 - marginPart)
    this.#setRange({ from, to: from + width })
  }

  get #length(): number {
    return this.#model.shown.bars.length
  }

  /** Bars added far beyond a view of older bars are drawn when the view comes near. */
  #isFar(fromIndex: number): boolean {
    return this.#axis.window.to < fromIndex
  }

  #range(): LogicalRange | null {
    return this.#requested ?? this.#scale.getVisibleLogicalRange()
  }

  #setRange({ from, to }: BarRange): void {
    const own = { from: from as Logical, to: to as Logical }
    this.#requested = own
    this.#scale.setVisibleLogicalRange(own)
    requestAnimationFrame(() => {
      if (this.#requested === own) this.#requested = undefined
    })
  }

  #draw(next: BarWindow): void {
    this.#drawn = this.#length
    this.#isAhead = false
    this.#axis.fill(this.#model.shown.bars, next)
    this.#layers.draw(next, this.#drawn)
  }

  /** Changes the window and keeps the view; `shift` is how far the indexes have moved. */
  #move(next: BarWindow, shift = 0): void {
    const before = this.inView()
    // The library positions its view from the right end. Skip the update where that end stays: a requested range applies only in the next
    // frame, and would undo what the user has dragged until then.
    const { from, to, step } = this.#axis.window
    const isEndKept = next.to === to + shift && next.step === step && (next.from - from - shift) % step === 0
    this.#draw(next)
    if (before !== undefined && (this.#requested !== undefined || !isEndKept))
      this.#setRange(rangeOf(next, { from: before.from + shift, to: before.to + shift }))
  }

  /** Bars per group for a view, from scratch or starting at the current number. */
  #stepOf(wanted: BarRange, step: number): number {
    return stepFor(step, { bars: wanted.to - wanted.from + 1, widthPx: this.#scale.width(), length: this.#length })
  }
}
