// Renko: bricks of one size, a new one only where the close has moved by it; time plays no part in their width.
import { createBarColumns, type BarColumns } from '#shared/market/indicators/columns.ts'
import { makeRoom, type BarStore } from '../bar-store.ts'
import type { ShownBars } from './shown-bars.ts'

const atrLength = 14
/** Bars before the present period that the brick is measured on: so many are in every first load. */
const sampleMax = 50

interface Walk {
  /** Edge from which the next brick of the same direction starts, counted in bricks. */
  edge: number
  /** 1, -1, or 0 before the first brick. */
  direction: number
  /** Volume since the last brick. */
  volume: number
}

/**
 * A brick up for every whole brick that a close lies above the last edge; the other way round it takes two. Edges are
 * multiples of the brick, so that older history moves none of them. The brick is the ATR(14) before the present period, in
 * whole ticks: whoever opens the chart later in that period, or on another device, sees the same bricks. A bar's volume is
 * shared by its bricks. The forming bar counts as if it closed now.
 */
export function renko(store: BarStore, tickSize: number, periodOf: (timeMs: number) => number): ShownBars {
  const made = createBarColumns(1)
  const walk: Walk = { edge: Number.NaN, direction: 0, volume: 0 }
  let brick = 0
  /** The period that the brick belongs to; NaN while there are too few bars for one that stays. */
  let settledPeriod = Number.NaN
  let closedBars = 0
  let closedBricks = 0

  function run(fromBar: number): number {
    const { bars } = store
    const from = closedBricks
    const last = bars.length - 1
    made.length = closedBricks
    for (let index = fromBar; index < last; index += 1) addBricks(bars, index, walk)
    closedBars = Math.max(0, last)
    closedBricks = made.length
    if (last >= 0) addBricks(bars, last, { ...walk })
    return from
  }

  function addBricks({ close, volume, timeMs }: BarColumns, index: number, state: Walk): void {
    const price = close[index] as number
    if (Number.isNaN(price)) return
    if (Number.isNaN(state.edge)) state.edge = Math.round(price / brick)
    state.volume += volume[index] as number
    // Rounded to a millionth of a brick, so that a close on an edge counts.
    const level = Math.round((price / brick) * 1e6) / 1e6
    const up = Math.floor(level) - state.edge - (state.direction < 0 ? 1 : 0)
    const down = state.edge - Math.ceil(level) - (state.direction > 0 ? 1 : 0)
    const count = Math.max(up, down)
    if (count <= 0) return
    const direction = up > 0 ? 1 : -1
    if (state.direction === -direction) state.edge += direction
    const share = state.volume / count
    for (let at = 0; at < count; at += 1) {
      push(timeMs[index] as number, [state.edge, state.edge + direction], share)
      state.edge += direction
    }
    state.direction = direction
    state.volume = 0
  }

  function push(timeMs: number, [from, to]: readonly [number, number], volume: number): void {
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

  /** Measures the brick anew where a period has begun; true where it has become another one. */
  function settle(): boolean {
    const { bars } = store
    const last = bars.length - 1
    const period = last < 0 ? Number.NaN : periodOf(bars.timeMs[last] as number)
    if (period === settledPeriod) return false
    const before = brick
    const begin = periodBegin(bars, periodOf)
    const isEarly = begin < atrLength
    const [from, to] = isEarly ? [0, Math.min(Math.max(0, last), atrLength)] : [Math.max(0, begin - sampleMax), begin]
    brick = brickOf(bars, [from, to], tickSize)
    settledPeriod = to - from < atrLength ? Number.NaN : period
    return brick !== before
  }

  function full(): void {
    settledPeriod = Number.NaN
    settle()
    walk.edge = Number.NaN
    walk.direction = 0
    walk.volume = 0
    closedBricks = 0
    made.length = 0
    if (brick > 0) run(0)
  }

  return {
    bars: made,
    full,
    advance() {
      if (!settle()) return brick === 0 ? 0 : run(closedBars)
      full()
      return 0
    },
    indexAt: (timeMs) => lastAt(made, timeMs),
  }
}

/** Number of the first bar of the period in which the last bar is. */
function periodBegin({ timeMs, length }: BarColumns, periodOf: (timeMs: number) => number): number {
  let begin = Math.max(0, length - 1)
  const period = periodOf(timeMs[begin] as number)
  while (begin > 0 && periodOf(timeMs[begin - 1] as number) === period) begin -= 1
  return begin
}

/** Wilder's mean of the true range of these bars, in whole ticks and at least one; 0 where there are none. */
function brickOf({ high, low, close }: BarColumns, [from, to]: readonly [number, number], tickSize: number): number {
  let mean = 0
  for (let index = from; index < to; index += 1) {
    // What came before the first one may not be loaded everywhere.
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
