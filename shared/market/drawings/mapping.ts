// Between time and price on one side and pixels on the other: what drawings need to know of a chart.
import { firstIndex } from '#shared/base/first-index.ts'

/** Pixels count from the top left corner of the price pane. Null where the chart cannot say, such as before its first candle. */
export interface Mapping {
  readonly xOfTime: (timeMs: number) => number | null
  readonly yOfPrice: (price: number) => number | null
  readonly timeOfX: (x: number) => number | null
  readonly priceOfY: (y: number) => number | null
  /** Of the pane, in pixels. */
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** Stamps of the bars on the axis, ascending; entries from `length` on are spare room. */
export interface BarTimes {
  readonly timeMs: Float64Array
  readonly length: number
  /** Usual distance of two bars, for the room before the first and behind the last. */
  readonly stepMs: number
}

/**
 * Place of a moment on an axis that counts bars: whole for the start of a bar, between two bars in proportion to time,
 * so that it is strictly ascending also over nights and gaps. NaN where there is no bar.
 */
export function indexOfTime({ timeMs, length, stepMs }: BarTimes, moment: number): number {
  if (length === 0) return Number.NaN
  const first = timeMs[0] as number
  const last = timeMs[length - 1] as number
  if (moment <= first) return (moment - first) / stepMs
  if (moment >= last) return length - 1 + (moment - last) / stepMs
  const next = firstIndex(length, (index) => (timeMs[index] as number) > moment)
  const from = timeMs[next - 1] as number
  return next - 1 + (moment - from) / ((timeMs[next] as number) - from)
}

/** The way back: the moment of a place on the axis; NaN where there is no bar. */
export function timeOfIndex({ timeMs, length, stepMs }: BarTimes, index: number): number {
  if (length === 0) return Number.NaN
  if (index <= 0) return (timeMs[0] as number) + index * stepMs
  if (index >= length - 1) return (timeMs[length - 1] as number) + (index - length + 1) * stepMs
  const low = Math.floor(index)
  const from = timeMs[low] as number
  return from + (index - low) * ((timeMs[low + 1] as number) - from)
}
