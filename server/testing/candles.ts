// Candles for tests: an in-memory store, and generated minutes.
import { spansOfCandles, type CandleKey, type CandleStore } from '#server/features/market-data/store/candle-store.ts'
import type { Coverage } from '#server/features/market-data/coverage.ts'
import { addSpan, subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { resample } from '#shared/candles/resample.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import { bucketOf, isTradingMinute } from '#shared/candles/bucketer.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'

export interface ListStore extends CandleStore {
  /** Number of reads. */
  reads(): number
  /** Deletes all candles of a step with timestamps in a span, and their coverage. */
  lose(key: CandleKey, span: TimeSpan): void
  /** Makes the next append fail. */
  failNext(error: Error): void
}

/** An in-memory candle store; keeps the newest revision and when it was stored. */
export function listStore(now: () => number = () => 0): ListStore {
  const kinds = new Map<string, Map<number, { readonly candle: Candle; readonly storedMs: number }>>()
  const coverages = new Map<string, Coverage>()
  let reads = 0
  let failure: Error | undefined
  const rowsOf = (key: CandleKey) => {
    const name = Object.values(key).join(' ')
    const rows = kinds.get(name) ?? new Map<number, { readonly candle: Candle; readonly storedMs: number }>()
    kinds.set(name, rows)
    return rows
  }
  return {
    append(key, candles, covered = spansOfCandles(key.step, candles)) {
      if (failure !== undefined) {
        const error = failure
        failure = undefined
        return Promise.reject(error)
      }
      for (const candle of candles) rowsOf(key).set(candle.timeMs, { candle, storedMs: now() })
      const name = `${key.series} ${key.source}`
      const known = coverages.get(name) ?? {}
      coverages.set(name, { ...known, [key.step]: covered.reduce(addSpan, [...(known[key.step] ?? [])]) })
      return Promise.resolve()
    },
    range(key, { fromMs, toMs, limit, storedSinceMs = -Infinity }) {
      reads += 1
      const found = [...rowsOf(key).values()]
        .filter(({ candle, storedMs }) => candle.timeMs >= fromMs && candle.timeMs < toMs && storedMs >= storedSinceMs)
        .map(({ candle }) => candle)
        .toSorted((one, other) => one.timeMs - other.timeMs)
      return Promise.resolve(limit === undefined ? found : found.slice(-limit))
    },
    bounds(key) {
      const stamps = [...rowsOf(key).keys()]
      return Promise.resolve(stamps.length === 0 ? undefined : { firstMs: Math.min(...stamps), lastMs: Math.max(...stamps) })
    },
    coverage: ({ series, source }) => Promise.resolve(coverages.get(`${series} ${source}`) ?? {}),
    lose(key, span) {
      const rows = rowsOf(key)
      for (const timeMs of rows.keys()) if (timeMs >= span.fromMs && timeMs < span.toMs) rows.delete(timeMs)
      const name = `${key.series} ${key.source}`
      const known = coverages.get(name)
      if (known !== undefined) coverages.set(name, { ...known, [key.step]: subtractSpans(known[key.step] ?? [], [span]) })
    },
    reads: () => reads,
    failNext: (error) => void (failure = error),
  }
}

export interface WholeCandlesOptions {
  readonly sessionClass: SessionClass
  readonly timeframe: Timeframe
  /** Where the minutes are known. */
  readonly covered: readonly TimeSpan[]
  readonly nowMs: number
}

/**
 * The slow reference: resamples all existing minutes to a timeframe, except candles with unknown minutes.
 * The last known one may still grow until two minutes after its end.
 */
export function wholeCandlesOf(minutes: readonly Candle[], { sessionClass, timeframe, covered, nowMs }: WholeCandlesOptions): Candle[] {
  const isCovered = (ms: number): boolean => covered.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)
  const knownMs = Math.min(nowMs, Math.max(...covered.map(({ toMs }) => toMs)))
  // An index may or may not have values after its last trades, but not a part of them.
  const isAfterHours = (ms: number): boolean =>
    calendarOf(sessionClass)
      .sessionAt(ms)
      ?.segments.some(
        ({ kind, startMs, endMs }) =>
          kind === 'closing-values' && ms >= startMs && ms < endMs && !covered.some(({ fromMs, toMs }) => fromMs < endMs && toMs > startMs),
      ) ?? false
  const truncated = new Set<number>()
  const seen = new Set<number>()
  const known = minutes.filter(({ timeMs }) => timeMs < knownMs && isCovered(timeMs))
  for (const { timeMs } of known) {
    const bucket = bucketOf(sessionClass, timeframe, timeMs)
    if (bucket === null || seen.has(bucket.timeMs)) continue
    seen.add(bucket.timeMs)
    const untilMs = nowMs >= bucket.endMs + 120_000 ? bucket.endMs : Math.min(bucket.endMs, knownMs)
    for (let ms = bucket.startMs; ms < untilMs; ms += 60_000)
      if (!isCovered(ms) && isTradingMinute(sessionClass, ms) && !isAfterHours(ms)) truncated.add(bucket.timeMs)
  }
  return resample(known, sessionClass, timeframe).filter(({ timeMs }) => !truncated.has(timeMs))
}

/** Minutes from one instant to another, with prices that depend only on the time. */
export function minutesBetween(fromMs: number, toMs: number): Candle[] {
  const candles: Candle[] = []
  for (let timeMs = Math.ceil(fromMs / 60_000) * 60_000; timeMs < toMs; timeMs += 60_000) {
    const base = 100 + ((timeMs / 60_000) % 97)
    candles.push({
      timeMs,
      open: base,
      high: base + 3,
      low: base - 2,
      close: base + 1,
      volume: (timeMs / 60_000) % 11,
      takerBuyVolume: null,
    })
  }
  return candles
}
