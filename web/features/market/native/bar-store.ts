// All candles of one chart as columns: the source of truth, of which the drawing library only ever holds a window.
import { createBarColumns, type BarColumns } from '#shared/market/indicators/columns.ts'
import type { CandleRow } from '#shared/market/live.ts'
import { firstIndex } from '#shared/base/first-index.ts'

/** What a merge did: nothing, changed the last bar, added bars behind it, or touched older ones. */
export type StoreChange = 'none' | 'last' | 'append' | 'all'

export interface BarStore {
  readonly bars: BarColumns
  /** All bars anew. */
  reset(rows: readonly CandleRow[]): void
  /** New or changed bars, ascending. */
  merge(rows: readonly CandleRow[]): StoreChange
  /** Older bars, ascending; those that do not lie before the first bar are left out. Returns how many came. */
  prepend(rows: readonly CandleRow[]): number
  /** Index of the last bar that does not begin after a moment, or -1. */
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
    const at = indexOfStamp(bars, row[0])
    if (at === last && isAt(at, row)) return write(bars, at, row) ? 'last' : 'none'
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

const columnNames = ['timeMs', 'open', 'high', 'low', 'close', 'volume', 'takerBuyVolume'] as const

const sizes: readonly StoreChange[] = ['none', 'last', 'append', 'all']

function larger(one: StoreChange, other: StoreChange): StoreChange {
  return sizes.indexOf(one) > sizes.indexOf(other) ? one : other
}

/** Doubles the columns where they are full. */
export function makeRoom(bars: BarColumns, length: number): void {
  if (bars.timeMs.length >= length) return
  const capacity = Math.max(length, bars.timeMs.length * 2)
  for (const name of columnNames) {
    const longer = new Float64Array(capacity).fill(Number.NaN, bars.length)
    longer.set(bars[name].subarray(0, bars.length))
    bars[name] = longer
  }
}

/** Writes many rows from the first one on. */
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

/** Writes a row; false where it says nothing new. */
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
  return firstIndex(length, (at) => (timeMs[at] as number) > stampMs) - 1
}
