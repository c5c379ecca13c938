// Finds the pivots of a zig zag, and the latest bars that may become one.
import { type BarColumns } from './bar-columns.ts'
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

/** Whether a value is beyond all values before it within reach. Unknown neighbours are ignored, an unknown value never is. */
function isBeyondLeft(values: Float64Array, at: number, { reach, side }: Reach): boolean {
  const value = (values[at] as number) * side
  for (let other = at - reach; other < at; other += 1) if ((values[other] as number) * side >= value) return false
  return !Number.isNaN(value)
}

/**
 * Index of the only confirmed pivot among these candidates, -1 if there is none. Of at most `reach + 1` neighbours only the
 * most extreme, and the first of ties, can be one, so that the others cost a single comparison.
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

/** Whether the bar is a confirmed pivot: beyond all values within reach before it, and at least equal to those after it. */
function isPivot(values: Float64Array, at: number, { reach, side }: Reach): boolean {
  const value = (values[at] as number) * side
  for (let other = at + 1; other <= at + reach; other += 1) if ((values[other] as number) * side > value) return false
  return isBeyondLeft(values, at, { reach, side })
}

/**
 * Projects the next corner from the last `reach` bars, none of which can be confirmed yet. The most extreme bar on the last
 * corner's side that exceeds it, without a reversal in between, replaces it; otherwise the most extreme opposite bar that is far
 * enough away becomes a new corner.
 */
export function findProjection(
  bars: BarColumns,
  { reach, last }: { readonly reach: number; readonly last: number },
  swings: SwingList,
): void {
  const { points } = swings
  const end = points.count - 1
  if (end < 0) return
  const side = points.side[end] as number
  const first = Math.max(last - reach + 1, (points.index[end] as number) + 1, reach)
  const same = side > 0 ? bars.high : bars.low
  const opposite = side > 0 ? bars.low : bars.high
  const further = furthest(same, first, { reach, side, last })
  const reversal = furthest(opposite, first, { reach, side: -side, last })
  const isReversal = reversal >= 0 && swings.isFar(opposite, reversal)
  const isFurther = further >= 0 && ((same[further] as number) - (points.price[end] as number)) * side > 0
  if (isFurther && !(isReversal && reversal < further)) swings.project(further, same, true)
  else if (isReversal) swings.project(reversal, opposite, false)
}

/** Index of the most extreme value from `first` on with no equal one before it, the earliest of ties; -1 if there is none. */
function furthest(values: Float64Array, first: number, range: Reach & { readonly last: number }): number {
  let found = -1
  for (let at = first; at <= range.last; at += 1) {
    const isBetter = found < 0 || (values[at] as number) * range.side > (values[found] as number) * range.side
    if (isBetter && isBeyondLeft(values, at, range)) found = at
  }
  return found
}
