// Options of every adapter with a WebSocket.
import type { LookupFunction } from 'node:net'
import type { FeedClock, FeedLog } from '../feed.ts'
import type { IntakeLimits } from './websocket/intake.ts'

export interface FeedOptions {
  /** The provider's own URL by default. */
  readonly restUrl?: string
  readonly socketUrl?: string
  /** For user-supplied URLs: the fetch function, and the DNS lookup of the socket. */
  readonly fetch?: typeof fetch
  readonly lookup?: LookupFunction
  /** For the same: how much the socket may send. */
  readonly intake?: IntakeLimits
  readonly clock: FeedClock
  readonly log: FeedLog
}
