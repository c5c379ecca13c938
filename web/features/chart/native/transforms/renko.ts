// Renko: bricks of one size, a new one only when the close has moved by it; independent of time.
import { createBarColumns, type BarColumns } from '#shared/indicators/lib/bar-columns.ts'
import { makeRoom, type BarStore } from '../bar-store.ts'
import type { ShownBars } from './display-bars.ts'

const atrLength = 14
/** Bars before the current period used to measure the brick; every first load has this many. */
const sampleMax = 50

interface Walk {
  /** Edge where the next brick of the same direction starts, counted in bricks. */
  edge: number
  /** 1, -1, or 0 before the first brick. */
  direction: number
  /** Volume since the last brick. */
  volume: number
}

/**
 * A brick up for every whole brick that a close lies above the last edge; a reversal takes two. Edges are
 * multiples of the brick, so that older history moves none of them. The brick is the ATR(14) before the current period, in
 * whole ticks: a chart opened later in that period, or on another device, shows the same bricks. A bar's volume is
 * divided among its bricks. The forming bar counts as if it closed now.
 */
export class Renko implements ShownBars {
  readonly bars = createBarColumns(1)
  readonly #store: BarStore
  readonly #tickSize: number
  readonly #periodOf: (timeMs: number) => number
  readonly #walk: Walk = { edge: Number.NaN, direction: 0, volume: 0 }
  /** Size of a brick; 0 while there are too few bars to measure it. */
  #brick = 0
  /** The period that the brick size belongs to; NaN while there are too few bars for a stable one. */
  #settledPeriod = Number.NaN
  #closedBars = 0
  #closedBricks = 0

  constructor(store: BarStore, tickSize: number, periodOf: (timeMs: number) => number) {
    this.#store = store
    this.#tickSize = tickSize
    this.#periodOf = periodOf
  }

  readonly indexAt = (timeMs: number) => lastAt(this.bars, timeMs)

  full(): void {
    this.#settledPeriod = Number.NaN
    this.#settle()
    this.#walk.edge = Number.NaN
    this.#walk.direction = 0
    this.#walk.volume = 0
    this.#closedBricks = 0
    this.bars.length = 0
    if (this.#brick > 0) this.#run(0)
  }

  advance(): number {
    if (!this.#settle()) return this.#brick === 0 ? 0 : this.#run(this.#closedBars)
    this.full()
    return 0
  }

  #run(fromBar: number): number {
    const { bars } = this.#store
    const from = this.#closedBricks
    const last = bars.length - 1
    this.bars.length = from
    for (let index = fromBar; index < last; index += 1) this.#addBricks(bars, index, this.#walk)
    this.#closedBars = Math.max(0, last)
    this.#closedBricks = this.bars.length
    if (last >= 0) this.#addBricks(bars, last, { ...this.#walk })
    return from
  }

  #addBricks({ close, volume, timeMs }: BarColumns, index: number, state: Walk): void {
    const price = close[index] as number
    if (Number.isNaN(price)) return
    if (Number.isNaN(state.edge)) state.edge = Math.round(price / this.#brick)
    state.volume += volume[index] as number
    // Rounded to a millionth of a brick, so that a close on an edge counts.
    const level = Math.round((price / this.#brick) * 1e6) / 1e6
    const up = Math.floor(level) - state.edge - (state.direction < 0 ? 1 : 0)
    const down = state.edge - Math.ceil(level) - (state.direction > 0 ? 1 : 0)
    const count = Math.max(up, down)
    if (count <= 0) return
    const direction = up > 0 ? 1 : -1
    if (state.direction === -direction) state.edge += direction
    const share = state.volume / count
    for (let at = 0; at < count; at += 1) {
      this.#push(timeMs[index] as number, [state.edge, state.edge + direction], share)
      state.edge += direction
    }
    state.direction = direction
    state.volume = 0
  }

  #push(timeMs: number, [from, to]: readonly [number, number], volume: number): void {
    const [made, brick] = [this.bars, this.#brick]
    const index = made.length
    makeRoom(made, index + 1)
    made.timeMs[index] = timeMs
    made.open[index] = from * brick
    made.close[index] = to * brick
    made.high[index] = Math.max(from, to) * brick
    made.low[index] = Math.min(from, to) * brick
    made.volume[index] = volume
    made.takerBuyVolume[index] = Number.NaN
    made.length = index + 1
  }

  /** Measures the brick again when a period has started; returns whether it has changed. */
  #settle(): boolean {
    const { bars } = this.#store
    const last = bars.length - 1
    const period = last < 0 ? Number.NaN : this.#periodOf(bars.timeMs[last] as number)
    if (period === this.#settledPeriod) return false
    const before = this.#brick
    const begin = periodBegin(bars, this.#periodOf)
    const isEarly = begin < atrLength
    const [from, to] = isEarly ? [0, Math.min(Math.max(0, last), atrLength)] : [Math.max(0, begin - sampleMax), begin]
    this.#brick = brickOf(bars, [from, to], this.#tickSize)
    this.#settledPeriod = to - from < atrLength ? Number.NaN : period
    return this.#brick !== before
  }
}

/** Index of the first bar of the last bar's period. */
function periodBegin({ timeMs, length }: BarColumns, periodOf: (timeMs: number) => number): number {
  let begin = Math.max(0, length - 1)
  const period = periodOf(timeMs[begin] as number)
  while (begin > 0 && periodOf(timeMs[begin - 1] as number) === period) begin -= 1
  return begin
}

/** Wilder's mean of the true range of these bars, in whole ticks and at least one; 0 without bars. */
function brickOf({ high, low, close }: BarColumns, [from, to]: readonly [number, number], tickSize: number): number {
  let mean = 0
  for (let index = from; index < to; index += 1) {
    // Bars before the first one may not be loaded everywhere.
    const before = close[Math.max(from, index - 1)] as number
    const range = Math.max(high[index] as number, before) - Math.min(low[index] as number, before)
    mean += (range - mean) / Math.min(index - from + 1, atrLength)
  }
  return to <= from ? 0 : tickSize * Math.max(1, Math.round(mean / tickSize))
}

function lastAt({ timeMs, length }: BarColumns, stampMs: number): number {
  let index = length - 1
  while (index >= 0 && (timeMs[index] as number) > stampMs) index -= 1
  return index
}
