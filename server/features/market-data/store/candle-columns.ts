// Candles of one key as columns of numbers: 56 bytes each, ascending, unique timestamps.
import { binarySearch } from '#shared/base/binary-search.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { correctsNothing } from '#shared/candles/candle-issue.ts'

const width = 7

export type CandleColumns = ReturnType<typeof candleColumns>

/** Creates an empty set of columns. Null volumes are stored as NaN, which no candle has. */
export function candleColumns() {
  // One array with a row per candle: rows are read whole, and a single array grows in one move.
  let cells = new Float64Array(width * 256)
  let count = 0

  /** Timestamp at an index; NaN out of bounds. */
  const stampAt = (index: number): number => (index < 0 || index >= count ? Number.NaN : (cells[index * width] ?? Number.NaN))

  /** Index of the first timestamp at or after the instant. */
  const indexOf = (ms: number): number => binarySearch(count, (index) => stampAt(index) >= ms)

  function makeRoom(rows: number): void {
    if (rows * width <= cells.length) return
    const larger = new Float64Array(Math.max(rows, Math.ceil((cells.length / width) * 1.5)) * width)
    larger.set(cells.subarray(0, count * width))
    cells = larger
  }

  function write(index: number, { timeMs, open, high, low, close, volume, takerBuyVolume }: Candle): void {
    cells.set([timeMs, open, high, low, close, volume ?? Number.NaN, takerBuyVolume ?? Number.NaN], index * width)
  }

  return {
    count: (): number => count,
    stampAt,
    indexOf,
    /** The candles from one index up to another (exclusive). */
    slice(fromIndex: number, toIndex: number): Candle[] {
      const candles: Candle[] = []
      for (let index = Math.max(0, fromIndex); index < Math.min(count, toIndex); index += 1) candles.push(toCandle(cells, index * width))
      return candles
    },
    /** Merges ascending candles over those with the same timestamps; returns the first and last timestamp that changed. */
    merge(candles: readonly Candle[]): { readonly fromMs: number; readonly toMs: number } | undefined {
      const [first] = candles
      if (first === undefined) return undefined
      const start = indexOf(first.timeMs)
      const tail = cells.slice(start * width, count * width)
      makeRoom(count + candles.length)
      let fromMs = Infinity
      let toMs = -Infinity
      let at = 0
      count = start
      const keepBefore = (ms: number): void => {
        const from = at
        while (at < tail.length && (tail[at] ?? 0) < ms) at += width
        cells.set(tail.subarray(from, at), count * width)
        count += (at - from) / width
      }
      for (const candle of candles) {
        keepBefore(candle.timeMs)
        const known = tail[at] === candle.timeMs ? toCandle(tail, at) : undefined
        const isNews = known === undefined || !correctsNothing(candle, known)
        if (isNews) {
          fromMs = Math.min(fromMs, candle.timeMs)
          toMs = Math.max(toMs, candle.timeMs)
        }
        if (known !== undefined) at += width
        write(count, isNews ? candle : known)
        count += 1
      }
      keepBefore(Infinity)
      return fromMs === Infinity ? undefined : { fromMs, toMs }
    },
    dropOldest(dropped: number): void {
      cells.copyWithin(0, dropped * width, count * width)
      count -= Math.min(count, dropped)
    },
  }
}

function toCandle(cells: Float64Array, at: number): Candle {
  const volume = cells[at + 5] ?? Number.NaN
  const takerBuyVolume = cells[at + 6] ?? Number.NaN
  return {
    timeMs: cells[at] ?? 0,
    open: cells[at + 1] ?? 0,
    high: cells[at + 2] ?? 0,
    low: cells[at + 3] ?? 0,
    close: cells[at + 4] ?? 0,
    volume: Number.isNaN(volume) ? null : volume,
    takerBuyVolume: Number.isNaN(takerBuyVolume) ? null : takerBuyVolume,
  }
}
