// Fetches minutes of a source's history in chunks, each with a timeout and without unconfirmed jumps.
import { minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { areSameCandles, jumpGuard } from '#shared/candles/candle-issue.ts'
import { FeedError, type FeedClock, type RejectedRow } from '../feed.ts'
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

export interface FetchedMinutes {
  readonly minutes: readonly Candle[]
  readonly endMs: number
  /** Invalid rows, and jumps that no other row confirms: their minutes are unknown. */
  readonly rejected: readonly RejectedRow[]
}

/**
 * The next chunk of a span from its start, and its end.
 * @throws FeedError
 */
export async function fetchMinutes({ feed, symbol }: Candidate, span: MinuteSpan, clock: FeedClock): Promise<FetchedMinutes> {
  const endMs = Math.min(span.toMs, span.fromMs + requestSpanMs)
  const limit = new AbortController()
  const signal = AbortSignal.any([span.signal, limit.signal])
  const over = Promise.withResolvers<never>()
  const cancel = clock.after(requestWithinMs, () => {
    limit.abort()
    over.reject(new FeedError('unreachable', `history did not come within ${requestWithinMs / 1000} s`))
  })
  const rejected: RejectedRow[] = []
  const onRejected = (rows: readonly RejectedRow[]): void => void rejected.push(...rows)
  try {
    const request = { symbol, step: '1m', fromMs: span.fromMs, toMs: endMs, signal, onRejected } as const
    const rows = await Promise.race([feed.history(request), over.promise])
    const minutes = withoutJumps(rows, span.lastClose)
    const kept = new Set(minutes)
    const jumps = rows.filter((row) => !kept.has(row)).map(jumpOf)
    return { minutes, endMs, rejected: [...rejected, ...jumps].toSorted((one, other) => one.span.fromMs - other.span.fromMs) }
  } finally {
    cancel()
  }
}

function withoutJumps(rows: readonly Candle[], lastClose: number | undefined): Candle[] {
  const guard = jumpGuard<Candle>({ candleOf: (row) => row, isRepetition: areSameCandles, lastClose })
  return rows.flatMap((row) => guard.take(row))
}

function jumpOf({ timeMs, open, high, low, close }: Candle): RejectedRow {
  return { span: { fromMs: timeMs, toMs: timeMs + minuteMs }, issue: 'jump', answer: [timeMs, open, high, low, close].join(' ') }
}
