// The real clock for feeds and gateway; timers keep no process alive by themselves.
import type { FeedClock } from './feed.ts'

export const realClock: FeedClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, run) {
    // A timer of more than 24 days would fire at once.
    const timer = setTimeout(run, Math.min(delayMs, 2_147_483_647))
    timer.unref()
    return () => clearTimeout(timer)
  },
  random: () => Math.random(),
}
