// All candles of one chart as columns: the source of truth; lightweight-charts only ever holds a window of it.
import type { TimeSpan } from '#shared/base/time-span.ts'
import { createBarColumns, type BarColumns } from '#shared/indicators/lib/bar-columns.ts'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import { binarySearch } from '#shared/base/binary-search.ts'
import type { ShownBars } from './transforms/display-bars.ts'

/** Result of a merge: nothing, the last bar changed, bars appended, or older bars changed. */
export type StoreChange = 'none' | 'last' | 'append' | 'all'

export interface BarStore {
  readonly bars: BarColumns
  /** Replaces all bars. */
  reset(rows: readonly CandleRow[]): void
  /** New or changed bars, ascending. */
  merge(rows: readonly CandleRow[]): StoreChange
  /** Replaces the bars in a range of time; returns whether any of them differs. */
  replace(span: TimeSpan, rows: readonly CandleRow[]): boolean
  /** Older bars, ascending; those not before the first bar are ignored. Returns how many were added. */
  prepend(rows: readonly CandleRow[]): number
  /** Index of the last bar at or before a time, or -1. */
  readonly indexAt: (timeMs: number) => number
}

const firstCapacity = 2_048

export function barStore(): BarStore {
  const bars = createBarColumns(firstCapacity)

  function reset(rows: readonly CandleRow[]): void {
    bars.length = 0
    makeRoom(bars, rows.length)
    fill(bars, rows)
    bars.length = rows.length
  }

  function append(row: CandleRow): void {
    makeRoom(bars, bars.length + 1)
    write(bars, bars.length, row)
    bars.length += 1
  }

  function mergeOne(row: CandleRow): StoreChange {
    const last = bars.length - 1
    if (isAt(last, row)) return write(bars, last, row) ? 'last' : 'none'
    const at = indexOfStamp(bars, row[0])
    if (at === last) {
      append(row)
      return 'append'
    }
    if (!isAt(at, row)) insert(at + 1, 1)
    write(bars, isAt(at, row) ? at : at + 1, row)
    return 'all'
  }

  const isAt = (index: number, row: CandleRow) => index >= 0 && bars.timeMs[index] === row[0]

  function insert(at: number, count: number): void {
    makeRoom(bars, bars.length + count)
    for (const name of columnNames) bars[name].copyWithin(at + count, at, bars.length)
    bars.length += count
  }

  return {
    bars,
    reset,
    replace: (span, rows) => replaceIn(bars, span, rows),
    merge(rows) {
      let change: StoreChange = 'none'
      for (const row of rows) change = larger(change, mergeOne(row))
      return change
    },
    prepend(rows) {
      const firstMs = bars.length === 0 ? Number.POSITIVE_INFINITY : (bars.timeMs[0] as number)
      const older = rows.filter(([timeMs]) => timeMs < firstMs)
      insert(0, older.length)
      older.forEach((row, index) => write(bars, index, row))
      return older.length
    },
    indexAt: (timeMs) => indexOfStamp(bars, timeMs),
  }
}

/** The market's own candles as the displayed bars. */
export function plainBars(store: BarStore): ShownBars {
  let closed = 0
  return {
    bars: store.bars,
    full: () => void (closed = Math.max(0, store.bars.length - 1)),
    advance() {
      const from = closed
      closed = Math.max(0, store.bars.length - 1)
      return from
    },
    indexAt: store.indexAt,
  }
}

/** Sum of the known volumes of several bars. */
export function volumeOf({ volume }: BarColumns, from: number, to: number): number {
  let sum = Number.NaN
  for (let index = from; index < to; index += 1) {
    const value = volume[index] as number
    if (!Number.isNaN(value)) sum = Number.isNaN(sum) ? value : sum + value
  }
  return sum
}

const columnNames = ['timeMs', 'open', 'high', 'low', 'close', 'volume', 'takerBuyVolume'] as const

const sizes: readonly StoreChange[] = ['none', 'last', 'append', 'all']

function larger(one: StoreChange, other: StoreChange): StoreChange {
  return sizes.indexOf(one) > sizes.indexOf(other) ? one : other
}

/** Doubles the capacity of full columns. */
export function makeRoom(bars: BarColumns, length: number): void {
  if (bars.timeMs.length >= length) return
  const capacity = Math.max(length, bars.timeMs.length * 2)
  for (const name of columnNames) {
    const longer = new Float64Array(capacity).fill(Number.NaN, bars.length)
    longer.set(bars[name].subarray(0, bars.length))
    bars[name] = longer
  }
}

/** Returns whether any bar differs. */
function replaceIn(bars: BarColumns, { fromMs, toMs }: TimeSpan, rows: readonly CandleRow[]): boolean {
  const firstAt = (timeMs: number) => binarySearch(bars.length, (at) => (bars.timeMs[at] as number) >= timeMs)
  const [from, to] = [firstAt(fromMs), firstAt(toMs)]
  const added = rows.length - (to - from)
  makeRoom(bars, bars.length + added)
  for (const name of columnNames) bars[name].copyWithin(to + added, to, bars.length)
  bars.length += added
  let isOther = added !== 0
  rows.forEach((row, index) => (isOther = write(bars, from + index, row) || isOther))
  return isOther
}

/** Writes many rows, starting at index 0. */
function fill({ timeMs, open, high, low, close, volume, takerBuyVolume }: BarColumns, rows: readonly CandleRow[]): void {
  rows.forEach((row, index) => {
    timeMs[index] = row[0]
    open[index] = row[1]
    high[index] = row[2]
    low[index] = row[3]
    close[index] = row[4]
    volume[index] = row[5] ?? Number.NaN
    takerBuyVolume[index] = row[6] ?? Number.NaN
  })
}

/** Writes a row; returns false if nothing changed. */
function write(bars: BarColumns, index: number, row: CandleRow): boolean {
  let isNew = false
  for (let at = 0; at < columnNames.length; at += 1) {
    const column = bars[columnNames[at] as (typeof columnNames)[number]]
    const value = row[at] ?? Number.NaN
    isNew ||= !Object.is(column[index], value)
    column[index] = value
  }
  return isNew
}

function indexOfStamp({ timeMs, length }: BarColumns, stampMs: number): number {
  return binarySearch(length, (at) => (timeMs[at] as number) > stampMs) - 1
}
