// Candles from the operator's files: a folder with `<series>.<step>.csv`, such as nifty.1m.csv. History only.
import { createReadStream } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { findCandleIssue, type CandleIssue } from '#shared/candles/candle-issue.ts'
import type { Candle } from '#shared/candles/candle.ts'
import {
  commonSteps,
  FeedError,
  stepMs,
  type Feed,
  type FeedClock,
  type FeedSink,
  type HistoryStep,
  commonStepOf,
  type CommonStep,
} from '../feed.ts'

const columns = ['time', 'open', 'high', 'low', 'close', 'volume'] as const

type Column = (typeof columns)[number]

/** Integers from here on are milliseconds; as seconds they would be after the year 5000. */
const millisecondsFrom = 100_000_000_000
/** Hourly bars of Indian exchanges start at a quarter past. */
const alignmentMs: Readonly<Record<CommonStep, number>> = { '1m': minuteMs, '1h': 15 * minuteMs, '1D': dayMs }

interface RejectedLine {
  readonly line: number
  /** In plain words, such as "low is above open or close". */
  readonly reason: string
  /** NaN if it cannot be read. */
  readonly timeMs: number
  readonly issue: CandleIssue
}

interface CsvCandles {
  /** Ascending. */
  readonly candles: readonly Candle[]
  /** Lines that cannot be candles: the first ones of `rejectedCount`. */
  readonly rejected: readonly RejectedLine[]
  readonly rejectedCount: number
}

interface CsvFile {
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
  let columnIndexes: ReadonlyMap<Column, number> | undefined
  let line = 0
  for await (const raw of lines) {
    line += 1
    const text = line === 1 ? raw.replace(/^\uFEFF/, '') : raw
    const reject = (reason: string): never => {
      throw new FeedError('malformed', `${file.name}, line ${line}: ${reason}`)
    }
    if (text.trim() === '') continue
    const cells = text.split(',').map((cell) => cell.trim())
    if (columnIndexes === undefined) {
      columnIndexes = readHeader(cells, reject)
      continue
    }
    try {
      if (cells.length !== columnIndexes.size)
        throw new LineError(`${cells.length} columns instead of ${columnIndexes.size}`, 'not-a-number')
      const candle = readRow(cells, columnIndexes, file)
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
  if (columnIndexes === undefined) throw new FeedError('malformed', `${file.name} is empty; its first line must be ${columns.join(',')}`)
  const [first] = rejected
  if (candles.length === 0 && first !== undefined) throw new FeedError('malformed', `${file.name}, line ${first.line}: ${first.reason}`)
  return { candles: candles.toSorted((one, other) => one.timeMs - other.timeMs), rejected, rejectedCount }
}

type Reject = (reason: string) => never

function readHeader(cells: readonly string[], reject: Reject): ReadonlyMap<Column, number> {
  const columnIndexes = new Map<Column, number>()
  for (const [index, cell] of cells.entries()) {
    const column = columns.find((known) => known === cell.toLowerCase())
    if (column === undefined) return reject(`unknown column "${cell.slice(0, 40)}"; known are ${columns.join(', ')}`)
    if (columnIndexes.has(column)) return reject(`the column ${column} twice`)
    columnIndexes.set(column, index)
  }
  const missing = columns.find((column) => column !== 'volume' && !columnIndexes.has(column))
  return missing === undefined ? columnIndexes : reject(`the column ${missing} is missing`)
}

/** @throws LineError */
function readRow(cells: readonly string[], columnIndexes: ReadonlyMap<Column, number>, { step, nowMs }: CsvFile): Candle {
  const cellOf = (column: Column): string => cells[columnIndexes.get(column) ?? -1] ?? ''
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

export interface CsvOptions {
  /** Folder of the files; see `readCsvCandles` for the format. */
  readonly dir: string
  readonly clock: FeedClock
}

interface CachedFile {
  /** Changes when the file does. */
  readonly version: string
  readonly content: Promise<CsvCandles>
}

/** A file is read whole, so only a few are cached; a chart requests the same one repeatedly. */
const cachedFilesMax = 6

/** The feed of a folder. Files are read on demand and again after they change; a missing file has no candles. */
export function csvFeed({ dir, clock }: CsvOptions): Feed {
  const files = new Map<string, CachedFile>()

  async function contentOf(symbol: string, step: HistoryStep): Promise<CsvCandles> {
    const name = fileName(symbol, step)
    const file = path.join(dir, name)
    const version = await versionOf(file)
    if (version === undefined) return { candles: [], rejected: [], rejectedCount: 0 }
    const known = files.get(name)
    files.delete(name)
    const read =
      known?.version === version ? known : { version, content: readCsvCandles(linesOf(file), { name, step, nowMs: clock.now() }) }
    files.set(name, read)
    for (const oldest of files.keys()) if (files.size > cachedFilesMax) files.delete(oldest)
    return read.content
  }

  return {
    source: 'csv',
    steps: commonSteps,
    live: 'none',
    async history({ symbol, step, fromMs, toMs, signal, onRejected }) {
      const { candles, rejected } = await contentOf(symbol, step)
      signal?.throwIfAborted()
      const overMs = clock.now() - stepMs[step]
      const known = new Set(candles.map(({ timeMs }) => timeMs))
      const missing = rejected
        .filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs && timeMs <= overMs && !known.has(timeMs))
        .toSorted((one, other) => one.timeMs - other.timeMs)
        .map(({ timeMs, issue, reason }) => ({
          span: { fromMs: timeMs, toMs: timeMs + stepMs[step] },
          issue,
          answer: `${timeMs} ${reason}`,
        }))
      if (missing.length > 0) onRejected?.(missing)
      return candles.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs && timeMs <= overMs)
    },
    watch: (symbol, sink) => emitState(dir, symbol, sink),
    close: () => Promise.resolve(),
  }
}

/** Emits once whether any file of a symbol exists; files have no updates. */
function emitState(dir: string, symbol: string, sink: FeedSink): () => void {
  let isOver = false
  const found = commonSteps.map((step) => access(path.join(dir, fileName(symbol, step))))
  Promise.any(found).then(
    () => {
      if (!isOver) sink.state({ kind: 'live' })
    },
    () => {
      if (!isOver) sink.state({ kind: 'refused', reason: `no file such as ${fileName(symbol, '1m')} in the folder of imported files` })
    },
  )
  return () => {
    isOver = true
  }
}

function fileName(symbol: string, step: HistoryStep): string {
  // Symbols are series keys; this check prevents path traversal.
  if (!/^[a-z0-9-]+$/.test(symbol)) throw new FeedError('refused', 'a symbol of imported files is the key of a series')
  return `${symbol}.${step}.csv`
}

/** Undefined if there is no such file. */
async function versionOf(file: string): Promise<string | undefined> {
  try {
    const { size, mtimeMs } = await stat(file)
    return `${size} ${mtimeMs}`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new FeedError('unreachable', `${path.basename(file)} cannot be read`, { cause: error })
  }
}

/** Lines of a file; unlike with readline, a read error rejects here. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest
}
