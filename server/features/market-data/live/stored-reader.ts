// Reads the stored candles before the recent minutes, so that none is truncated at the seam.
import type { Candle } from '#shared/candles/candle.ts'
import { bucketOf } from '#shared/candles/bucketer.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { hasTrading } from '#shared/trading-hours/trading-gaps.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { SourceName } from '../feed.ts'
import type { CandleHistory, CandlePage } from '../history/candle-history.ts'
import { candleEdge, usableSteps } from '../coverage.ts'
import type { MinuteBuffer } from '../minute-buffer.ts'
import type { TopicName } from './candle-topic.ts'

interface StoredReaderOptions {
  readonly series: string
  readonly history: Pick<CandleHistory, 'candles' | 'recheck'>
  readonly recent: Pick<MinuteBuffer<Candle>, 'values'>
}

interface StoredQuery extends TopicName {
  readonly source: SourceName
  readonly sessionClass: SessionClass
  readonly limit: number
}

/** Stored candles, and the minutes that follow them. */
export interface StoredStart extends CandlePage {
  readonly minutes: readonly Candle[]
}

export type StoredReader = ReturnType<typeof storedReader>

/** Reads the initial candles of a topic. */
export function storedReader({ series, history, recent }: StoredReaderOptions) {
  let rechecked: Promise<void> | undefined = Promise.resolve()

  async function recheckOnce(source: SourceName): Promise<void> {
    rechecked ??= history.recheck(series, source)
    try {
      await rechecked
    } catch (error) {
      rechecked = undefined
      throw error
    }
  }

  return {
    /** The next read sees everything that other processes have stored by then. */
    recheck(): void {
      rechecked = undefined
    },
    async read({ source, ...query }: StoredQuery): Promise<StoredStart> {
      await recheckOnce(source)
      const minutes = recent.values()
      const read = (asOfMs: number | undefined) =>
        history.candles({ series, source, ...query, toMs: Number.MAX_SAFE_INTEGER, ...(asOfMs === undefined ? {} : { asOfMs }) })
      const page = await readBefore({ ...query, minutes, read })
      const now = recent.values()
      const oldestMs = now[0]?.timeMs ?? Infinity
      const all = [...minutes.filter(({ timeMs }) => timeMs < oldestMs), ...now]
      return { ...page, minutes: all.filter(({ timeMs }) => timeMs >= page.untilMs) }
    },
  }
}

interface ReadBeforeOptions {
  readonly timeframe: Timeframe
  readonly sessionClass: SessionClass
  /** Ascending. */
  readonly minutes: readonly Candle[]
  /** Stored candles as of an instant; all known ones without it. */
  readonly read: (asOfMs: number | undefined) => Promise<CandlePage>
}

/**
 * The candles before the first of the minutes. If earlier minutes are not stored but a longer candle around them is, the page
 * ends with that candle: it includes minutes before the page's `untilMs`.
 */
async function readBefore({ timeframe, sessionClass, minutes, read }: ReadBeforeOptions): Promise<CandlePage> {
  const [firstMs, newestMs = -Infinity] = [minutes[0]?.timeMs, minutes.at(-1)?.timeMs]
  const page = await read(firstMs)
  const startMs = firstMs === undefined ? undefined : bucketOf(sessionClass, timeframe, firstMs)?.startMs
  if (firstMs === undefined || startMs === undefined) return page
  const isWhole = ({ wholeSinceMs }: CandlePage): boolean => !hasTrading(sessionClass, { fromMs: startMs, toMs: wholeSinceMs })
  if (isWhole(page)) return page
  const edges = usableSteps(timeframe, sessionClass).map((step) => candleEdge(step, sessionClass, firstMs, 'up'))
  for (const edgeMs of edges.toReversed()) {
    if (edgeMs <= firstMs || edgeMs > newestMs) continue
    const later = await read(edgeMs)
    if (isWhole(later)) return later
  }
  return page
}
