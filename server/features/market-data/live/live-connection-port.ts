// Types of one socket: what it needs, and its interface to the live server.
import type { CurrentSession } from '#server/http/session.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import type { User } from '#shared/users/user.ts'
import type { FeedClock } from '../feed.ts'
import type { Waiting } from './delivery-queue.ts'
import type { LiveRoom } from './broadcast-channel.ts'
import type { LiveRooms } from './broadcast-channels.ts'
import type { QuoteBoards } from './quote-board.ts'
import type { TopicName } from './series-view-port.ts'
import type { LiveShare, UserSocket } from './live-users.ts'
import type { Wait, WaitingSocket } from './waiting-sockets.ts'

/** Channels by viewer: the shared ones, or those of the viewer's own broker. */
export interface ViewerRooms {
  /** Rechecks what this user sees; `room` uses the result. Never rejects. */
  refresh(user: User): Promise<void>
  room(user: User, instrument: Instrument, topic: TopicName): LiveRoom
  /** Counts an open page of a user, until the returned function is called. */
  hold(userId: string): () => void
}

/** Channels of users' own brokers. */
export interface OwnRooms {
  /** Rechecks what this user sees. Never rejects. */
  refresh(user: User): Promise<void>
  /** As of the last `refresh`; undefined if the user sees the shared prices of an instrument. */
  find(user: User, instrument: Instrument): { readonly rooms: LiveRooms } | undefined
  hold(userId: string): () => void
}

/** Counts a session's open page as present; returns what ends that, `isGone` if the page itself has closed. */
export type Attend = (session: CurrentSession) => (isGone: boolean) => void

export interface ConnectionDeps {
  readonly rooms: ViewerRooms
  readonly boards: QuoteBoards
  readonly clock: FeedClock
  /** The session of this token together with the cookie of the upgrade. */
  readonly findSession: (token: string) => Promise<CurrentSession | undefined>
  /** Reads the same session again; undefined once it has ended. */
  readonly readSession: (id: string) => Promise<CurrentSession | undefined>
  readonly isHidden: (slug: string) => boolean
  readonly attend: Attend
  /**
   * The user's share of the socket limits; another socket is closed if they have reached the maximum.
   * Undefined if they have sent too much recently.
   */
  readonly admit: (user: User, socket: UserSocket) => LiveShare | undefined
  /** Requests a call of `deliverNext` when it is this socket's turn. */
  readonly queue: (connection: Waiting) => void
  /** Sends a text frame, with its end if that is separate; `sent` is called when it has left the process. */
  readonly write: (frame: Buffer, sent: (() => void) | undefined, rest: Buffer | undefined) => void
  /** Called for each sent frame. */
  readonly onFrame: () => void
  /** Starts its wait for a known user. */
  readonly wait: (socket: WaitingSocket) => Wait
  readonly onError: (error: unknown) => void
}
