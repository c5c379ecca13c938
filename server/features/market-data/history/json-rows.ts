// Candles as JSON row bytes, serialized once and sliced per page.
import { hash } from 'node:crypto'
import type { Candle } from '#shared/candles/candle.ts'

export interface JsonRows {
  /** The rows from one index up to another (exclusive), each followed by a comma. A view that must not be modified. */
  cut(fromIndex: number, toIndex: number): Buffer
  /** Of all rows, built on first use. */
  digest(): string
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
  // Numbers are ASCII, so text offsets are byte offsets.
  const bytes = Buffer.from(rows.map((row) => `${row},`).join(''), 'latin1')
  let digest: string | undefined
  return {
    digest: () => (digest ??= hash('sha256', bytes)),
    cut: (fromIndex, toIndex) => bytes.subarray(starts[fromIndex], starts[Math.max(fromIndex, toIndex)]),
  }
}

function rowOf({ timeMs, open, high, low, close, volume, takerBuyVolume }: Candle): string {
  return JSON.stringify([timeMs, open, high, low, close, volume, takerBuyVolume])
}
