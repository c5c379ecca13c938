// Exponential back-off with jitter, so that many followers do not reconnect at the same moment.
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import { backOffDelayMs } from '#shared/base/back-off-delay.ts'
import type { FeedClock } from '../feed.ts'

const limits = { firstMs: secondMs, maxMs: minuteMs } as const

export class BackOff {
  readonly #clock: FeedClock
  #attempts = 0

  constructor(clock: FeedClock) {
    this.#clock = clock
  }

  /** The next delay in milliseconds, half to all of 1, 2, 4 .. 60 seconds; the maximum at once if hopeless. */
  next(isHopeless = false): number {
    const failures = isHopeless ? Infinity : this.#attempts
    this.#attempts += 1
    return backOffDelayMs(failures, limits, this.#clock.random())
  }

  reset(): void {
    this.#attempts = 0
  }
}
