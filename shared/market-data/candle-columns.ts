// Candles of a snapshot as columns of small whole numbers: a quarter of the bytes of rows, and exactly the same values.
import type { CandleRow } from './candle-row.ts'

export interface CandleColumns {
  /** Decimals of the prices. */
  readonly d: number
  /** Unit of the timestamps, in milliseconds. */
  readonly u: number
  /** Timestamps: distance to the candle before, and for how many candles, in turns. */
  readonly t: readonly number[]
  /** Open: distance to the close before, in the last decimal. */
  readonly o: readonly number[]
  /** High: distance to the greater one of open and close. */
  readonly h: readonly number[]
  /** Low: distance to the smaller one of open and close. */
  readonly l: readonly number[]
  /** Close: distance to the open. */
  readonly c: readonly number[]
  /** Volume, and taker buy volume; null if no candle has one. */
  readonly v: readonly (number | null)[] | null
  readonly b: readonly (number | null)[] | null
}

const decimalsMax = 8
const minuteMs = 60_000

/** The columns of ascending candles; undefined where a price has too many decimals to be exact. */
export function columnsOf(rows: readonly CandleRow[]): CandleColumns | undefined {
  const d = decimalsOf(rows)
  if (d === undefined) return undefined
  const scale = 10 ** d
  const u = rows.every(([timeMs]) => timeMs % minuteMs === 0) ? minuteMs : 1
  const columns = { d, u, t: [] as number[], o: [] as number[], h: [] as number[], l: [] as number[], c: [] as number[] }
  let [time, close] = [0, 0]
  for (const row of rows) {
    const [open, high, low, last] = [row[1], row[2], row[3], row[4]].map((price) => Math.round(price * scale)) as [
      number,
      number,
      number,
      number,
    ]
    addRun(columns.t, row[0] / u - time)
    columns.o.push(open - close)
    columns.h.push(high - Math.max(open, last))
    columns.l.push(Math.min(open, last) - low)
    columns.c.push(last - open)
    time = row[0] / u
    close = last
  }
  return { ...columns, v: volumeColumn(rows, 5), b: volumeColumn(rows, 6) }
}

/** The candles of these columns. */
export function rowsOf({ d, u, t, o, h, l, c, v, b }: CandleColumns): CandleRow[] {
  const scale = 10 ** d
  const rows: CandleRow[] = []
  let [time, close] = [0, 0]
  for (let run = 0; run < t.length; run += 2) {
    for (let left = t[run + 1] ?? 0; left > 0; left -= 1) {
      const at = rows.length
      time += t[run] ?? 0
      const open = close + (o[at] ?? 0)
      close = open + (c[at] ?? 0)
      const high = Math.max(open, close) + (h[at] ?? 0)
      const low = Math.min(open, close) - (l[at] ?? 0)
      rows.push([time * u, open / scale, high / scale, low / scale, close / scale, v?.[at] ?? null, b?.[at] ?? null])
    }
  }
  return rows
}

/** The least number of decimals with which all prices are exact. */
function decimalsOf(rows: readonly CandleRow[]): number | undefined {
  const prices = rows.flatMap(([, open, high, low, close]) => [open, high, low, close])
  let d = 0
  for (const price of prices) while (d <= decimalsMax && !isExact(price, d)) d += 1
  return d <= decimalsMax && prices.every((price) => isExact(price, d)) ? d : undefined
}

function isExact(price: number, decimals: number): boolean {
  const whole = Math.round(price * 10 ** decimals)
  return Number.isSafeInteger(whole) && whole / 10 ** decimals === price
}

function addRun(runs: number[], distance: number): void {
  const last = runs.length - 2
  if (runs[last] === distance) runs[last + 1] = (runs[last + 1] ?? 0) + 1
  else runs.push(distance, 1)
}

function volumeColumn(rows: readonly CandleRow[], field: 5 | 6): (number | null)[] | null {
  return rows.some((row) => row[field] !== null) ? rows.map((row) => row[field]) : null
}

/** Maximum number of candles in a response. */
export const candlesMax = 5_000
