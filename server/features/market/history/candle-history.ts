// Candles of any timeframe up to any moment: from the store through memory and the resampler, or generated for the demo.
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import { stepOf } from '#shared/market/candles/resample.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import type { Feed, HistoryStep, SourceName } from '../feed.ts'
import type { MemoryCandles } from '../store/memory-candles.ts'
import { demoReader, storeReader, type CandleReader } from './candle-reader.ts'
import { chunkCache, type MadeChunk } from './chunk-cache.ts'
import { chunkAt, type Chunk } from './chunk-grid.ts'
import { makeChunk } from './make-chunk.ts'
import { olderAsker } from './older-asker.ts'

export interface HistoryNeeds {
  /** The same one that the hub of this process appends to. */
  readonly store: MemoryCandles
  /** Asked with the key of the series as symbol; what it answers is never stored. */
  readonly demo: Feed
  /** How old data must be before it may leave, in milliseconds; 0 for live. */
  readonly policyOf: (series: string, source: SourceName) => { readonly holdBackMs: number }
  /** Asks for older candles to be stored; resolves to whether there may be more now. */
  readonly extend: (series: string, step: HistoryStep, beforeMs: number) => Promise<boolean>
  /** Epoch milliseconds. */
  readonly now: () => number
}

export interface CandleQuery {
  readonly series: string
  readonly source: SourceName
  /** Hours of what is really shown, as `MarketSources` says. */
  readonly sessionClass: SessionClass
  readonly timeframe: Timeframe
  /** First stamp that is not wanted any more, epoch milliseconds. */
  readonly toMs: number
  /** 1 to 5,000. */
  readonly limit: number
  /** Only minutes that were over by then go into any candle, epoch milliseconds; all that are known where undefined. */
  readonly asOfMs?: number
}

export interface CandleHistory {
  /**
   * The newest `limit` candles with stamps before `toMs`, ascending; the one that forms is among them when `toMs` is
   * after its stamp, made of its closed minutes. `hasOlder` says whether asking for what is before the first one makes sense.
   */
  candles(query: CandleQuery): Promise<{ readonly candles: Candle[]; readonly hasOlder: boolean }>
  /** The same as JSON rows `[timeMs,o,h,l,c,volume|null,takerBuyVolume|null]` with commas between, in pieces that follow each other. */
  rows(query: CandleQuery): Promise<{ readonly pieces: readonly Buffer[]; readonly hasOlder: boolean }>
}

/** A stamp may lie ahead of the clock by as much: a session opens on the evening before its date. */
const stampLeadMs = 4 * hourMs

/** Part of a chunk that belongs to a page. */
interface Piece {
  readonly made: MadeChunk
  readonly fromIndex: number
  readonly toIndex: number
}

interface Page {
  /** Newest first. */
  readonly pieces: readonly Piece[]
  readonly count: number
}

/**
 * The history of all series. Closed candles are made once per stretch and kept with their text; nothing that was not
 * over `holdBackMs` ago goes into any candle, the forming one included.
 */
export function candleHistory(needs: HistoryNeeds): CandleHistory {
  const { store, demo, now, policyOf } = needs
  const chunks = chunkCache(now)
  const askForOlder = olderAsker(needs)
  store.onChange(({ key, fromMs, toMs }) => chunks.drop(key.series, key.source, { fromMs, toMs }))

  /** Collects the newest `count` candles before `toMs`, walking back from chunk to chunk. */
  async function collect(query: CandleQuery, count: number): Promise<Page> {
    const { series, source, timeframe, sessionClass } = query
    const nowMs = now()
    const { holdBackMs } = policyOf(series, source)
    const reader = source === 'demo' ? demoReader(demo, series, nowMs) : storeReader(store, series, source)
    // Stored candles are closed whatever this clock says; only what is held back, or made up, is measured by it.
    const allowedMs = holdBackMs > 0 || source === 'demo' ? nowMs - holdBackMs : Infinity
    const asOfMs = Math.min(allowedMs, query.asOfMs ?? Infinity)
    const step = stepOf(timeframe)
    await Promise.all([reader.freshen(step), reader.freshen('1m')])
    const pieces: Piece[] = []
    let missing = count
    let atMs: number | undefined = Math.min(query.toMs, nowMs - holdBackMs + stampLeadMs)
    while (missing > 0 && atMs !== undefined) {
      const chunk = chunkAt(timeframe, atMs - 1)
      const edition = chunk.dataToMs > asOfMs ? Math.floor(asOfMs / minuteMs) : 0
      const made = await chunks.get({ series, source, sessionClass, timeframe, chunk, edition }, () =>
        makeChunk(chunk, { reader, sessionClass, timeframe, asOfMs }),
      )
      const toIndex = indexOf(made.candles, query.toMs)
      const fromIndex = Math.max(0, toIndex - missing)
      if (toIndex > fromIndex) pieces.push({ made, fromIndex, toIndex })
      missing -= toIndex - fromIndex
      atMs = made.candles.length > 0 ? chunk.fromMs : await nextBelow(reader, step, chunk)
    }
    return { pieces, count: count - missing }
  }

  /** One candle more than wanted shows whether there are older ones; where the store ends, more is asked for once. */
  async function page(query: CandleQuery): Promise<Page & { readonly hasOlder: boolean }> {
    const found = await collect(query, query.limit + 1)
    if (found.count > query.limit) return { ...found, hasOlder: true }
    const { series, source, timeframe, toMs } = query
    if (source === 'demo') return { ...found, hasOlder: false }
    // What is held back is not older: a source is asked for what may be shown. To the minute, so that asking in vain is noticed.
    const newestMs = Math.ceil((now() - policyOf(series, source).holdBackMs) / minuteMs) * minuteMs
    const beforeMs = oldestOf(found) ?? Math.min(toMs, newestMs)
    const answer = await askForOlder(series, stepOf(timeframe), beforeMs)
    if (answer !== 'maybe') return { ...found, hasOlder: answer === 'later' }
    // Another process may have stored it, of which nobody told.
    const steps = new Set<HistoryStep>([stepOf(timeframe), '1m'])
    await Promise.all([...steps].map((step) => store.recheck({ series, source, step })))
    chunks.drop(series, source, { fromMs: -Infinity, toMs: Infinity })
    const more = await collect(query, query.limit + 1)
    return { ...more, hasOlder: more.count > query.limit || more.count > found.count }
  }

  return {
    async candles(query) {
      const { pieces, count, hasOlder } = await page(query)
      const all = pieces.toReversed().flatMap(({ made, fromIndex, toIndex }) => made.candles.slice(fromIndex, toIndex))
      return { candles: count > query.limit ? all.slice(1) : all, hasOlder }
    },
    async rows(query) {
      const { pieces, count, hasOlder } = await page(query)
      const last = pieces.length - 1
      const texts = pieces.map(({ made, fromIndex, toIndex }, index) =>
        made.json().cut(fromIndex + (index === last && count > query.limit ? 1 : 0), toIndex),
      )
      const filled = texts.filter((text) => text.length > 0).toReversed()
      const newest = filled.pop()
      // Every row has its comma; only the last of all must not.
      return { pieces: newest === undefined ? [] : [...filled, newest.subarray(0, -1)], hasOlder }
    },
  }
}

function oldestOf({ pieces }: Page): number | undefined {
  const piece = pieces.at(-1)
  return piece?.made.candles[piece.fromIndex]?.timeMs
}

/** Where to look on when a stretch is empty: before it, and no later than the newest candle of any kind; undefined where there is none. */
async function nextBelow(reader: CandleReader, step: HistoryStep, chunk: Chunk): Promise<number | undefined> {
  const steps = step === '1m' ? [step] : [step, '1m' as const]
  const lasts = await Promise.all(steps.map((each) => reader.lastBefore(each, chunk.toMs)))
  const newestMs = Math.max(...lasts.map((last) => last ?? -Infinity))
  return newestMs === -Infinity ? undefined : Math.min(chunk.fromMs, newestMs + 1)
}

/** Index of the first candle that is not before the instant. */
function indexOf(candles: readonly Candle[], ms: number): number {
  let low = 0
  let high = candles.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((candles[middle]?.timeMs ?? Infinity) < ms) low = middle + 1
    else high = middle
  }
  return low
}
