// Reloads candles that were truncated when they were read, as soon as their start is stored.
import { backOffDelayMs } from '#shared/base/back-off-delay.ts'
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import type { FeedClock } from '../feed.ts'
import type { CandlePage } from '../history/candle-history.ts'
import type { CandleTopic } from './candle-topic.ts'

/** When a truncated candle is checked next, on the monotonic clock, and how often it was checked before. */
export interface Mending {
  dueMs: number
  checks: number
}

const limits = { firstMs: secondMs, maxMs: 10 * minuteMs }

interface MendableSeat {
  readonly topic: CandleTopic | undefined
  readonly mending: Mending
}

/** Returns `mend(seat, read, load)`: checks with increasing delays whether `read` has more of the start, and loads if it does. */
export function mender(clock: Pick<FeedClock, 'monotonic' | 'random'>, onError: (error: unknown) => void) {
  return (seat: MendableSeat, read: () => Promise<CandlePage | undefined>, load: () => Promise<void>): void => {
    const { topic, mending } = seat
    if (topic?.isTruncated !== true || clock.monotonic() < mending.dueMs) return
    mending.dueMs = clock.monotonic() + backOffDelayMs(mending.checks, limits, clock.random())
    mending.checks += 1
    read()
      .then((found) => (seat.topic === topic && (found?.wholeSinceMs ?? Infinity) < topic.wholeSinceMs ? load() : undefined))
      .catch(onError)
  }
}
