// Running volume delta over the intrabars of a chart's bars, by taker volume or by sign.
import { type BarColumns } from './bar-columns.ts'
import { type StudyContext } from './study.ts'

/** Delta of one chart bar so far, from its intrabars `first` to `end`. Typed array fields avoid allocations. */
interface Tally {
  /** Delta, its highest and its lowest value (0 included). */
  readonly path: Float64Array
  bar: number
  end: number
}

export interface IntrabarTally {
  readonly reset: () => void
  /**
   * Delta, high and low of a chart bar by taker volume (2V - v) or by sign; undefined if it has no intrabars, NaN
   * if one of their volumes is unknown. Bars come in order, and repeatedly while they form; only what is new since the last
   * call is added. The array is reused by the next call.
   */
  readonly byTaker: (index: number, isClosed: boolean) => Float64Array | undefined
  readonly bySign: (index: number, isClosed: boolean) => Float64Array | undefined
}

interface PathColumns {
  readonly close: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly provenance: Float64Array
}

type Add = (bars: BarColumns, path: Float64Array, range: Range) => void
interface Range {
  from: number
  to: number
}

export function createIntrabarTally(context: StudyContext): IntrabarTally {
  const signs = createSigns()
  const taker = createWay(context, addTaker)
  const sign = createWay(context, signs.add)
  const reset = () => {
    taker.reset()
    sign.reset()
    signs.reset()
  }
  return { reset, byTaker: taker.of, bySign: sign.of }
}

function createWay(context: StudyContext, add: Add) {
  const closed: Tally = { path: new Float64Array(3), bar: -1, end: 0 }
  const forming = new Float64Array(3)
  const range: Range = { from: 0, to: 0 }

  const of = (index: number, isClosed: boolean) => {
    const { intrabars, bars } = context
    if (intrabars === undefined) return undefined
    const first = intrabars.firstIndex[index] as number
    const end = index + 1 < bars.length ? (intrabars.firstIndex[index + 1] as number) : intrabars.bars.length
    if (!(first >= 0 && end > first)) return undefined
    if (closed.bar !== index) {
      closed.path.fill(0)
      closed.bar = index
      closed.end = first
    }
    range.from = closed.end
    range.to = isClosed ? end : end - 1
    if (range.to > range.from) {
      add(intrabars.bars, closed.path, range)
      closed.end = range.to
    }
    if (isClosed) return closed.path
    for (let at = 0; at < 3; at += 1) forming[at] = closed.path[at] as number
    range.from = end - 1
    range.to = end
    add(intrabars.bars, forming, range)
    return forming
  }
  const reset = () => {
    closed.bar = -1
  }
  return { of, reset }
}

/**
 * Writes delta, high and low of closed chart bars by taker volume, as `byTaker` returns them, and 0 for their provenance, up to the
 * first bar without it. Returns that bar's index. Whole days of bars go through this one loop.
 */
export function walkTaker({ intrabars }: StudyContext, out: PathColumns, range: Range): number {
  if (intrabars === undefined) return range.from
  const { firstIndex } = intrabars
  const { volume, takerBuyVolume } = intrabars.bars
  const { close, high, low, provenance } = out
  let first = firstIndex[range.from] as number
  for (let index = range.from; index < range.to; index += 1) {
    const end = firstIndex[index + 1] as number
    let delta = first >= 0 && end > first ? 0 : Number.NaN
    let highest = 0
    let lowest = 0
    for (let part = first; part < end; part += 1) {
      delta += 2 * (takerBuyVolume[part] as number) - (volume[part] as number)
      // Branch-free selection, exact for all finite numbers: both branches would be unpredictable.
      const isHighest = Number(delta > highest)
      const isLowest = Number(delta < lowest)
      highest = delta * isHighest + highest * (1 - isHighest)
      lowest = delta * isLowest + lowest * (1 - isLowest)
    }
    if (Number.isNaN(delta)) return index
    close[index] = delta
    high[index] = highest
    low[index] = lowest
    provenance[index] = 0
    first = end
  }
  return range.to
}

function addTaker({ volume, takerBuyVolume }: BarColumns, path: Float64Array, { from, to }: Range): void {
  let delta = path[0] as number
  let high = path[1] as number
  let low = path[2] as number
  for (let index = from; index < to; index += 1) {
    delta += 2 * (takerBuyVolume[index] as number) - (volume[index] as number)
    if (delta > high) high = delta
    if (delta < low) low = delta
  }
  path[0] = delta
  path[1] = high
  path[2] = low
}

/**
 * Sign of an intrabar: 1 if close > open, -1 if close < open; if equal, the close is compared with
 * the previous intrabar's, and if that is equal too, its sign is kept (initially 0).
 */
function createSigns() {
  // Sign of the intrabar before `known`.
  let sign = 0
  let known = 0

  const add = ({ open, close, volume }: BarColumns, path: Float64Array, { from, to }: Range) => {
    let delta = path[0] as number
    let high = path[1] as number
    let low = path[2] as number
    let current = sign
    // The forming bar is computed repeatedly, so only the state before the last bar is kept.
    for (let index = Math.min(known, from); index < to; index += 1) {
      if (index === to - 1) {
        sign = current
        known = index
      }
      const value = close[index] as number
      const own = open[index] as number
      const before = value === own && index > 0 ? (close[index - 1] as number) : own
      if (value > before) current = 1
      else if (value < before) current = -1
      if (index < from) continue
      delta += current * (volume[index] as number)
      if (delta > high) high = delta
      if (delta < low) low = delta
    }
    path[0] = delta
    path[1] = high
    path[2] = low
  }
  const reset = () => {
    sign = 0
    known = 0
  }
  return { add, reset }
}
