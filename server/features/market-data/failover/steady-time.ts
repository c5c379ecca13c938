// A wall clock that ignores being set back, so that current data never appears to be from the future.
import type { FeedClock } from '../feed.ts'

/** Epoch milliseconds that follow the wall clock forward but never back. */
export function steadyTime(clock: FeedClock): () => number {
  let originMs = clock.now() - clock.monotonic()
  return () => {
    originMs = Math.max(originMs, clock.now() - clock.monotonic())
    return originMs + clock.monotonic()
  }
}
