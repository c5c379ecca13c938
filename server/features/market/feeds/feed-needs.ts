// What every adapter with a socket is made from.
import type { LookupFunction } from 'node:net'
import type { FeedClock, FeedLog } from '../feed.ts'

export interface FeedNeeds {
  /** The provider's own where none is named. */
  readonly restUrl?: string
  readonly socketUrl?: string
  /** For addresses that a user named: how calls are made, and how the host of the socket is resolved. */
  readonly fetch?: typeof fetch
  readonly lookup?: LookupFunction
  readonly clock: FeedClock
  readonly log: FeedLog
}
