// Reloads candles that were truncated when they were read, as soon as their start is stored.
import type { FeedClock } from '../feed.ts'
import type { CandlePage } from '../history/candle-history.ts'
import type { CandleTopic } from './candle-topic.ts'

/** When a truncated candle is checked next, on the monotonic clock, and the delay after that. */
export interface Mending {
  dueMs: number
  pauseMs: number
}

const firstPauseMs = 1_000
const lastPauseMs = 10 * 60_000

interface MendableSeat {
  readonly topic: CandleTopic | undefined
  readonly mending: Mending
}

/** Returns `mend(seat, read, load)`: checks with increasing delays whether `read` has more of the start, and loads if it does. */
export function mender(clock: Pick<FeedClock, 'monotonic'>, onError: (error: unknown) => void) {
  return (seat: MendableSeat, read: () => Promise<CandlePage | undefined>, load: () => Promise<void>): void => {
    const { topic, mending } = seat
    if (topic?.isTruncated !== true || clock.monotonic() < mending.dueMs) return
    mending.pauseMs = Math.min(Math.max(firstPauseMs, 2 * mending.pauseMs), lastPauseMs)
    mending.dueMs = clock.monotonic() + mending.pauseMs
    read()
      .then((found) => (seat.topic === topic && (found?.wholeSinceMs ?? Infinity) < topic.wholeSinceMs ? load() : undefined))
      .catch(onError)
  }
}
