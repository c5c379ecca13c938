// The real clock for feeds and gateway; its timers do not keep the process alive.
import type { FeedClock } from './feed.ts'

export const realClock: FeedClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, run) {
    // setTimeout fires immediately for delays of more than 24 days.
    const timer = setTimeout(run, Math.min(delayMs, 2_147_483_647))
    timer.unref()
    return () => clearTimeout(timer)
  },
  random: () => Math.random(),
}
