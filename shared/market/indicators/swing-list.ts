// The corners of a zig zag: closed bars change them for good, the forming bar only until it comes again.
import { createPointList, type PointList } from './lists.ts'
import { type StudyContext } from './study.ts'

/** So many that two corners and a projection of the forming bar still make at most 500 legs. */
const keptPoints = 498
const room = 512

interface SwingRules {
  /** Of the last corner's price. */
  readonly deviationPercent: number
  readonly reach: number
}

export interface SwingList {
  readonly points: PointList
  readonly reset: () => void
  /** Back to what closed bars made. */
  readonly restore: () => void
  /** Adds the volume of bars to the running total; they come in order, and those of a corner before the corner. */
  readonly count: (from: number, to: number) => void
  /** The next bar that may change a corner if it is a pivot; `to` where there is none. */
  readonly findLively: (from: number, to: number) => number
  /** A pivot of side 1 (high) or -1 (low): a new corner, a moved one, or nothing. */
  readonly confirm: (index: number, prices: Float64Array, side: number) => void
  /** A corner that may be taken back, added or in the place of the last one. */
  readonly project: (index: number, prices: Float64Array, isMove: boolean) => void
  /** Whether a price is far enough from the last corner for a new leg. */
  readonly isFar: (prices: Float64Array, index: number) => boolean
  /** What is there now was made by closed bars. */
  readonly keep: () => void
}

/** The corners for bars of a context: each within twice `reach` of the bar that makes it, and far enough from the one before. */
export function createSwingList(context: StudyContext, { deviationPercent, reach }: SwingRules): SwingList {
  const points = createPointList(room)
  // Volume up to each corner, and how many bars before it had none that is known.
  const totals = new Float64Array(room)
  const gapCounts = new Float64Array(room)
  const columns = [points.index, points.price, points.side, points.volume, points.change, points.changePercent, totals, gapCounts] as const
  // What the columns held of the last kept corner.
  const last = new Float64Array(columns.length)
  // Filled anew for each corner, so that a tick allocates nothing.
  const corner = { index: 0, side: 0 }
  // The same two numbers for the latest bars, in a ring: columns of all bars would cost more than the search.
  const ringSize = 2 ** Math.ceil(Math.log2(2 * reach + 2))
  const recentTotals = new Float64Array(ringSize)
  const recentGaps = new Float64Array(ringSize)
  const ringMask = ringSize - 1
  let keptCount = 0

  const reset = () => {
    points.count = 0
    keptCount = 0
  }
  const restore = () => {
    points.count = keptCount
    if (keptCount === 0) return
    for (let at = 0; at < columns.length; at += 1) (columns[at] as Float64Array)[keptCount - 1] = last[at] as number
    points.isProjected[keptCount - 1] = 0
  }
  const count = (from: number, to: number) => {
    if (!context.hasVolume) return
    const { volume } = context.bars
    let total = from > 0 ? (recentTotals[(from - 1) & ringMask] as number) : 0
    let gaps = from > 0 ? (recentGaps[(from - 1) & ringMask] as number) : 0
    for (let index = from; index < to; index += 1) {
      const barVolume = volume[index] as number
      if (Number.isNaN(barVolume)) gaps += 1
      else total += barVolume
      if (to - index > ringSize) continue
      recentTotals[index & ringMask] = total
      recentGaps[index & ringMask] = gaps
    }
  }
  const findLively = (from: number, to: number) => {
    const end = points.count - 1
    if (end < 0) return from
    const price = points.price[end] as number
    // A little less than the deviation, as sums of prices may be off; `isFar` has the last word.
    const step = Math.abs(price) * (deviationPercent / 100) * (1 - 1e-6)
    const isHigh = (points.side[end] as number) > 0
    const top = isHigh ? price : price + step
    const bottom = isHigh ? price - step : price
    const { high, low } = context.bars
    let index = from
    while (index < to && !((high[index] as number) >= top || (low[index] as number) <= bottom)) index += 1
    return index
  }
  const write = (at: number, prices: Float64Array, { index, side }: { readonly index: number; readonly side: number }) => {
    const price = prices[index] as number
    const change = at === 0 ? Number.NaN : price - (points.price[at - 1] as number)
    const total = recentTotals[index & ringMask] as number
    const gaps = recentGaps[index & ringMask] as number
    const isVolumeKnown = context.hasVolume && at > 0 && gaps === gapCounts[at - 1]
    points.index[at] = index
    points.price[at] = price
    points.side[at] = side
    points.volume[at] = isVolumeKnown ? total - (totals[at - 1] as number) : Number.NaN
    points.change[at] = change
    points.changePercent[at] = at === 0 ? Number.NaN : (100 * change) / Math.abs(points.price[at - 1] as number)
    points.isProjected[at] = 0
    totals[at] = total
    gapCounts[at] = gaps
    points.count = at + 1
  }
  const isFar = (prices: Float64Array, index: number) => {
    const price = prices[index] as number
    const before = points.price[points.count - 1] as number
    return (Math.abs(price - before) / Math.abs(before)) * 100 >= deviationPercent
  }
  const confirm = (index: number, prices: Float64Array, side: number) => {
    const end = points.count - 1
    corner.index = index
    corner.side = side
    if (end < 0) write(0, prices, corner)
    else if (points.side[end] !== side) {
      if (isFar(prices, index)) write(end + 1, prices, corner)
    } else if (((prices[index] as number) - (points.price[end] as number)) * side > 0) write(end, prices, corner)
    if (points.count > keptPoints + 2) dropOldest()
  }
  const dropOldest = () => {
    for (const column of columns) column.copyWithin(0, 1, points.count)
    points.count -= 1
  }
  const project = (index: number, prices: Float64Array, isMove: boolean) => {
    const end = points.count - 1
    const side = points.side[end] as number
    corner.index = index
    corner.side = isMove ? side : -side
    write(isMove ? end : end + 1, prices, corner)
    points.isProjected[points.count - 1] = 1
  }
  const keep = () => {
    while (points.count > keptPoints) dropOldest()
    keptCount = points.count
    if (keptCount === 0) return
    for (let at = 0; at < columns.length; at += 1) last[at] = (columns[at] as Float64Array)[keptCount - 1] as number
  }
  return { points, reset, restore, count, findLively, confirm, project, isFar, keep }
}
