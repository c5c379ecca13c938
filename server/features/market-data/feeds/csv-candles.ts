// Reads candles from CSV line by line and reports invalid lines by number.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { findCandleIssue, type CandleIssue } from '#shared/candles/candle-issue.ts'
import { commonStepOf, FeedError, type CommonStep, type HistoryStep } from '../feed.ts'

const columns = ['time', 'open', 'high', 'low', 'close', 'volume'] as const

type Column = (typeof columns)[number]

/** Integers from here on are milliseconds; as seconds they would be after the year 5000. */
const millisecondsFrom = 100_000_000_000
/** Hourly bars of Indian exchanges start at a quarter past. */
const alignmentMs: Readonly<Record<CommonStep, number>> = { '1m': minuteMs, '1h': 15 * minuteMs, '1D': dayMs }

export interface RejectedLine {
  readonly line: number
  /** In plain words, such as "low is above open or close". */
  readonly reason: string
  /** NaN if it cannot be read. */
  readonly timeMs: number
  readonly issue: CandleIssue
}

export interface CsvCandles {
  /** Ascending. */
  readonly candles: readonly Candle[]
  /** Lines that cannot be candles: the first ones of `rejectedCount`. */
  readonly rejected: readonly RejectedLine[]
  readonly rejectedCount: number
}

export interface CsvFile {
  readonly name: string
  readonly step: HistoryStep
  /** Epoch milliseconds: later candles are rejected. */
  readonly nowMs: number
}

/** Named lines of a file. */
const rejectedMax = 1_000

/** Why a line cannot be a candle. */
class LineError extends Error {
  readonly issue: CandleIssue
  readonly timeMs: number

  constructor(message: string, issue: CandleIssue, timeMs = Number.NaN) {
    super(message)
    this.issue = issue
    this.timeMs = timeMs
  }
}

/**
 * Parses CSV lines: a header with `time,open,high,low,close` in any order and optionally `volume`, then a row per
 * candle, in any order, with unique timestamps. A time is epoch seconds or milliseconds, an ISO instant with its zone,
 * or a date for days. An empty volume is unknown. A line that cannot be a candle costs no other one.
 * @throws FeedError `malformed` for a header that cannot be read, and for a file in which no line can
 */
export async function readCsvCandles(lines: AsyncIterable<string>, file: CsvFile): Promise<CsvCandles> {
  const candles: Candle[] = []
  const rejected: RejectedLine[] = []
  let rejectedCount = 0
  const lineByStamp = new Map<number, number>()
  let places: ReadonlyMap<Column, number> | undefined
  let line = 0
  for await (const raw of lines) {
    line += 1
    const text = line === 1 ? raw.replace(/^\uFEFF/, '') : raw
    const reject = (reason: string): never => {
      throw new FeedError('malformed', `${file.name}, line ${line}: ${reason}`)
    }
    if (text.trim() === '') continue
    const cells = text.split(',').map((cell) => cell.trim())
    if (places === undefined) {
      places = readHeader(cells, reject)
      continue
    }
    try {
      if (cells.length !== places.size) throw new LineError(`${cells.length} columns instead of ${places.size}`, 'not-a-number')
      const candle = readRow(cells, places, file)
      const before = lineByStamp.get(candle.timeMs)
      if (before !== undefined) throw new LineError(`the time of line ${before} again`, 'odd-stamp', candle.timeMs)
      lineByStamp.set(candle.timeMs, line)
      candles.push(candle)
    } catch (error) {
      if (!(error instanceof LineError)) throw error
      rejectedCount += 1
      const { message: reason, timeMs, issue } = error
      if (rejected.length < rejectedMax) rejected.push({ line, reason, timeMs, issue })
    }
  }
  if (places === undefined) throw new FeedError('malformed', `${file.name} is empty; its first line must be ${columns.join(',')}`)
  const [first] = rejected
  if (candles.length === 0 && first !== undefined) throw new FeedError('malformed', `${file.name}, line ${first.line}: ${first.reason}`)
  return { candles: candles.toSorted((one, other) => one.timeMs - other.timeMs), rejected, rejectedCount }
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

/** @throws LineError */
function readRow(cells: readonly string[], places: ReadonlyMap<Column, number>, { step, nowMs }: CsvFile): Candle {
  const cellOf = (column: Column): string => cells[places.get(column) ?? -1] ?? ''
  const numberOf = (column: Column): number => {
    const cell = cellOf(column)
    const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(cell) ? Number(cell) : Number.NaN
    if (!Number.isFinite(value)) throw new LineError(`${column} "${cell.slice(0, 40)}" is no number`, 'not-a-number', timeMs)
    return value
  }
  const timeMs = readTime(cellOf('time'), step)
  if (timeMs === undefined)
    throw new LineError(`time "${cellOf('time').slice(0, 40)}" is neither epoch nor ISO with its zone`, 'not-a-number')
  const [open, high, low, close] = [numberOf('open'), numberOf('high'), numberOf('low'), numberOf('close')]
  const volume = cellOf('volume') === '' ? null : numberOf('volume')
  const candle = { timeMs, open, high, low, close, volume, takerBuyVolume: null }
  const issue = findCandleIssue(candle, nowMs, alignmentMs[commonStepOf(step)])
  if (issue !== null) throw new LineError(reasonOf(issue, candle, `time "${cellOf('time')}"`), issue, timeMs)
  return candle
}

function reasonOf(issue: CandleIssue, { low, open, close }: Candle, time: string): string {
  if (issue === 'odd-stamp') return `${time} is not the start of a candle`
  if (issue === 'in-the-future') return `${time} is in the future`
  if (issue === 'not-positive') return 'a price that is not above zero'
  if (issue === 'negative-volume') return 'volume is below zero'
  return low > Math.min(open, close) ? 'low is above open or close' : 'high is below open or close'
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
