// Candles of any timeframe up to any moment: from the store through memory and the resampler, or generated for the demo.
import { workTurns } from '#server/http/work-turns.ts'
import { adjusterOf } from '#shared/market/adjustment.ts'
import type { Adjustment } from '#shared/market/corporate-actions.ts'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { firstIndex } from '#shared/base/first-index.ts'
import { addSpan, type TimeSpan } from '#shared/base/time-spans.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import { coveredSince, hasTrading } from '#shared/market/sessions/trading-time.ts'
import { stepMinutesOf } from '#shared/market/timeframe-step.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { historySteps, type Feed, type HistoryStep, type SourceName } from '../feed.ts'
import { candleEdge, coveredTime, stampLeadMs, usableSteps } from '../history-steps.ts'
import type { MemoryCandles } from '../store/memory-candles.ts'
import { adjustedReader, demoReader, storeReader, type CandleReader } from './candle-reader.ts'
import { chunkCache, type MadeChunk } from './chunk-cache.ts'
import { chunkAt } from './chunk-grid.ts'
import { makeChunk } from './make-chunk.ts'
import { olderAsker } from './older-asker.ts'

export interface HistoryNeeds {
  /** The same one that the hub of this process appends to. */
  readonly store: MemoryCandles
  /** Asked with the key of the series as symbol; what it answers is never stored. */
  readonly demo: Feed
  /** How old data must be before it may leave, in milliseconds; 0 for live. */
  readonly policyOf: (series: string, source: SourceName) => { readonly holdBackMs: number }
  /** Asks for older candles of a timeframe to be stored; resolves to whether there may be more now. */
  readonly extend: (series: string, timeframe: Timeframe, beforeMs: number) => Promise<boolean>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds that only grow. */
  readonly monotonic: () => number
  /** Made candles to keep; see `chunkCache`. */
  readonly chunkCandlesMax?: number
}

export interface CandleQuery {
  readonly series: string
  readonly source: SourceName
  /** Hours of what is really shown, as `MarketSources` says. */
  readonly sessionClass: SessionClass
  readonly timeframe: Timeframe
  /** As they are stored where undefined; generated prices are never adjusted. */
  readonly adjustment?: Adjustment
  /** First stamp that is not wanted any more, epoch milliseconds. */
  readonly toMs: number
  /** 1 to 5,000. */
  readonly limit: number
  /** Only minutes that were over by then go into any candle, epoch milliseconds; all that are known where undefined. */
  readonly asOfMs?: number
}

interface PageEnds {
  /** Whether asking for what is before the first candle makes sense. */
  readonly hasOlder: boolean
  /** Stamp of the very first candle that there is, where the page begins with it; else null. */
  readonly startsAtMs: number | null
}

export interface CandlePage extends PageEnds {
  readonly candles: Candle[]
  /** Up to here minutes are in the candles: `asOfMs`, or the end of what is known. */
  readonly untilMs: number
  /** Since when nothing is missing before `untilMs`: a candle that began earlier is truncated. */
  readonly wholeSinceMs: number
}

export interface CandleHistory {
  /**
   * The newest `limit` candles with stamps before `toMs`, ascending, each whole; the one that forms is among them when `toMs` is
   * after its stamp, made of its closed minutes from its start.
   */
  candles(query: CandleQuery): Promise<CandlePage>
  /** The same as JSON rows `[timeMs,o,h,l,c,volume|null,takerBuyVolume|null]` with commas between, in pieces that follow each other. */
  rows(query: CandleQuery): Promise<PageEnds & { readonly pieces: readonly Buffer[] }>
  /** Reads anew what other processes have stored of a series. */
  recheck(series: string, source: SourceName): Promise<void>
}

/** The last minute of a candle needs a moment on its way into the store; a candle that is not whole after that is left out. */
const lateMs = 2 * minuteMs

/** Of all histories: chunks are made one at a time, so that pages of many chunks leave the event loop free in between. */
const turn = workTurns()

/** Part of a chunk that belongs to a page. */
interface Piece {
  readonly made: MadeChunk
  readonly fromIndex: number
  readonly toIndex: number
}

interface Found {
  /** Newest first. */
  readonly pieces: readonly Piece[]
  readonly count: number
  readonly untilMs: number
  readonly wholeSinceMs: number
}

/**
 * The history of all series. Closed candles are made once per stretch and kept with their text; nothing that was not
 * over `holdBackMs` ago goes into any candle, the forming one included.
 */
export function candleHistory(needs: HistoryNeeds): CandleHistory {
  const { store, demo, now, policyOf } = needs
  const chunks = chunkCache(needs.monotonic, needs.chunkCandlesMax)
  const askForOlder = olderAsker(needs)
  store.onChange(({ key, fromMs, toMs }) => chunks.drop(key.series, key.source, { fromMs, toMs }))

  /** Collects the newest `count` candles before `toMs`, walking back from chunk to chunk. */
  async function collect(query: CandleQuery, count: number): Promise<Found> {
    const { series, source, timeframe, sessionClass, adjustment = 'none' } = query
    const nowMs = now()
    const { holdBackMs } = policyOf(series, source)
    const adjuster = source === 'demo' ? undefined : adjusterOf({ series, adjustment, sessionClass, nowMs })
    const reader = adjustedReader(
      source === 'demo' ? demoReader({ demo, nowMs, turn }, series) : storeReader(store, series, source),
      adjuster,
    )
    // Stored candles are closed whatever this clock says; only what is held back, or made up, is measured by it.
    const allowedMs = holdBackMs > 0 || source === 'demo' ? nowMs - holdBackMs : Infinity
    const asOfMs = Math.min(allowedMs, query.asOfMs ?? Infinity)
    await Promise.all(usableSteps(timeframe, sessionClass).map((step) => reader.freshen(step)))
    const byStep = await coveredBySteps(reader, sessionClass, timeframe)
    const covered = joined(byStep.map(({ spans }) => spans))
    const knownMs = Math.min(asOfMs, covered.at(-1)?.toMs ?? -Infinity)
    const untilMs = query.asOfMs === undefined ? knownMs : asOfMs
    const isCut = hasTrading(sessionClass, { fromMs: Math.max(0, knownMs), toMs: untilMs })
    /** Whether a candle that may still grow is shown. */
    const isForming = (openEndMs: number): boolean => !isCut && Math.min(asOfMs, nowMs - holdBackMs) < openEndMs + lateMs
    const pieces: Piece[] = []
    let missing = count
    let atMs: number | undefined = Math.min(query.toMs, nowMs - holdBackMs + stampLeadMs)
    while (missing > 0 && atMs !== undefined) {
      const chunk = chunkAt(timeframe, atMs - 1)
      const edition = chunk.dataToMs > asOfMs ? Math.floor(asOfMs / minuteMs) : 0
      const name = { series, source, sessionClass, timeframe, adjustment: adjuster?.key ?? '', chunk, edition }
      const made = await chunks.get(name, () => turn().then(() => makeChunk(chunk, { reader, sessionClass, timeframe, asOfMs })))
      const closed = made.openEndMs === null || isForming(made.openEndMs) ? made.candles.length : made.candles.length - 1
      const toIndex = Math.min(
        closed,
        firstIndex(made.candles.length, (index) => (made.candles[index]?.timeMs ?? Infinity) >= query.toMs),
      )
      const fromIndex = Math.max(0, toIndex - missing)
      if (toIndex > fromIndex) pieces.push({ made, fromIndex, toIndex })
      missing -= Math.max(0, toIndex - fromIndex)
      atMs = nextBelow(covered, chunk.fromMs, timeframe)
    }
    return {
      pieces,
      count: count - missing,
      untilMs,
      wholeSinceMs: coveredSince(sessionClass, untilMs, wholeBefore(untilMs, byStep, sessionClass)),
    }
  }

  /** Another process may have stored more, without a notice. */
  async function recheck(series: string, source: SourceName, steps: readonly HistoryStep[]): Promise<void> {
    await Promise.all(steps.map((step) => store.recheck({ series, source, step })))
    chunks.drop(series, source, { fromMs: -Infinity, toMs: Infinity })
  }

  /** One candle more than wanted shows whether there are older ones; where the store ends, more is asked for once. */
  async function page(query: CandleQuery): Promise<Found & PageEnds> {
    const found = await collect(query, query.limit + 1)
    if (found.count > query.limit) return { ...found, hasOlder: true, startsAtMs: null }
    const { series, source, timeframe, toMs } = query
    if (source === 'demo') return { ...found, hasOlder: false, startsAtMs: oldestOf(found) ?? null }
    // What is held back is not older: a source is asked for what may be shown. To the minute, so that asking in vain is noticed.
    const newestMs = Math.ceil((now() - policyOf(series, source).holdBackMs) / minuteMs) * minuteMs
    const beforeMs = oldestOf(found) ?? Math.min(toMs, newestMs)
    const answer = await askForOlder(series, timeframe, beforeMs)
    if (answer !== 'maybe')
      return { ...found, hasOlder: answer === 'later', startsAtMs: answer === 'none' ? (oldestOf(found) ?? null) : null }
    await recheck(series, source, usableSteps(timeframe, query.sessionClass))
    const more = await collect(query, query.limit + 1)
    return { ...more, hasOlder: true, startsAtMs: null }
  }

  return {
    async candles(query) {
      const { pieces, count, ...ends } = await page(query)
      const all = pieces.toReversed().flatMap(({ made, fromIndex, toIndex }) => made.candles.slice(fromIndex, toIndex))
      return { candles: count > query.limit ? all.slice(1) : all, ...ends }
    },
    recheck: (series, source) => recheck(series, source, historySteps),
    async rows(query) {
      const { pieces, count, hasOlder, startsAtMs } = await page(query)
      const last = pieces.length - 1
      const texts = pieces.map(({ made, fromIndex, toIndex }, index) =>
        made.json().cut(fromIndex + (index === last && count > query.limit ? 1 : 0), toIndex),
      )
      const filled = texts.filter((text) => text.length > 0).toReversed()
      const newest = filled.pop()
      // Every row has its comma; only the last of all must not.
      return { pieces: newest === undefined ? [] : [...filled, newest.subarray(0, -1)], hasOlder, startsAtMs }
    },
  }
}

function oldestOf({ pieces }: Found): number | undefined {
  const piece = pieces.at(-1)
  return piece?.made.candles[piece.fromIndex]?.timeMs
}

interface CoveredStep {
  readonly step: HistoryStep
  readonly spans: readonly TimeSpan[]
}

/** Where each step that can be used has everything. */
async function coveredBySteps(reader: CandleReader, sessionClass: SessionClass, timeframe: Timeframe): Promise<CoveredStep[]> {
  const coverage = await reader.coverage()
  return usableSteps(timeframe, sessionClass).map((step) => ({ step, spans: coveredTime(step, sessionClass, coverage) }))
}

const joined = (lists: readonly (readonly TimeSpan[])[]): readonly TimeSpan[] => lists.flat().reduce<TimeSpan[]>(addSpan, [])

/** What is covered before an instant by candles that are over by then: one that goes on says nothing of its first part. */
function wholeBefore(untilMs: number, steps: readonly CoveredStep[], sessionClass: SessionClass): readonly TimeSpan[] {
  return joined(
    steps.map(({ step, spans }) =>
      spans.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs <= untilMs ? toMs : candleEdge(step, sessionClass, untilMs, 'down') })),
    ),
  )
}

/** Where to look on before a stretch: no later than something is covered; undefined where nothing is. */
function nextBelow(covered: readonly TimeSpan[], beforeMs: number, timeframe: Timeframe): number | undefined {
  // A stamp may be some hours away from the trades, that of a week or a month some holidays.
  const marginMs = stepMinutesOf(timeframe) === undefined ? 10 * dayMs : stampLeadMs
  const span = covered.findLast(({ fromMs }) => fromMs - marginMs < beforeMs)
  return span === undefined ? undefined : Math.min(beforeMs, span.toMs + marginMs)
}
