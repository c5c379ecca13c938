// Which bars are turning points of a zig zag, and which of the latest may become one.
import { type BarColumns } from './columns.ts'
import { type SwingList } from './swing-list.ts'

interface Reach {
  readonly reach: number
  /** 1 for highs, -1 for lows. */
  readonly side: number
}

interface Span {
  readonly from: number
  readonly to: number
}

/** Whether a value goes further than all before it within reach. Not known neighbours do not count, a not known value is none. */
function isBeyondLeft(values: Float64Array, at: number, { reach, side }: Reach): boolean {
  const value = (values[at] as number) * side
  for (let other = at - reach; other < at; other += 1) if ((values[other] as number) * side >= value) return false
  return !Number.isNaN(value)
}

/**
 * Index of the one confirmed pivot among so many candidates, -1 where there is none. Of at most `reach + 1` neighbours only the
 * furthest, and the first of equals, can be one, so that the others cost a single comparison.
 */
export function findPivot(values: Float64Array, { from, to }: Span, range: Reach): number {
  const { side } = range
  let furthestValue = Number.NEGATIVE_INFINITY
  let found = -1
  for (let at = from; at < to; at += 1) {
    const value = (values[at] as number) * side
    if (value > furthestValue) {
      furthestValue = value
      found = at
    }
  }
  return found >= 0 && isPivot(values, found, range) ? found : -1
}

/** Whether the bar is a confirmed pivot: further than all values within reach before it, and no less far than those after it. */
function isPivot(values: Float64Array, at: number, { reach, side }: Reach): boolean {
  const value = (values[at] as number) * side
  for (let other = at + 1; other <= at + reach; other += 1) if ((values[other] as number) * side > value) return false
  return isBeyondLeft(values, at, { reach, side })
}

/**
 * Projects the next corner from the last `reach` bars, none of which can be confirmed yet. The furthest bar on the last
 * corner's side that went beyond it, without a reversal in between, takes its place; otherwise the furthest opposite bar that is far
 * enough away becomes a new corner.
 */
export function findProjection(
  bars: BarColumns,
  { reach, last }: { readonly reach: number; readonly last: number },
  swings: SwingList,
): void {
  const { points, project, isFar } = swings
  const end = points.count - 1
  if (end < 0) return
  const side = points.side[end] as number
  const first = Math.max(last - reach + 1, (points.index[end] as number) + 1, reach)
  const same = side > 0 ? bars.high : bars.low
  const opposite = side > 0 ? bars.low : bars.high
  const further = furthest(same, first, { reach, side, last })
  const reversal = furthest(opposite, first, { reach, side: -side, last })
  const isReversal = reversal >= 0 && isFar(opposite, reversal)
  const isFurther = further >= 0 && ((same[further] as number) - (points.price[end] as number)) * side > 0
  if (isFurther && !(isReversal && reversal < further)) project(further, same, true)
  else if (isReversal) project(reversal, opposite, false)
}

/** Index of the furthest value from `first` on with nothing as far before it, the earliest of equals; -1 where there is none. */
function furthest(values: Float64Array, first: number, range: Reach & { readonly last: number }): number {
  let found = -1
  for (let at = first; at <= range.last; at += 1) {
    const isBetter = found < 0 || (values[at] as number) * range.side > (values[found] as number) * range.side
    if (isBetter && isBeyondLeft(values, at, range)) found = at
  }
  return found
}
