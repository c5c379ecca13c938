// Caches built candles and their JSON text by chunk until their source data changes.
import { hourMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { SourceName } from '../feed.ts'
import type { CandleChange } from '../store/memory-candles.ts'
import type { Chunk } from './chunk-range.ts'
import type { MadeCandles } from './build-chunk.ts'
import { jsonRows, type JsonRows } from './json-rows.ts'

/** The candles of one chunk, ascending. */
export interface MadeChunk {
  readonly candles: readonly Candle[]
  /** See `MadeCandles`. */
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

export interface ChunkCache {
  /** The cached chunk, or the result of `make`; concurrent callers share one build, and failures are not cached. */
  get(name: ChunkName, make: () => Promise<MadeCandles>): Promise<MadeChunk>
  /** Evicts what was built from candles in a range; both ends are inclusive. */
  drop(series: string, source: SourceName, span: Pick<CandleChange, 'fromMs' | 'toMs'>): void
}

interface Entry {
  readonly name: ChunkName
  readonly made: Promise<MadeChunk>
  readonly madeMs: number
  count: number
}

/** Old corrections stored by another process are not notified; they show after this long. */
const keptMs = hourMs

/** Keeps at most `candlesMax` candles (about 250 bytes each, text included); least recently used first out. */
export function chunkCache(monotonic: () => number, candlesMax = 200_000): ChunkCache {
  const entries = new Map<string, Entry>()
  let total = 0

  function forget(id: string): void {
    total -= entries.get(id)?.count ?? 0
    entries.delete(id)
  }

  function begin(id: string, name: ChunkName, make: () => Promise<MadeCandles>): Promise<MadeChunk> {
    forget(id)
    const made = make().then(toMadeChunk)
    // An empty chunk takes space as well.
    const entry: Entry = { name, made, madeMs: monotonic(), count: 1 }
    entries.set(id, entry)
    total += 1
    made.then(
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
    return made
  }

  return {
    get(name, make) {
      const id = [name.series, name.source, name.sessionClass, name.timeframe, name.adjustment, name.chunk.fromMs].join(' ')
      const entry = entries.get(id)
      if (entry === undefined || entry.name.edition !== name.edition || monotonic() - entry.madeMs > keptMs) return begin(id, name, make)
      entries.delete(id)
      entries.set(id, entry)
      return entry.made
    },
    drop(series, source, { fromMs, toMs }) {
      for (const [id, { name }] of entries) {
        const isOf = name.series === series && name.source === source
        if (isOf && fromMs < name.chunk.dataToMs && toMs >= name.chunk.dataFromMs) forget(id)
      }
    },
  }
}

function toMadeChunk({ candles, openEndMs }: MadeCandles): MadeChunk {
  let json: JsonRows | undefined
  return { candles, openEndMs, json: () => (json ??= jsonRows(candles)) }
}
