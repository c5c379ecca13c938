// Rate limiter of the calls to one provider; callers wait for their slot.
import { FeedError, type FeedClock } from '../feed.ts'
import { abortable } from './abortable.ts'

export interface RequestLimit {
  /** Maximum number of calls that start within any span of `windowMs`. */
  readonly count: number
  readonly windowMs: number
}

/** Resolves when the call may start. */
export type FeedRateLimiter = (signal?: AbortSignal) => Promise<void>

/**
 * Slots for calls, in order. At most `count` calls start in any window, which is stricter than a token bucket and so
 * also satisfies a provider that counts per clock minute. An aborted slot stays used.
 * @throws FeedError `limited` where the wait would be longer than `waitMaxMs`
 */
export function feedRateLimiter(options: { limits: readonly RequestLimit[]; waitMaxMs: number; clock: FeedClock }): FeedRateLimiter {
  const { limits, waitMaxMs, clock } = options
  const countMax = Math.max(...limits.map((limit) => limit.count))
  /** Start times of calls, ascending; the last ones may be in the future. */
  let starts: number[] = []

  return async (signal) => {
    signal?.throwIfAborted()
    const nowMs = clock.monotonic()
    const startMs = Math.max(nowMs, starts.at(-1) ?? 0, ...limits.map((limit) => (starts.at(-limit.count) ?? -Infinity) + limit.windowMs))
    const waitMs = startMs - nowMs
    if (waitMs > waitMaxMs) {
      throw new FeedError('limited', 'The provider allows no more requests for now.', { retryAfterMs: waitMs })
    }
    starts = [...starts, startMs].slice(-countMax)
    if (waitMs > 0) await pause(clock, waitMs, signal)
  }
}

/** Waits on the clock; rejects with the signal's reason when it is aborted. */
export async function pause(clock: FeedClock, delayMs: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = clock.after(delayMs, resolve)
  try {
    await abortable(promise, signal)
  } finally {
    cancel()
  }
}
