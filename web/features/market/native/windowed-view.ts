// Holds the drawing library to a window of the bars, and the eye to the same bars while that window moves or its bars are joined.
import type { IChartApi, Logical, LogicalRange } from 'lightweight-charts'
import type { AxisTimes } from './axis-times.ts'
import type { ChartLayers } from './chart-layers.ts'
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

export interface WindowedViewNeeds {
  readonly chart: IChartApi
  readonly model: ChartModel
  readonly axis: AxisTimes
  readonly layers: () => ChartLayers
}

export interface WindowedView {
  readonly window: BarWindow
  /** Bars that can be seen, by index, edges included; undefined before the first paint. */
  seen(): BarRange | undefined
  /** Bars anew: the newest ones, unless older ones are in view that are still there. The view keeps its distance to the last bar. */
  renew(): void
  /** The newest bars; the view keeps its distance to the last one. */
  toNewest(): void
  /** The same bars again, such as with other colours. */
  redraw(): void
  /** So many bars came before the others. */
  shift(count: number, motion: Motion): void
  /** Whether it takes no picture of the library to show that bars from an index on are new or changed. */
  canTouch(fromIndex: number): boolean
  /** Bars from an index on are new or changed; `isWhole` has the library know it in any case. Tells whether it paints for them. */
  advance(fromIndex: number, isWhole: boolean): boolean
  /** Moves the window where the view came near to its edge, and joins or parts bars after a zoom; tells whether it did that. */
  follow(motion: Motion): boolean
  /** Shows so many times as many bars; the last one that can be seen stays where it is. */
  zoom(factor: number): void
  /** Brings these bars into view; parts of bars are allowed. */
  look(from: number, to: number): void
  /** Scrolls as far as it takes to have a bar in view. */
  lookAt(index: number): void
}

/** How far from the edge a bar is put that was scrolled into view, as a part of the width. */
const marginPart = 0.15

export function windowedView({ chart, model, axis, layers }: WindowedViewNeeds): WindowedView {
  let window: BarWindow = { from: 0, to: 0, step: 1 }
  /** Bars that there were at the last picture. */
  let drawn = 0
  const scale = chart.timeScale()

  // The library follows a wish for a range with its next picture; until then it still tells the old one.
  let wished: LogicalRange | undefined
  const range = () => wished ?? scale.getVisibleLogicalRange()
  const length = () => model.shown.bars.length

  function draw(next: BarWindow): void {
    window = next
    drawn = length()
    axis.fill(model.shown.bars, window)
    layers().draw()
  }

  function setRange({ from, to }: BarRange): void {
    wished = { from: from as Logical, to: to as Logical }
    scale.setVisibleLogicalRange(wished)
    const own = wished
    requestAnimationFrame(() => (wished = wished === own ? undefined : wished))
  }

  function view(): BarRange | undefined {
    const now = range()
    return now === null ? undefined : viewOf(window, now)
  }

  /** Another window, the same view; `shift` is how far the indexes have moved meanwhile. */
  function move(next: BarWindow, shift = 0): void {
    const before = view()
    // The library counts its view from the right end. Where that stays it is left alone: a wish is heard with the next picture only, and
    // would take back what a hand has moved until then.
    const { from, to, step } = window
    const isEndKept = next.to === to + shift && next.step === step && (next.from - from - shift) % step === 0
    draw(next)
    if (before !== undefined && (wished !== undefined || !isEndKept))
      setRange(rangeOf(window, { from: before.from + shift, to: before.to + shift }))
  }

  /** Bars as they are to be joined for a view, from scratch or as they are now. */
  function stepOf(wanted: BarRange, step: number): number {
    return stepFor(step, { bars: wanted.to - wanted.from + 1, widthPx: scale.width(), length: length() })
  }

  function toNewest(): void {
    // The first picture must be there soon: what lies before its bars is handed over when there is time.
    draw(newestWindow(length(), window.to === 0 ? firstPoints : leastPoints, window.step))
  }

  const redraw = () => move(fittedWindow(window, length()))

  /** What is added far behind a view of older bars is drawn when the view comes near. */
  const isFar = (fromIndex: number) => window.to < fromIndex
  const isSame = () => window.to === drawn && drawn === length()

  function lookAt(index: number): void {
    if (index < window.from || index >= window.to) {
      const one = { from: index, to: index }
      move(windowAround(one, length(), { step: window.step, points: pointsFor(view() ?? one, window.step), anchor: window.from }))
    }
    const now = range()
    const at = placeOf(window, index)
    if (now === null || (at > now.from + 1 && at < now.to - 1)) return
    const width = now.to - now.from
    const from = at - width * (at <= now.from + 1 ? marginPart : 1 - marginPart)
    setRange({ from, to: from + width })
  }

  return {
    get window() {
      return window
    },
    seen() {
      const now = view()
      return now === undefined ? undefined : { from: Math.floor(now.from), to: Math.ceil(now.to) }
    },
    // The library itself keeps the distance to the last bar.
    renew() {
      const isOlder = window.to < drawn && window.to <= length()
      if (isOlder) redraw()
      else toNewest()
    },
    toNewest,
    redraw,
    shift(count, motion) {
      const now = view()
      const shifted = { from: window.from + count, to: window.to + count, step: window.step }
      const wanted = now === undefined ? undefined : windowFor(shifted, length(), { from: now.from + count, to: now.to + count }, motion)
      move(wanted ?? fittedWindow(shifted, length()), count)
    },
    canTouch: (fromIndex) => isFar(fromIndex) || (isSame() && layers().canTouch(fromIndex)),
    advance(fromIndex, isWhole) {
      if (isFar(fromIndex) || (!isWhole && isSame() && layers().touch(fromIndex))) return false
      window = { ...window, to: length() }
      drawn = length()
      axis.extend(model.shown.bars, Math.max(fromIndex, window.from), window)
      layers().advance(fromIndex)
      return true
    },
    follow(motion) {
      const now = view()
      if (now === undefined) return false
      // A movement by hand counts in the groups that there were when it began.
      const step = motion === 'held' ? window.step : stepOf(now, window.step)
      if (step !== window.step) {
        move(windowAround(now, length(), { step, points: pointsFor(now, step) }))
        return true
      }
      const next = windowFor(window, length(), now, motion)
      if (next !== undefined) move(next)
      return false
    },
    zoom(factor) {
      const now = range()
      if (now !== null) setRange({ from: now.to - (now.to - now.from) * factor, to: now.to })
    },
    look(from, to) {
      const wanted = { from, to }
      const step = stepOf(wanted, 1)
      if (step !== window.step) draw(windowAround(wanted, length(), { step, points: pointsFor(wanted, step) }))
      setRange(rangeOf(window, wanted))
    },
    lookAt,
  }
}
