// Window of the store that lightweight-charts holds; it follows the view, so that rendering cost does not grow with history.
export interface BarRange {
  readonly from: number
  /** Exclusive for a window; for a view the last visible bar, partly visible ones included. */
  readonly to: number
}

/** Bars, or groups of bars where more are visible than there are pixels. */
export interface BarWindow extends BarRange {
  /** Bars per group, a power of two. Groups start at `from`, which is before the first bar where that group is cut. */
  readonly step: number
}

/** Bars requested when a chart opens. */
export const firstBars = 1_500
/** Bars in the first paint: enough for a wide screen. */
export const firstPoints = 600
/** Older bars are fetched when the view is this close to the first one. */
export const edgeBars = 600
/** Groups in the smallest window: passing more to the library takes longer than a frame. */
export const leastPoints = 1_500
/** Minimum window width, in view widths. */
const viewsHeld = 3
/** Groups narrower than this are merged, wider ones are split; the thresholds differ, so that no zoom level flips between the two. */
const narrowPx = 1
const widePx = 2.5

/** `moving`: only what is needed now; `held`: nothing that would move the chart under the pointer; `resting`: prefetch. */
export type Motion = 'moving' | 'held' | 'resting'

/** Window of a newly opened chart, at the newest bar. */
export function newestWindow(length: number, points: number, step = 1): BarWindow {
  return windowAround({ from: length - 1, to: length - 1 }, length, { step, points })
}

/** The same window limited to the existing bars. */
export function fittedWindow({ from, to, step }: BarWindow, length: number): BarWindow {
  return { from: Math.min(Math.max(from, step === 1 ? 0 : 1 - step), length), to: Math.min(to, length), step }
}

export interface WindowShape {
  readonly step: number
  /** Number of groups, unless there are fewer. */
  readonly points: number
  /** Index where a group starts. */
  readonly anchor?: number
}

/** A window centred on a view. */
export function windowAround(view: BarRange, length: number, { step, points, anchor = 0 }: WindowShape): BarWindow {
  const middle = (Math.max(0, view.from) + Math.min(length, view.to)) / 2
  const wanted = Math.min(middle - (points * step) / 2, length - points * step)
  const first = firstStart(anchor, step)
  const from = Math.max(first, first + Math.floor((wanted - first) / step) * step)
  const to = from + (points + 1) * step
  return { from, to: Math.min(to, length), step }
}

/** Start of the very first bar's group. */
function firstStart(anchor: number, step: number): number {
  const phase = anchor % step
  return phase > 0 ? phase - step : phase
}

/** Groups that a window holds for a view. */
export function pointsFor({ from, to }: BarRange, step: number): number {
  return Math.max(leastPoints, Math.ceil((viewsHeld * (to - from)) / step))
}

/** Window for a view of bars `from` to `to`, or undefined while the current one is sufficient. */
export function windowFor(window: BarWindow, length: number, view: BarRange, motion: Motion): BarWindow | undefined {
  const { step } = window
  const points = pointsFor(view, step)
  const viewPoints = (view.to - view.from) / step
  const margin = motion === 'resting' ? Math.max(0.3 * leastPoints, 0.8 * viewPoints) : Math.max(50, 0.1 * viewPoints)
  const isNearStart = window.from > 0 && view.from - window.from < margin * step
  const isNearEnd = window.to < length && window.to - view.to < margin * step
  const isTooLarge = motion === 'resting' && window.to - window.from > 2 * (points + 1) * step
  if (motion === 'held' ? !isNearStart : !isNearStart && !isNearEnd && !isTooLarge) return undefined
  const wanted = windowAround(view, length, { step, points, anchor: window.from })
  // While dragging, the library counts from the last bar in the window.
  const next = motion === 'held' ? { ...wanted, to: window.to } : wanted
  return next.from === window.from && next.to === window.to ? undefined : next
}

export interface Zoom {
  /** Visible bars. */
  readonly bars: number
  readonly widthPx: number
  /** All bars. */
  readonly length: number
}

/** Bars per group: the fewest that give each group a pixel, so that indistinguishable bars cost nothing. */
export function stepFor(step: number, { bars, widthPx, length }: Zoom): number {
  let next = step
  const width = () => (widthPx * next) / bars
  if (!(widthPx > 0 && bars > 0)) return step
  while (width() < narrowPx && length / next > widthPx) next *= 2
  while (next > 1 && width() > widePx) next /= 2
  return next
}

/** The bars of a bar's group; the bar itself without grouping. */
export function groupOf({ from, step }: BarWindow, index: number, length: number): BarRange {
  const start = from + Math.floor((index - from) / step) * step
  return { from: Math.max(0, start), to: Math.min(length, start + step) }
}

/** Position of a bar on the library's axis, which counts groups: an integer in the middle of each. */
export function placeOf({ from, step }: BarWindow, index: number): number {
  return (index - from + 0.5) / step - 0.5
}

/** Last bar of the group at an axis position; it may not exist. */
export function lastBarAt({ from, step }: BarWindow, place: number): number {
  return from + (Math.round(place) + 1) * step - 1
}

/** Bars shown by a range of the library's axis, fractions included; and the inverse. */
export function viewOf({ from, step }: BarWindow, range: BarRange): BarRange {
  return { from: range.from * step + from, to: (range.to + 1) * step - 1 + from }
}

export function rangeOf({ from, step }: BarWindow, view: BarRange): BarRange {
  return { from: (view.from - from) / step, to: (view.to + 1 - from) / step - 1 }
}

/** The newest bars of a view, at most `max` of them, in time order. */
export function newestIn(
  view: BarRange | undefined,
  { length, max }: { readonly length: number; readonly max: number },
): readonly number[] {
  if (view === undefined) return []
  const to = Math.min(length - 1, view.to)
  const from = Math.max(0, view.from, to - max + 1)
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
}
