// Options of every adapter with a WebSocket.
import type { FeedClock, FeedLog } from '../feed.ts'
import type { Dial, IntakeLimits } from './websocket/websocket-connection.ts'

export interface FeedOptions {
  /** The provider's own URL by default. */
  readonly restUrl?: string | undefined
  readonly socketUrl?: string | undefined
  /** For user-supplied URLs: the fetch function, how the socket connects, and how much it may send. */
  readonly fetch?: typeof fetch
  readonly dial?: Dial
  readonly intake?: IntakeLimits
  readonly clock: FeedClock
  readonly log: FeedLog
}
