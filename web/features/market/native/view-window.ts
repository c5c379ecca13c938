// Which bars the drawing library holds: a window of the store that follows the view, so that its work never grows with the history.
export interface BarRange {
  readonly from: number
  /** Exclusive in a window; of a view the last bar that can be seen, edges included. */
  readonly to: number
}

/** What is drawn: bars, or groups of so many where more of them are in view than there are pixels. */
export interface BarWindow extends BarRange {
  /** Bars of a group, a power of two. Groups start at `from`, which lies before the first bar where that group is cut. */
  readonly step: number
}

/** Bars that a chart asks for when it is opened. */
export const firstBars = 1_500
/** Bars of the first picture: enough for a wide screen. */
export const firstPoints = 600
/** So near to the first bar older ones are fetched. */
export const edgeBars = 600
/** Groups of the smallest window: handing over more takes longer than a frame. */
export const leastPoints = 1_500
/** So many views wide is a window at least. */
const viewsHeld = 3
/** Groups narrower than this are joined, wider ones are parted; apart, so that no zoom lies between the two. */
const narrowPx = 1
const widePx = 2.5

/** `moving`: only what is needed now; `held`: nothing that would slip from the hand; `resting`: room for the next movement. */
export type Motion = 'moving' | 'held' | 'resting'

/** The window of a fresh chart, at the newest bar. */
export function newestWindow(length: number, points: number, step = 1): BarWindow {
  return windowAround({ from: length - 1, to: length - 1 }, length, { step, points })
}

/** The same window over other bars: cut where they end. */
export function fittedWindow({ from, to, step }: BarWindow, length: number): BarWindow {
  return { from: Math.min(Math.max(from, step === 1 ? 0 : 1 - step), length), to: Math.min(to, length), step }
}

export interface WindowShape {
  readonly step: number
  /** Groups that it holds, unless there are fewer. */
  readonly points: number
  /** Where some group starts. */
  readonly anchor?: number
}

/** The window with a view in its middle. */
export function windowAround(view: BarRange, length: number, { step, points, anchor = 0 }: WindowShape): BarWindow {
  const middle = (Math.max(0, view.from) + Math.min(length, view.to)) / 2
  const wanted = Math.min(middle - (points * step) / 2, length - points * step)
  const first = firstStart(anchor, step)
  const from = Math.max(first, first + Math.floor((wanted - first) / step) * step)
  const to = from + (points + 1) * step
  return { from, to: Math.min(to, length), step }
}

/** Start of the group of the very first bar. */
function firstStart(anchor: number, step: number): number {
  const phase = anchor % step
  return phase > 0 ? phase - step : phase
}

/** Groups that a window holds for a view. */
export function pointsFor({ from, to }: BarRange, step: number): number {
  return Math.max(leastPoints, Math.ceil((viewsHeld * (to - from)) / step))
}

/** The window for a view of bars `from` to `to`, or undefined while the present one will do. */
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
  // A movement by hand counts from the last bar in the window.
  const next = motion === 'held' ? { ...wanted, to: window.to } : wanted
  return next.from === window.from && next.to === window.to ? undefined : next
}

export interface Zoom {
  /** Bars in view. */
  readonly bars: number
  readonly widthPx: number
  /** Bars that there are. */
  readonly length: number
}

/** How many bars are drawn as one: as few as leave each group a pixel, so that bars that cannot be told apart cost nothing. */
export function stepFor(step: number, { bars, widthPx, length }: Zoom): number {
  let next = step
  const width = () => (widthPx * next) / bars
  if (!(widthPx > 0 && bars > 0)) return step
  while (width() < narrowPx && length / next > widthPx) next *= 2
  while (next > 1 && width() > widePx) next /= 2
  return next
}

/** The bars of the group of a bar; itself where bars are drawn one by one. */
export function groupOf({ from, step }: BarWindow, index: number, length: number): BarRange {
  const start = from + Math.floor((index - from) / step) * step
  return { from: Math.max(0, start), to: Math.min(length, start + step) }
}

/** Place of a bar on the library's axis, which counts groups: whole in the middle of each. */
export function placeOf({ from, step }: BarWindow, index: number): number {
  return (index - from + 0.5) / step - 0.5
}

/** The last bar of the group at a place of that axis; there may be none there. */
export function lastBarAt({ from, step }: BarWindow, place: number): number {
  return from + (Math.round(place) + 1) * step - 1
}

/** Bars that a range of the library's axis shows, parts included, and the way back. */
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
