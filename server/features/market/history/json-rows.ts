// Candles as the bytes of JSON rows, written once and cut as often as pages need.
import type { Candle } from '#shared/market/candles/candle.ts'

export interface JsonRows {
  /** The rows from one index up to, but without, another, each with a comma behind it. A view that must not be written to. */
  cut(fromIndex: number, toIndex: number): Buffer
}

/** Rows `[timeMs,open,high,low,close,volume|null,takerBuyVolume|null]`. */
export function jsonRows(candles: readonly Candle[]): JsonRows {
  const starts = new Uint32Array(candles.length + 1)
  const rows: string[] = []
  let length = 0
  for (const [index, candle] of candles.entries()) {
    const row = rowOf(candle)
    starts[index] = length
    rows.push(row)
    length += row.length + 1
  }
  starts[candles.length] = length
  // Numbers are plain letters, so a place in the text is one in the bytes.
  const bytes = Buffer.from(rows.map((row) => `${row},`).join(''), 'latin1')
  return {
    cut: (fromIndex, toIndex) => bytes.subarray(starts[fromIndex], starts[Math.max(fromIndex, toIndex)]),
  }
}

function rowOf({ timeMs, open, high, low, close, volume, takerBuyVolume }: Candle): string {
  return JSON.stringify([timeMs, open, high, low, close, volume, takerBuyVolume])
}
