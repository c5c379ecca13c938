// What every adapter with a socket is made from.
import type { FeedClock, FeedLog } from '../feed.ts'

export interface FeedNeeds {
  /** The provider's own where none is named. */
  readonly restUrl?: string
  readonly socketUrl?: string
  readonly clock: FeedClock
  readonly log: FeedLog
}
