// Exponential back-off with jitter, so that many followers do not reconnect at the same moment.
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import { backOffDelayMs } from '#shared/base/back-off-delay.ts'
import type { FeedClock } from '../feed.ts'

const backOffLimits = { firstMs: secondMs, maxMs: minuteMs } as const

export interface BackOff {
  /** The next delay in milliseconds, half to all of 1, 2, 4 .. 60 seconds; the maximum at once if hopeless. */
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
