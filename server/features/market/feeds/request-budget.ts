// Keeps the calls to one provider within its limits: whoever wants to call waits for a place.
import { FeedError, type FeedClock } from '../feed.ts'

export interface RequestLimit {
  /** So many calls may begin in any span of `windowMs`. */
  readonly count: number
  readonly windowMs: number
}

/** Resolves when the call may begin. */
export type RequestBudget = (signal?: AbortSignal) => Promise<void>

/**
 * Places for calls, given in order. In any window no more than `count` calls begin, which is stricter than a bucket that
 * refills: a provider that counts by the clock's minute is kept too. A place that is given up while waiting stays taken.
 * @throws FeedError `limited` where the wait would be longer than `waitMaxMs`
 */
export function requestBudget(needs: { limits: readonly RequestLimit[]; waitMaxMs: number; clock: FeedClock }): RequestBudget {
  const { limits, waitMaxMs, clock } = needs
  const remembered = Math.max(...limits.map((limit) => limit.count))
  /** Beginnings of calls, ascending; the last of them may lie ahead. */
  let begins: number[] = []

  return async (signal) => {
    signal?.throwIfAborted()
    const nowMs = clock.monotonic()
    const beginMs = Math.max(nowMs, begins.at(-1) ?? 0, ...limits.map((limit) => (begins.at(-limit.count) ?? -Infinity) + limit.windowMs))
    const waitMs = beginMs - nowMs
    if (waitMs > waitMaxMs) {
      throw new FeedError('limited', 'The provider allows no more requests for now.', { retryAfterMs: waitMs })
    }
    begins = [...begins, beginMs].slice(-remembered)
    if (waitMs > 0) await pause(clock, waitMs, signal)
  }
}

/** Waits on the clock; rejects with the signal's reason when it is aborted. */
export async function pause(clock: FeedClock, delayMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const give = (): void => {
      stop()
      reject(signal?.reason as Error)
    }
    const stop = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', give)
      resolve()
    })
    signal?.addEventListener('abort', give, { once: true })
  })
}
