// Fetches minutes of a source's history in chunks, each with a timeout and validated.
import type { Candle } from '#shared/candles/candle.ts'
import { areSameCandles, findCandleIssue, jumpGuard } from '#shared/candles/check-candle.ts'
import { FeedError, type FeedClock } from '../feed.ts'
import { requestSpanMs, requestWithinMs } from './timeouts.ts'
import type { Candidate } from './types.ts'

export interface MinuteSpan {
  /** Timestamps in [fromMs, toMs). */
  readonly fromMs: number
  readonly toMs: number
  /** A known correct price before the span. */
  readonly lastClose: number | undefined
  readonly signal: AbortSignal
}

/**
 * The next chunk of a span from its start, and its end. Invalid rows are dropped, as is a jump that no other row confirms.
 * @throws FeedError
 */
export async function fetchMinutes(
  { feed, symbol }: Candidate,
  span: MinuteSpan,
  clock: FeedClock,
): Promise<{ minutes: Candle[]; endMs: number; issues: number }> {
  const endMs = Math.min(span.toMs, span.fromMs + requestSpanMs)
  const limit = new AbortController()
  const signal = AbortSignal.any([span.signal, limit.signal])
  const over = Promise.withResolvers<never>()
  const cancel = clock.after(requestWithinMs, () => {
    limit.abort()
    over.reject(new FeedError('unreachable', `history did not come within ${requestWithinMs / 1000} s`))
  })
  try {
    const request = { symbol, step: '1m', fromMs: span.fromMs, toMs: endMs, signal } as const
    const rows = await Promise.race([feed.history(request), over.promise])
    const minutes = checked(rows, { ...span, toMs: endMs }, clock.now())
    return { minutes, endMs, issues: rows.length - minutes.length }
  } finally {
    cancel()
  }
}

function checked(rows: readonly Candle[], { fromMs, toMs, lastClose }: MinuteSpan, nowMs: number): Candle[] {
  const guard = jumpGuard<Candle>({ candleOf: (row) => row, isRepetition: areSameCandles, lastClose })
  return rows
    .filter((row) => row.timeMs >= fromMs && row.timeMs < toMs && findCandleIssue(row, nowMs) === null)
    .toSorted((one, other) => one.timeMs - other.timeMs)
    .flatMap((row) => guard.take(row))
}
