// The port to stored candles: closed ones only, appended, never changed in place.
import type { Coverage } from '../coverage.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import { stepMs, type HistoryStep, type SourceName } from '../feed.ts'

/** Key of stored candles: different sources are never mixed. */
export interface CandleKey {
  /** Key of the series. */
  readonly series: string
  readonly source: SourceName
  readonly step: HistoryStep
}

export interface CandleSpan {
  readonly fromMs: number
  readonly toMs: number
  readonly limit?: number
  /** Only rows stored since this instant, as far as the store knows. */
  readonly storedSinceMs?: number
}

export interface CandleStore {
  /**
   * Stores closed candles in any order, without invalid ones; one that changes nothing (see `correctsNothing`) is skipped, one with other values
   * becomes a newer revision. Idempotent, also for concurrent appends. `covered` are the spans in which the source has no
   * other candles; by default from the first candle to the last.
   */
  append(key: CandleKey, candles: readonly Candle[], covered?: readonly TimeSpan[]): Promise<void>
  /** The latest revisions with timestamps in [fromMs, toMs), ascending; a limit keeps the newest ones. */
  range(key: CandleKey, span: CandleSpan): Promise<Candle[]>
  /** First and last stored timestamp, or undefined. */
  bounds(key: CandleKey): Promise<{ readonly firstMs: number; readonly lastMs: number } | undefined>
  coverage(of: Pick<CandleKey, 'series' | 'source'>): Promise<Coverage>
}

/** The map key of a candle key. */
export function nameOfKey({ series, source, step }: CandleKey): string {
  return `${series} ${source} ${step}`
}

/** Ascending, unique timestamps; the later of two duplicates wins. */
export function sortUnique(candles: readonly Candle[]): Candle[] {
  const byStamp = new Map(candles.map((candle) => [candle.timeMs, candle]))
  return [...byStamp.values()].toSorted((one, other) => one.timeMs - other.timeMs)
}

/** From the first timestamp to the end of the last candle; none for no candles. */
export function spansOfCandles(step: HistoryStep, candles: readonly Candle[]): TimeSpan[] {
  if (candles.length === 0) return []
  const stamps = candles.map(({ timeMs }) => timeMs)
  const [fromMs, lastMs] = [stamps.reduce((a, b) => Math.min(a, b)), stamps.reduce((a, b) => Math.max(a, b))]
  return [{ fromMs, toMs: lastMs + stepMs[step] }]
}
