// The port to stored candles: closed ones only, appended, never changed in place.
import type { Candle } from '#shared/market/candles/candle.ts'
import type { HistoryStep, SourceName } from '../feed.ts'

/** One kind of stored candles: those of different sources are never mixed. */
export interface CandleKey {
  /** Key of the series, see bindings.ts. */
  readonly series: string
  readonly source: SourceName
  readonly step: HistoryStep
}

export interface CandleSpan {
  readonly fromMs: number
  readonly toMs: number
  readonly limit?: number
  /** Leaves out what was stored before this instant, as far as the store can tell. */
  readonly storedSinceMs?: number
}

export interface CandleStore {
  /**
   * Stores closed candles in any order; one that corrects nothing in what is stored (see `correctsNothing`) is left alone, one
   * with other values becomes a newer revision. Idempotent, also when two processes append the same.
   */
  append(key: CandleKey, candles: readonly Candle[]): Promise<void>
  /** The newest revisions with stamps in [fromMs, toMs), ascending; with a limit the newest so many of them. */
  range(key: CandleKey, span: CandleSpan): Promise<Candle[]>
  /** First and last stamp that is stored, or undefined. */
  bounds(key: CandleKey): Promise<{ readonly firstMs: number; readonly lastMs: number } | undefined>
}
