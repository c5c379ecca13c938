// Corners of a zig zag: closed bars change them permanently, the forming bar only until its next update.
import { createPointList, type PointList } from './point-list.ts'
import { type StudyContext } from './study.ts'

/** Chosen so that two corners and a projection of the forming bar still give at most 500 legs. */
const savedPoints = 498
const capacity = 512

interface SwingRules {
  /** Relative to the last corner's price. */
  readonly deviationPercent: number
  readonly reach: number
}

/** Corners for the bars of a context: each within twice `reach` of the bar that confirms it, and far enough from the previous one. */
export class SwingList {
  readonly #context: StudyContext
  readonly #rules: SwingRules
  readonly points: PointList = createPointList(capacity)
  // Volume up to each corner, and how many bars before it had unknown volume.
  readonly #totals = new Float64Array(capacity)
  readonly #gapCounts = new Float64Array(capacity)
  readonly #columns = [
    this.points.index,
    this.points.price,
    this.points.side,
    this.points.volume,
    this.points.change,
    this.points.changePercent,
    this.#totals,
    this.#gapCounts,
  ] as const
  // Values of the last saved corner.
  readonly #last = new Float64Array(this.#columns.length)
  // Reused for each corner, so that a tick allocates nothing.
  readonly #corner = { index: 0, side: 0 }
  // The same two numbers for the latest bars, in a ring buffer: columns for all bars would cost more than the search.
  readonly #ringSize: number
  readonly #recentTotals: Float64Array
  readonly #recentGaps: Float64Array
  readonly #ringMask: number
  #savedCount = 0

  constructor(context: StudyContext, rules: SwingRules) {
    this.#context = context
    this.#rules = rules
    this.#ringSize = 2 ** Math.ceil(Math.log2(2 * rules.reach + 2))
    this.#recentTotals = new Float64Array(this.#ringSize)
    this.#recentGaps = new Float64Array(this.#ringSize)
    this.#ringMask = this.#ringSize - 1
  }

  reset(): void {
    this.points.count = 0
    this.#savedCount = 0
  }

  /** Restores the state of the closed bars. */
  restore(): void {
    this.points.count = this.#savedCount
    if (this.#savedCount === 0) return
    for (let at = 0; at < this.#columns.length; at += 1)
      (this.#columns[at] as Float64Array)[this.#savedCount - 1] = this.#last[at] as number
    this.points.isProjected[this.#savedCount - 1] = 0
  }

  /** Adds the volume of bars to the running total; bars come in order, and those of a corner before the corner. */
  count(from: number, to: number): void {
    if (!this.#context.hasVolume) return
    const { volume } = this.#context.bars
    let total = from > 0 ? (this.#recentTotals[(from - 1) & this.#ringMask] as number) : 0
    let gaps = from > 0 ? (this.#recentGaps[(from - 1) & this.#ringMask] as number) : 0
    for (let index = from; index < to; index += 1) {
      const barVolume = volume[index] as number
      if (Number.isNaN(barVolume)) gaps += 1
      else total += barVolume
      if (to - index > this.#ringSize) continue
      this.#recentTotals[index & this.#ringMask] = total
      this.#recentGaps[index & this.#ringMask] = gaps
    }
  }

  /** The next bar that may change a corner if it is a pivot; `to` if there is none. */
  findLively(from: number, to: number): number {
    const end = this.points.count - 1
    if (end < 0) return from
    const price = this.points.price[end] as number
    // Slightly less than the deviation, because sums of prices may be off; `isFar` decides.
    const step = Math.abs(price) * (this.#rules.deviationPercent / 100) * (1 - 1e-6)
    const isHigh = (this.points.side[end] as number) > 0
    const top = isHigh ? price : price + step
    const bottom = isHigh ? price - step : price
    const { high, low } = this.#context.bars
    let index = from
    while (index < to && !((high[index] as number) >= top || (low[index] as number) <= bottom)) index += 1
    return index
  }

  /** A pivot of side 1 (high) or -1 (low): adds a corner, moves one, or does nothing. */
  confirm(index: number, prices: Float64Array, side: number): void {
    const end = this.points.count - 1
    this.#corner.index = index
    this.#corner.side = side
    if (end < 0) this.#write(0, prices, this.#corner)
    else if (this.points.side[end] !== side) {
      if (this.isFar(prices, index)) this.#write(end + 1, prices, this.#corner)
    } else if (((prices[index] as number) - (this.points.price[end] as number)) * side > 0) this.#write(end, prices, this.#corner)
    if (this.points.count > savedPoints + 2) this.#dropOldest()
  }

  /** A temporary corner, added or replacing the last one. */
  project(index: number, prices: Float64Array, isMove: boolean): void {
    const end = this.points.count - 1
    const side = this.points.side[end] as number
    this.#corner.index = index
    this.#corner.side = isMove ? side : -side
    this.#write(isMove ? end : end + 1, prices, this.#corner)
    this.points.isProjected[this.points.count - 1] = 1
  }

  /** Whether a price is far enough from the last corner for a new leg. */
  isFar(prices: Float64Array, index: number): boolean {
    const price = prices[index] as number
    const before = this.points.price[this.points.count - 1] as number
    return (Math.abs(price - before) / Math.abs(before)) * 100 >= this.#rules.deviationPercent
  }

  /** Saves the current state as that of the closed bars. */
  save(): void {
    while (this.points.count > savedPoints) this.#dropOldest()
    this.#savedCount = this.points.count
    if (this.#savedCount === 0) return
    for (let at = 0; at < this.#columns.length; at += 1)
      this.#last[at] = (this.#columns[at] as Float64Array)[this.#savedCount - 1] as number
  }

  #write(at: number, prices: Float64Array, { index, side }: { readonly index: number; readonly side: number }): void {
    const price = prices[index] as number
    const change = at === 0 ? Number.NaN : price - (this.points.price[at - 1] as number)
    const total = this.#recentTotals[index & this.#ringMask] as number
    const gaps = this.#recentGaps[index & this.#ringMask] as number
    const isVolumeKnown = this.#context.hasVolume && at > 0 && gaps === this.#gapCounts[at - 1]
    this.points.index[at] = index
    this.points.price[at] = price
    this.points.side[at] = side
    this.points.volume[at] = isVolumeKnown ? total - (this.#totals[at - 1] as number) : Number.NaN
    this.points.change[at] = change
    this.points.changePercent[at] = at === 0 ? Number.NaN : (100 * change) / Math.abs(this.points.price[at - 1] as number)
    this.points.isProjected[at] = 0
    this.#totals[at] = total
    this.#gapCounts[at] = gaps
    this.points.count = at + 1
  }

  #dropOldest(): void {
    for (const column of this.#columns) column.copyWithin(0, 1, this.points.count)
    this.points.count -= 1
  }
}
