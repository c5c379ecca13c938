// Candles of any timeframe up to any instant: from the store through cache and resampler, or generated for the demo.
import { hash } from 'node:crypto'
import { workTurns, adjustedReader, demoReader, storeReader, type CandleReader } from './candle-reader.ts'
import { adjusterOf } from '#shared/candles/price-adjuster.ts'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { addSpan, type TimeSpan } from '#shared/base/time-span.ts'
import { binarySearch } from '#shared/base/binary-search.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { coveredSince, hasTrading } from '#shared/trading-hours/trading-gaps.ts'
import { stepMinutesOf, type Timeframe } from '#shared/candles/timeframe.ts'
import { historySteps, type Feed, type HistoryStep, type SourceName } from '../feed.ts'
import { candleEdge, coveredTime, stampLeadMs, usableSteps } from '../coverage.ts'
import type { MemoryCandles } from '../store/candle-cache.ts'
import { chunkCache, type CachedChunk, type ChunkCache } from './chunk-cache.ts'
import { buildChunk, chunkAt } from './build-chunk.ts'
import { backfillRequester } from './backfill-requester.ts'

export interface HistoryOptions {
  /** The instance that this process's hub appends to. */
  readonly store: MemoryCandles
  /** Called with the series key as symbol; its candles are never stored. */
  readonly demo: Feed
  /** Licence delay in milliseconds; 0 for live. */
  readonly delayMsOf: (series: string, source: SourceName) => number
  /** Requests a backfill of older candles of a timeframe; resolves to whether there may be more now. */
  readonly extend: (series: string, timeframe: Timeframe, beforeMs: number) => Promise<boolean>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Monotonic milliseconds. */
  readonly monotonic: () => number
  /** Cached candles to keep; see `chunkCache`. */
  readonly chunkCandlesMax?: number
}

export interface CandleQuery {
  readonly series: string
  readonly source: SourceName
  /** Hours of the shown instrument, as in `MarketSources`. */
  readonly sessionClass: SessionClass
  readonly timeframe: Timeframe
  /** Unadjusted if undefined; generated prices are never adjusted. */
  readonly adjustment?: Adjustment
  /** End of the requested timestamps, exclusive, epoch milliseconds. */
  readonly toMs: number
  /** 1 to 5,000. */
  readonly limit: number
  /** Only minutes closed by then are used, epoch milliseconds; all known ones if undefined. */
  readonly asOfMs?: number
}

interface PageEnds {
  /** Whether requesting candles before the first one makes sense. */
  readonly hasOlder: boolean
  /** Timestamp of the very first existing candle if the page starts with it; else null. */
  readonly startsAtMs: number | null
}

/** A page of closed candles that starts and ends at fixed times, so that a browser may keep it. */
interface FixedPage {
  /** Rows in consecutive pieces. */
  readonly pieces: readonly Buffer[]
  /** Changes with the candles; undefined unless all of them are closed and the page ends at a fixed time. */
  readonly edition: string | undefined
  /** The page before it, if that has an edition. */
  readonly older: { readonly toMs: number; readonly edition: string } | undefined
}

export interface CandlePage extends PageEnds {
  readonly candles: Candle[]
  /** The candles include minutes up to here: `asOfMs`, or the end of known data. */
  readonly untilMs: number
  /** Start of gapless data before `untilMs`: a candle that started earlier is truncated. */
  readonly wholeSinceMs: number
}

/** The last minute of a candle takes a moment to be stored; a candle still incomplete after that is left out. */
const lateMs = 2 * minuteMs

/** For all histories: chunks are built one at a time, so that long pages do not block the event loop. */
const turn = workTurns()

interface CoveredStep {
  readonly step: HistoryStep
  readonly spans: readonly TimeSpan[]
}

/** Part of a chunk that belongs to a page. */
interface Piece {
  readonly built: CachedChunk
  /** Start of the chunk. */
  readonly fromMs: number
  readonly fromIndex: number
  readonly toIndex: number
  /** Whether all of it belongs to the page, and time alone does not change it. */
  readonly isFixed: boolean
}

interface Found {
  /** Newest first. */
  readonly pieces: readonly Piece[]
  readonly count: number
  /** Where older candles may be; undefined if none are known. */
  readonly belowMs: number | undefined
  readonly untilMs: number
  readonly wholeSinceMs: number
}

/**
 * The history of all series. Closed candles are built once per chunk and cached with their text; nothing newer than
 * `delayMs` goes into any candle, the forming one included.
 */
export class CandleHistory {
  readonly #options: HistoryOptions
  readonly #chunks: ChunkCache
  readonly #requestBackfill: ReturnType<typeof backfillRequester>

  constructor(options: HistoryOptions) {
    this.#options = options
    this.#chunks = chunkCache(options.monotonic, options.chunkCandlesMax)
    this.#requestBackfill = backfillRequester(options)
    options.store.onChange(({ key, fromMs, toMs }) => this.#chunks.drop(key.series, key.source, { fromMs, toMs }))
  }

  /**
   * The newest `limit` candles with timestamps before `toMs`, ascending, each whole; the forming candle is included if
   * `toMs` is after its timestamp, built from its closed minutes from its start.
   */
  async candles(query: CandleQuery): Promise<CandlePage> {
    const { pieces, count, belowMs: _, ...ends } = await this.#page(query)
    const all = pieces.toReversed().flatMap(({ built, fromIndex, toIndex }) => built.candles.slice(fromIndex, toIndex))
    return { candles: count > query.limit ? all.slice(1) : all, ...ends }
  }

  /** Rereads what other processes have stored of a series. */
  recheck(series: string, source: SourceName): Promise<void> {
    return this.#recheck(series, source, historySteps)
  }

  /** The same as JSON rows `[timeMs,o,h,l,c,volume|null,takerBuyVolume|null]` separated by commas, in consecutive pieces. */
  async rows(query: CandleQuery): Promise<PageEnds & { readonly pieces: readonly Buffer[] }> {
    const { pieces, count, hasOlder, startsAtMs } = await this.#page(query)
    const last = pieces.length - 1
    const texts = pieces.map(({ built, fromIndex, toIndex }, index) =>
      built.json().cut(fromIndex + (index === last && count > query.limit ? 1 : 0), toIndex),
    )
    return { ...withoutLastComma(texts), hasOlder, startsAtMs }
  }

  /** As `rows`, from a fixed time on: at least `limit` candles, if there are older ones. */
  async fixedRows(query: CandleQuery): Promise<PageEnds & FixedPage> {
    const found = await this.#collect(query, query.limit, true)
    const toMs = found.pieces.at(-1)?.fromMs
    // At the end of what is stored older candles may have to be requested.
    if (found.belowMs === undefined || toMs === undefined) return { ...(await this.rows(query)), edition: undefined, older: undefined }
    const before = await this.#collect({ ...query, toMs }, query.limit, true)
    const edition = before.belowMs === undefined ? undefined : editionOf(before.pieces)
    const pieces = found.pieces.map(({ built, fromIndex, toIndex }) => built.json().cut(fromIndex, toIndex))
    return {
      ...withoutLastComma(pieces),
      hasOlder: true,
      startsAtMs: null,
      edition: editionOf(found.pieces),
      older: edition === undefined ? undefined : { toMs, edition },
    }
  }

  /** Collects the newest `count` candles before `toMs`, walking back from chunk to chunk; all of the last one if `isFixed`. */
  async #collect(query: CandleQuery, count: number, isFixed = false): Promise<Found> {
    const { series, source, timeframe, sessionClass, adjustment = 'none' } = query
    const nowMs = source === 'demo' && this.#options.demo.now !== undefined ? this.#options.demo.now() : this.#options.now()
    const delayMs = this.#options.delayMsOf(series, source)
    const adjuster = source === 'demo' ? undefined : adjusterOf({ series, adjustment, sessionClass, nowMs })
    const reader = adjustedReader(
      source === 'demo' ? demoReader({ demo: this.#options.demo, nowMs, turn }, series) : storeReader(this.#options.store, series, source),
      adjuster,
    )
    // Stored candles are closed whatever this clock says; it only applies to delayed and generated ones.
    const allowedMs = delayMs > 0 || source === 'demo' ? nowMs - delayMs : Infinity
    const asOfMs = Math.min(allowedMs, query.asOfMs ?? Infinity)
    await Promise.all(usableSteps(timeframe, sessionClass).map((step) => reader.freshen(step)))
    const byStep = await coveredBySteps(reader, sessionClass, timeframe)
    const covered = joined(byStep.map(({ spans }) => spans))
    const knownMs = Math.min(asOfMs, covered.at(-1)?.toMs ?? -Infinity)
    const untilMs = query.asOfMs === undefined ? knownMs : asOfMs
    const isCut = hasTrading(sessionClass, { fromMs: Math.max(0, knownMs), toMs: untilMs })
    /** Whether a candle that may still grow is shown. */
    const isForming = (openEndMs: number): boolean => !isCut && Math.min(asOfMs, nowMs - delayMs) < openEndMs + lateMs
    const pieces: Piece[] = []
    let missing = count
    let atMs: number | undefined = Math.min(query.toMs, nowMs - delayMs + stampLeadMs)
    while (missing > 0 && atMs !== undefined) {
      const chunk = chunkAt(timeframe, atMs - 1)
      const edition = chunk.dataToMs > asOfMs ? Math.floor(asOfMs / minuteMs) : 0
      const name = { series, source, sessionClass, timeframe, adjustment: adjuster?.key ?? '', chunk, edition }
      const built = await this.#chunks.get(name, () => turn().then(() => buildChunk(chunk, { reader, sessionClass, timeframe, asOfMs })))
      const closed = built.openEndMs === null || isForming(built.openEndMs) ? built.candles.length : built.candles.length - 1
      const toIndex = Math.min(
        closed,
        binarySearch(built.candles.length, (index) => (built.candles[index]?.timeMs ?? Infinity) >= query.toMs),
      )
      const fromIndex = isFixed ? 0 : Math.max(0, toIndex - missing)
      const isWhole = fromIndex === 0 && toIndex === built.candles.length && edition === 0 && built.openEndMs === null
      if (toIndex > fromIndex) pieces.push({ built, fromMs: chunk.fromMs, fromIndex, toIndex, isFixed: isWhole })
      missing -= Math.max(0, toIndex - fromIndex)
      atMs = nextBelow(covered, chunk.fromMs, timeframe)
    }
    return {
      pieces,
      count: count - missing,
      belowMs: atMs,
      untilMs,
      wholeSinceMs: coveredSince(sessionClass, untilMs, wholeBefore(untilMs, byStep, sessionClass)),
    }
  }

  /** Another process may have stored more, without a notification. */
  async #recheck(series: string, source: SourceName, steps: readonly HistoryStep[]): Promise<void> {
    await Promise.all(steps.map((step) => this.#options.store.recheck({ series, source, step })))
    this.#chunks.drop(series, source, { fromMs: -Infinity, toMs: Infinity })
  }

  /** One extra candle shows whether there are older ones; at the end of the store one backfill is requested. */
  async #page(query: CandleQuery): Promise<Found & PageEnds> {
    const found = await this.#collect(query, query.limit + 1)
    if (found.count > query.limit) return { ...found, hasOlder: true, startsAtMs: null }
    const { series, source, timeframe, toMs } = query
    if (source === 'demo') return { ...found, hasOlder: false, startsAtMs: oldestOf(found) ?? null }
    // Delayed data is not older data: request what may be shown. Rounded to the minute, so that failed requests are recognized.
    const newestMs = Math.ceil((this.#options.now() - this.#options.delayMsOf(series, source)) / minuteMs) * minuteMs
    const beforeMs = oldestOf(found) ?? Math.min(toMs, newestMs)
    const answer = await this.#requestBackfill(series, timeframe, beforeMs)
    if (answer !== 'maybe')
      return { ...found, hasOlder: answer === 'later', startsAtMs: answer === 'none' ? (oldestOf(found) ?? null) : null }
    await this.#recheck(series, source, usableSteps(timeframe, query.sessionClass))
    const more = await this.#collect(query, query.limit + 1)
    return { ...more, hasOlder: true, startsAtMs: null }
  }
}

function oldestOf({ pieces }: Found): number | undefined {
  const piece = pieces.at(-1)
  return piece?.built.candles[piece.fromIndex]?.timeMs
}

/** Pieces of rows, newest first, as consecutive ones. Every row ends with a comma, except the last one of all. */
function withoutLastComma(texts: readonly Buffer[]): { pieces: Buffer[] } {
  const filled = texts.filter((text) => text.length > 0).toReversed()
  const newest = filled.pop()
  return { pieces: newest === undefined ? [] : [...filled, newest.subarray(0, -1)] }
}

/** The edition of consecutive chunks; undefined if one of them is cut or may still change. */
function editionOf(pieces: readonly Piece[]): string | undefined {
  if (pieces.length === 0 || pieces.some(({ isFixed }) => !isFixed)) return undefined
  return hash('sha256', pieces.map(({ built }) => built.json().digest()).join(' '))
}

/** Coverage of each usable step. */
async function coveredBySteps(reader: CandleReader, sessionClass: SessionClass, timeframe: Timeframe): Promise<CoveredStep[]> {
  const coverage = await reader.coverage()
  return usableSteps(timeframe, sessionClass).map((step) => ({ step, spans: coveredTime(step, sessionClass, coverage) }))
}

const joined = (lists: readonly (readonly TimeSpan[])[]): readonly TimeSpan[] => lists.flat().reduce<TimeSpan[]>(addSpan, [])

/** Coverage before an instant by candles closed by then: a forming one says nothing about its first part. */
function wholeBefore(untilMs: number, steps: readonly CoveredStep[], sessionClass: SessionClass): readonly TimeSpan[] {
  return joined(
    steps.map(({ step, spans }) =>
      spans.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs <= untilMs ? toMs : candleEdge(step, sessionClass, untilMs, 'down') })),
    ),
  )
}

/** Where to continue before a range: at the latest covered time; undefined if there is none. */
function nextBelow(covered: readonly TimeSpan[], beforeMs: number, timeframe: Timeframe): number | undefined {
  // A timestamp may be hours away from its trades, for weeks and months a few holidays.
  const marginMs = stepMinutesOf(timeframe) === undefined ? 10 * dayMs : stampLeadMs
  const span = covered.findLast(({ fromMs }) => fromMs - marginMs < beforeMs)
  return span === undefined ? undefined : Math.min(beforeMs, span.toMs + marginMs)
}
