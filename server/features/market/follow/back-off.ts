// Waiting times that double, with jitter, so that many followers do not come back to a source at the same moment.
import type { FeedClock } from '../feed.ts'
import { backOffMs } from './follow-limits.ts'

export interface BackOff {
  /** The next time to wait in milliseconds, half to the whole of 1, 2, 4 .. 60 seconds; the longest at once where asking again soon is no use. */
  next(isHopeless?: boolean): number
  reset(): void
}

export function backOff(clock: FeedClock): BackOff {
  let attempts = 0
  return {
    next(isHopeless = false) {
      const whole = isHopeless ? backOffMs.max : Math.min(backOffMs.max, backOffMs.first * 2 ** attempts)
      attempts = Math.min(attempts + 1, 10)
      return whole * (0.5 + clock.random() / 2)
    },
    reset() {
      attempts = 0
    },
  }
}
