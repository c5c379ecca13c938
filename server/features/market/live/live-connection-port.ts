// What one socket needs, and what the server of all sockets sees of it.
import type { CurrentSession } from '#server/features/auth/service.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import type { User } from '#shared/users/user.ts'
import type { FeedClock } from '../feed.ts'
import type { Waiting } from './delivery-queue.ts'
import type { LiveRoom } from './live-room.ts'
import type { TopicName } from './series-view-port.ts'
import type { LiveShare, UserSocket } from './live-users.ts'

/** Rooms by viewer: those of everybody, or those of the viewer's own broker. */
export interface ViewerRooms {
  /** Looks again at what this user sees; `room` answers by it. Never rejects. */
  refresh(user: User): Promise<void>
  room(user: User, instrument: Instrument, topic: TopicName): LiveRoom
  /** Counts one page of a user, until the result is called. */
  hold(userId: string): () => void
}

export interface ConnectionNeeds {
  readonly rooms: ViewerRooms
  readonly clock: FeedClock
  /** Who has this token together with the cookie of the upgrade. */
  readonly findSession: (token: string) => Promise<CurrentSession | undefined>
  readonly isHidden: (slug: string) => boolean
  /**
   * The part of this user in what their sockets may take; another socket gives way where they have as many as allowed.
   * Undefined where they have sent too much lately.
   */
  readonly admit: (user: User, socket: UserSocket) => LiveShare | undefined
  /** Asks to be called with `deliverNext` when it is this socket's turn. */
  readonly queue: (connection: Waiting) => void
  /** Called for each frame that is sent. */
  readonly onFrame: () => void
  /** Told once, when it is known who this is or when the socket is gone before. */
  readonly onSettled: () => void
  readonly onError: (error: unknown) => void
}

export interface LiveConnection extends Waiting {
  /** Checks again who this is and what he may see. */
  recheck(): Promise<void>
  /** When his premium ends by itself, epoch milliseconds. */
  readonly premiumEndMs: number | undefined
  beat(frame: Buffer): void
  /** Pings, or cuts the socket when it has not answered the last ping. */
  ping(): void
  close(): void
}
