// Fetches minutes of a source's history in chunks, each with a timeout and without unconfirmed jumps.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { checkRows } from '#shared/candles/jump-guard.ts'
import { FeedError, type FeedClock, type RejectedRow } from '../feed.ts'
import type { SourceCandidate } from './types.ts'

/** Timeout of one history request, which may have to wait for a rate limit. */
const requestWithinMs = 2 * minuteMs
/** Chunk of one history request. */
const requestSpanMs = 3 * dayMs

export interface MinuteSpan {
  /** Timestamps in [fromMs, toMs). */
  readonly fromMs: number
  readonly toMs: number
  /** A known correct price before the span. */
  readonly lastClose: number | undefined
  /** Whether a row with a jump is confirmed by other data than history. */
  readonly isSeen?: ((row: Candle) => boolean) | undefined
  readonly signal: AbortSignal
}

export interface FetchedMinutes {
  readonly minutes: readonly Candle[]
  /** End of the span that was answered: rows with a jump that only later rows can confirm belong to the next chunk. */
  readonly endMs: number
  /** Invalid rows, and jumps that the other rows refute: their minutes are unknown. */
  readonly rejected: readonly RejectedRow[]
  /** Minutes of the last rows if they have a jump that no later row confirms yet. */
  readonly open: readonly TimeSpan[]
}

/**
 * The next chunk of a span from its start, and its end.
 * @throws FeedError
 */
export async function fetchMinutes({ feed, symbol }: SourceCandidate, span: MinuteSpan, clock: FeedClock): Promise<FetchedMinutes> {
  const endMs = Math.min(span.toMs, span.fromMs + requestSpanMs)
  const limit = new AbortController()
  const signal = AbortSignal.any([span.signal, limit.signal])
  const over = Promise.withResolvers<never>()
  const cancel = clock.after(requestWithinMs, () => {
    limit.abort()
    over.reject(new FeedError('unreachable', `history did not come within ${requestWithinMs / 1000} s`))
  })
  let bad: readonly RejectedRow[] = []
  const onRejected = (rows: readonly RejectedRow[]): void => void (bad = bad.concat(rows))
  try {
    const request = { symbol, step: '1m', fromMs: span.fromMs, toMs: endMs, signal, onRejected } as const
    const rows = await Promise.race([feed.history(request), over.promise])
    const { confirmed, refuted, open } = checkRows(rows, span)
    const openMs = open[0]?.timeMs ?? endMs
    const isLast = endMs === span.toMs
    const doneMs = isLast || openMs === span.fromMs ? endMs : openMs
    const jumps = (isLast ? refuted : [...refuted, ...open]).map(jumpOf)
    return {
      minutes: confirmed,
      endMs: doneMs,
      rejected: [...bad, ...jumps].filter((row) => row.span.fromMs < doneMs).toSorted((one, other) => one.span.fromMs - other.span.fromMs),
      open: isLast ? open.map(minuteOf) : [],
    }
  } finally {
    cancel()
  }
}

function jumpOf(row: Candle): RejectedRow {
  const { timeMs, open, high, low, close } = row
  return { span: minuteOf(row), issue: 'jump', answer: [timeMs, open, high, low, close].join(' ') }
}

function minuteOf({ timeMs }: Candle): TimeSpan {
  return { fromMs: timeMs, toMs: timeMs + minuteMs }
}
