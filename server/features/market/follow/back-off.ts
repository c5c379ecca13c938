// Waiting times that double, with jitter, so that many followers do not come back to a source at the same moment.
import { backOffDelayMs } from '#shared/base/back-off.ts'
import type { FeedClock } from '../feed.ts'
import { backOffLimits } from './follow-limits.ts'

export interface BackOff {
  /** The next time to wait in milliseconds, half to the whole of 1, 2, 4 .. 60 seconds; the longest at once where asking again soon is no use. */
  next(isHopeless?: boolean): number
  reset(): void
}

export function backOff(clock: FeedClock): BackOff {
  let attempts = 0
  return {
    next(isHopeless = false) {
      const failures = isHopeless ? Infinity : attempts
      attempts += 1
      return backOffDelayMs(failures, backOffLimits, clock.random())
    },
    reset() {
      attempts = 0
    },
  }
}
