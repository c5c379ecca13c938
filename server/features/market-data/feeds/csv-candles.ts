// Reads candles from CSV row by row and reports invalid lines by number.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { commonStepOf, FeedError, type CommonStep, type HistoryStep } from '../feed.ts'

const columns = ['time', 'open', 'high', 'low', 'close', 'volume'] as const

type Column = (typeof columns)[number]

/** Integers from here on are milliseconds; as seconds they would be after the year 5000. */
const millisecondsFrom = 100_000_000_000
/** Hourly bars of Indian exchanges start at a quarter past. */
const alignmentMs: Readonly<Record<CommonStep, number>> = { '1m': minuteMs, '1h': 15 * minuteMs, '1D': dayMs }

/**
 * Parses CSV lines: a header with `time,open,high,low,close` in any order and optionally `volume`, then a row per
 * candle, in any order, with unique timestamps. A time is epoch seconds or milliseconds, an ISO instant with its zone,
 * or a date for days. An empty volume is unknown. Ascending.
 * @throws FeedError `malformed` with the file and the line
 */
export async function readCsvCandles(lines: AsyncIterable<string>, file: string, step: HistoryStep): Promise<Candle[]> {
  const candles: Candle[] = []
  const lineByStamp = new Map<number, number>()
  let places: ReadonlyMap<Column, number> | undefined
  let line = 0
  for await (const raw of lines) {
    line += 1
    const text = line === 1 ? raw.replace(/^\uFEFF/, '') : raw
    const reject = (reason: string): never => {
      throw new FeedError('malformed', `${file}, line ${line}: ${reason}`)
    }
    if (text.trim() === '') continue
    const cells = text.split(',').map((cell) => cell.trim())
    if (places === undefined) {
      places = readHeader(cells, reject)
      continue
    }
    if (cells.length !== places.size) reject(`${cells.length} columns instead of ${places.size}`)
    const candle = readRow(cells, places, { step, reject })
    const before = lineByStamp.get(candle.timeMs)
    if (before !== undefined) reject(`the time of line ${before} again`)
    lineByStamp.set(candle.timeMs, line)
    candles.push(candle)
  }
  if (places === undefined) throw new FeedError('malformed', `${file} is empty; its first line must be ${columns.join(',')}`)
  return candles.toSorted((one, other) => one.timeMs - other.timeMs)
}

type Reject = (reason: string) => never

function readHeader(cells: readonly string[], reject: Reject): ReadonlyMap<Column, number> {
  const places = new Map<Column, number>()
  for (const [index, cell] of cells.entries()) {
    const column = columns.find((known) => known === cell.toLowerCase())
    if (column === undefined) return reject(`unknown column "${cell.slice(0, 40)}"; known are ${columns.join(', ')}`)
    if (places.has(column)) return reject(`the column ${column} twice`)
    places.set(column, index)
  }
  const missing = columns.find((column) => column !== 'volume' && !places.has(column))
  return missing === undefined ? places : reject(`the column ${missing} is missing`)
}

function readRow(
  cells: readonly string[],
  places: ReadonlyMap<Column, number>,
  { step, reject }: { readonly step: HistoryStep; readonly reject: Reject },
): Candle {
  const cellOf = (column: Column): string => cells[places.get(column) ?? -1] ?? ''
  const numberOf = (column: Column): number => {
    const cell = cellOf(column)
    const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(cell) ? Number(cell) : Number.NaN
    return Number.isFinite(value) ? value : reject(`${column} "${cell.slice(0, 40)}" is no number`)
  }
  const timeMs = readTime(cellOf('time'), step)
  if (timeMs === undefined) return reject(`time "${cellOf('time').slice(0, 40)}" is neither epoch nor ISO with its zone`)
  if (timeMs % alignmentMs[commonStepOf(step)] !== 0) return reject(`time "${cellOf('time')}" is not the start of a candle of ${step}`)
  const [open, high, low, close] = [numberOf('open'), numberOf('high'), numberOf('low'), numberOf('close')]
  const volume = cellOf('volume') === '' ? null : numberOf('volume')
  if (low <= 0) return reject('a price that is not above zero')
  if (low > Math.min(open, close)) return reject('low is above open or close')
  if (high < Math.max(open, close)) return reject('high is below open or close')
  if (volume !== null && volume < 0) return reject('volume is below zero')
  return { timeMs, open, high, low, close, volume, takerBuyVolume: null }
}

/** Epoch milliseconds, or undefined for an invalid time. */
function readTime(cell: string, step: HistoryStep): number | undefined {
  if (/^\d{1,16}$/.test(cell)) return Number(cell) >= millisecondsFrom ? Number(cell) : Number(cell) * 1_000
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(cell)
  const isInstant = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})$/.test(cell)
  if (!(isInstant || (isDate && step === '1D'))) return undefined
  const ms = Date.parse(cell.replace(' ', 'T'))
  // Date would silently turn a day such as 31 February into another one.
  const isRealDay = new Date(`${cell.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(cell.slice(8, 10))
  return Number.isNaN(ms) || !isRealDay ? undefined : ms
}
