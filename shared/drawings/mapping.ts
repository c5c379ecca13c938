// Maps between time and price and pixels: the interface that drawings need from a chart.
import { binarySearch } from '#shared/base/binary-search.ts'

/** Pixels are relative to the top left corner of the price pane. Null if the chart has no mapping, for example before its first candle. */
export interface Mapping {
  readonly xOfTime: (timeMs: number) => number | null
  readonly yOfPrice: (price: number) => number | null
  readonly timeOfX: (x: number) => number | null
  readonly priceOfY: (y: number) => number | null
  /** Size of the pane in pixels. */
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** Times of the bars on the axis, ascending; entries from `length` on are unused capacity. */
export interface BarTimes {
  readonly timeMs: Float64Array
  readonly length: number
  /** Usual bar interval, for positions before the first and after the last bar. */
  readonly stepMs: number
}

/**
 * Position of a time on an axis that counts bars: an integer at the start of a bar, linear between two bars,
 * so that it is strictly ascending also across nights and gaps. NaN without bars.
 */
export function indexOfTime({ timeMs, length, stepMs }: BarTimes, moment: number): number {
  if (length === 0) return Number.NaN
  const first = timeMs[0] as number
  const last = timeMs[length - 1] as number
  if (moment <= first) return (moment - first) / stepMs
  if (moment >= last) return length - 1 + (moment - last) / stepMs
  const next = binarySearch(length, (index) => (timeMs[index] as number) > moment)
  const from = timeMs[next - 1] as number
  return next - 1 + (moment - from) / ((timeMs[next] as number) - from)
}

/** The inverse: the time at an axis position; NaN without bars. */
export function timeOfIndex({ timeMs, length, stepMs }: BarTimes, index: number): number {
  if (length === 0) return Number.NaN
  if (index <= 0) return (timeMs[0] as number) + index * stepMs
  if (index >= length - 1) return (timeMs[length - 1] as number) + (index - length + 1) * stepMs
  const low = Math.floor(index)
  const from = timeMs[low] as number
  return from + (index - low) * ((timeMs[low + 1] as number) - from)
}
