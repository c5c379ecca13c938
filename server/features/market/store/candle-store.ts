// The port to stored candles: closed ones only, appended, never changed in place.
import type { Candle } from '#shared/market/candles/candle.ts'
import type { TimeSpan } from '#shared/base/time-spans.ts'
import { stepMs, type HistoryStep, type SourceName } from '../feed.ts'

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

/**
 * Spans of stamps, by step, of which all candles are stored that the source has: what is missing there was not traded.
 * Ascending; spans that touch are merged.
 */
export type Coverage = Readonly<Partial<Record<HistoryStep, readonly TimeSpan[]>>>

export interface CandleStore {
  /**
   * Stores closed candles in any order; one that corrects nothing in what is stored (see `correctsNothing`) is left alone, one
   * with other values becomes a newer revision. Idempotent, also when two processes append the same. `covered` is the span
   * in which the source has no other candles; without it the one from the first candle to the last, null for none.
   */
  append(key: CandleKey, candles: readonly Candle[], covered?: TimeSpan | null): Promise<void>
  /** The newest revisions with stamps in [fromMs, toMs), ascending; with a limit the newest so many of them. */
  range(key: CandleKey, span: CandleSpan): Promise<Candle[]>
  /** First and last stamp that is stored, or undefined. */
  bounds(key: CandleKey): Promise<{ readonly firstMs: number; readonly lastMs: number } | undefined>
  coverage(of: Pick<CandleKey, 'series' | 'source'>): Promise<Coverage>
}

/** From the first stamp to the end of the last candle; null for no candles. */
export function spanOf(step: HistoryStep, candles: readonly Candle[]): TimeSpan | null {
  if (candles.length === 0) return null
  const stamps = candles.map(({ timeMs }) => timeMs)
  const [fromMs, lastMs] = [stamps.reduce((a, b) => Math.min(a, b)), stamps.reduce((a, b) => Math.max(a, b))]
  return { fromMs, toMs: lastMs + stepMs[step] }
}
