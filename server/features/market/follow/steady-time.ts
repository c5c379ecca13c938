// The wall clock as it would be if nobody had set it back: what a source says now is not of the future then.
import type { FeedClock } from '../feed.ts'

/** Epoch milliseconds that follow the wall clock forward and never back. */
export function steadyTime(clock: FeedClock): () => number {
  let originMs = clock.now() - clock.monotonic()
  return () => {
    originMs = Math.max(originMs, clock.now() - clock.monotonic())
    return originMs + clock.monotonic()
  }
}
