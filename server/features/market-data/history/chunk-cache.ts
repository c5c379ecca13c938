// Caches built candles and their JSON text by chunk until their source data changes.
import { hash } from 'node:crypto'
import { hourMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { SourceName } from '../feed.ts'
import type { BuiltCandles, Chunk } from './build-chunk.ts'

/** Candles as JSON row bytes, serialized once and sliced per page. */
interface JsonRows {
  /** The rows from one index up to another (exclusive), each followed by a comma. A view that must not be modified. */
  cut(fromIndex: number, toIndex: number): Buffer
  /** Of all rows, built on first use. */
  digest(): string
}

/** The candles of one chunk, ascending. */
export interface CachedChunk {
  readonly candles: readonly Candle[]
  /** See `BuiltCandles`. */
  readonly openEndMs: number | null
  /** Their text, built on first use. */
  json(): JsonRows
}

export interface ChunkName {
  readonly series: string
  readonly source: SourceName
  readonly sessionClass: SessionClass
  readonly timeframe: Timeframe
  /** Key of the adjuster; empty for unadjusted candles. */
  readonly adjustment: string
  readonly chunk: Chunk
  /** For candles that change with time alone: a new value rebuilds them. */
  readonly edition: number
}

export type ChunkCache = ReturnType<typeof chunkCache>

interface Entry {
  readonly name: ChunkName
  readonly chunk: Promise<CachedChunk>
  readonly builtMs: number
  count: number
}

/** Old corrections stored by another process are not notified; they show after this long. */
const maxAgeMs = hourMs

/** Keeps at most `candlesMax` candles (about 250 bytes each, text included); least recently used first out. */
export function chunkCache(monotonic: () => number, candlesMax = 200_000) {
  const entries = new Map<string, Entry>()
  let total = 0

  function forget(id: string): void {
    total -= entries.get(id)?.count ?? 0
    entries.delete(id)
  }

  function begin(id: string, name: ChunkName, build: () => Promise<BuiltCandles>): Promise<CachedChunk> {
    forget(id)
    const chunk = build().then(cachedChunk)
    // An empty chunk takes space as well.
    const entry: Entry = { name, chunk, builtMs: monotonic(), count: 1 }
    entries.set(id, entry)
    total += 1
    chunk.then(
      ({ candles }) => {
        if (entries.get(id) !== entry) return
        entry.count += candles.length
        total += candles.length
        for (const oldest of entries.keys()) {
          if (total <= candlesMax) break
          if (oldest !== id) forget(oldest)
        }
      },
      () => {
        if (entries.get(id) === entry) forget(id)
      },
    )
    return chunk
  }

  return {
    /** The cached chunk, or the result of `build`; concurrent callers share one build, and failures are not cached. */
    get(name: ChunkName, build: () => Promise<BuiltCandles>): Promise<CachedChunk> {
      const id = [name.series, name.source, name.sessionClass, name.timeframe, name.adjustment, name.chunk.fromMs].join(' ')
      const entry = entries.get(id)
      if (entry === undefined || entry.name.edition !== name.edition || monotonic() - entry.builtMs > maxAgeMs)
        return begin(id, name, build)
      entries.delete(id)
      entries.set(id, entry)
      return entry.chunk
    },
    /** Evicts what was built from candles in a range; both ends are inclusive. */
    drop(series: string, source: SourceName, { fromMs, toMs }: TimeSpan): void {
      for (const [id, { name }] of entries) {
        const isOf = name.series === series && name.source === source
        if (isOf && fromMs < name.chunk.dataToMs && toMs >= name.chunk.dataFromMs) forget(id)
      }
    },
  }
}

function cachedChunk({ candles, openEndMs }: BuiltCandles): CachedChunk {
  let json: JsonRows | undefined
  return { candles, openEndMs, json: () => (json ??= jsonRows(candles)) }
}

/** Rows `[timeMs,open,high,low,close,volume|null,takerBuyVolume|null]`. */
function jsonRows(candles: readonly Candle[]): JsonRows {
  const starts = new Uint32Array(candles.length + 1)
  const rows: string[] = []
  let length = 0
  for (const [index, candle] of candles.entries()) {
    const row = rowText(candle)
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

function rowText({ timeMs, open, high, low, close, volume, takerBuyVolume }: Candle): string {
  return JSON.stringify([timeMs, open, high, low, close, volume, takerBuyVolume])
}
