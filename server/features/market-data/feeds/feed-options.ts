// Options of every adapter with a WebSocket.
import type { LookupFunction } from 'node:net'
import type { FeedClock, FeedLog } from '../feed.ts'

export interface FeedOptions {
  /** The provider's own URL by default. */
  readonly restUrl?: string
  readonly socketUrl?: string
  /** For user-supplied URLs: the fetch function, and the DNS lookup of the socket. */
  readonly fetch?: typeof fetch
  readonly lookup?: LookupFunction
  readonly clock: FeedClock
  readonly log: FeedLog
}
