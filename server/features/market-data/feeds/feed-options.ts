// Options of every adapter with a WebSocket.
import type { FeedClock, FeedLog } from '../feed.ts'
import type { IntakeLimits } from './websocket/intake.ts'
import type { Dial } from './websocket/types.ts'

export interface FeedOptions {
  /** The provider's own URL by default. */
  readonly restUrl?: string
  readonly socketUrl?: string
  /** For user-supplied URLs: the fetch function, and how the socket connects. */
  readonly fetch?: typeof fetch
  readonly dial?: Dial
  /** For the same: how much the socket may send. */
  readonly intake?: IntakeLimits
  readonly clock: FeedClock
  readonly log: FeedLog
}
