// What the sockets of one user may take together: their number, their messages, the bytes that wait for them, and candles.
import { tokenBucket, type TokenBucket } from '#server/http/token-bucket.ts'
import type { FeedClock } from '../feed.ts'

const socketsMax = 12
/** Bytes that wait for all sockets of a user; above it no socket of theirs gets more candles. */
const waitingBytesMax = 1024 * 1024
/** Ten whole snapshots at once, and two a second: a page with many charts that comes back takes less. */
const candlesAtOnce = 15_000
const candlesPerSecond = 3_000
/** What a frame costs at least, in candles. */
const frameCost = 10
/** Twelve pages that come back at once with all their subscriptions, and again per second. */
const messagesAtOnce = 700
const messagesPerSecond = 30
/** What a new socket costs, in messages. */
const socketCost = 10
/** How long a user who has sent too much gets no new socket: opening and closing them costs more than messages. */
const shutOutMs = 30_000
/** Sessions of a user that are known by their keys. */
const keysMax = 24

export interface UserSocket {
  readonly waitingBytes: number
  /** Whether it was pinged and has not answered yet. */
  readonly isUnanswered: boolean
  /** Whether it watches nothing. */
  readonly isIdle: boolean
  /** Ends it for a newer one. */
  giveWay(): void
}

/** What one socket sees of its user's share. */
export interface LiveShare {
  /** Takes the cost of a frame with so many candles; false where it has to wait. */
  take(candles: number): boolean
  /** Counts a message; false where the user has sent too many. */
  takeMessage(): boolean
  leave(): void
}

export interface LiveUsers {
  /** False for a session whose user has sent too much lately; costs nothing to ask. */
  mayOpen(sessionKey: string): boolean
  /**
   * Counts one more socket; where the user has as many as allowed, another one gives way.
   * Undefined where the user has sent too much lately.
   */
  admit(userId: string, sessionKey: string, socket: UserSocket): LiveShare | undefined
  /** Drops what is not needed any more; called now and then. */
  sweep(): void
}

interface LiveUser {
  readonly sockets: Set<UserSocket>
  readonly candles: TokenBucket
  readonly messages: TokenBucket
  readonly sessionKeys: Set<string>
  /** On the monotonic clock. */
  shutOutUntilMs: number
}

export function liveUsers(clock: FeedClock): LiveUsers {
  const users = new Map<string, LiveUser>()
  const bySession = new Map<string, LiveUser>()
  const monotonic = (): number => clock.monotonic()
  const newUser = (): LiveUser => ({
    sockets: new Set(),
    candles: tokenBucket({ size: candlesAtOnce, perSecond: candlesPerSecond, monotonic }),
    messages: tokenBucket({ size: messagesAtOnce, perSecond: messagesPerSecond, monotonic }),
    sessionKeys: new Set(),
    shutOutUntilMs: 0,
  })

  function takeMessages(user: LiveUser, count: number): boolean {
    if (monotonic() < user.shutOutUntilMs) return false
    if (user.messages.take(count)) return true
    user.shutOutUntilMs = monotonic() + shutOutMs
    return false
  }

  /** A session belongs to one user for its whole life. */
  function remember(user: LiveUser, sessionKey: string): void {
    bySession.set(sessionKey, user)
    user.sessionKeys.add(sessionKey)
    const [oldest] = user.sessionKeys
    if (user.sessionKeys.size > keysMax && oldest !== undefined) {
      user.sessionKeys.delete(oldest)
      bySession.delete(oldest)
    }
  }

  return {
    mayOpen(sessionKey) {
      const user = bySession.get(sessionKey)
      return user === undefined || monotonic() >= user.shutOutUntilMs
    },
    admit(userId, sessionKey, socket) {
      const user = users.get(userId) ?? newUser()
      users.set(userId, user)
      remember(user, sessionKey)
      if (!takeMessages(user, socketCost)) return undefined
      if (user.sockets.size >= socketsMax) makeRoom(user.sockets)
      user.sockets.add(socket)
      return {
        take(candles) {
          let waiting = 0
          for (const each of user.sockets) waiting += each.waitingBytes
          return waiting < waitingBytesMax && user.candles.take(Math.max(candles, frameCost))
        },
        takeMessage: () => takeMessages(user, 1),
        leave: () => void user.sockets.delete(socket),
      }
    },
    sweep() {
      for (const [id, { sockets, candles, messages, sessionKeys, shutOutUntilMs }] of users) {
        // A user who comes back at once finds the budgets as they were left.
        if (sockets.size > 0 || !candles.isFull || !messages.isFull || monotonic() < shutOutUntilMs) continue
        users.delete(id)
        for (const key of sessionKeys) bySession.delete(key)
      }
    },
  }
}

/** Dead ones go first, as a phone that lost its line leaves them behind; a set keeps the order in which they came. */
function makeRoom(sockets: Set<UserSocket>): void {
  const byAge = [...sockets]
  const leaving = byAge.find(({ isUnanswered }) => isUnanswered) ?? byAge.find(({ isIdle }) => isIdle) ?? byAge[0]
  if (leaving === undefined) return
  sockets.delete(leaving)
  leaving.giveWay()
}
