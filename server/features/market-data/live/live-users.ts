// Limits over all sockets of one user: their number, messages, buffered bytes, and candles.
import { tokenBucket, type TokenBucket } from '#server/features/market-data/token-bucket.ts'
import type { FeedClock } from '../feed.ts'

const socketsMax = 12
/** Buffered bytes over all sockets of a user; above it no socket of theirs gets more candles. */
const waitingBytesMax = 1024 * 1024
/** Ten whole snapshots at once, and two a second: a reconnecting page with many charts needs less. */
const candlesAtOnce = 15_000
const candlesPerSecond = 3_000
/** Minimum cost of a frame, in candles. */
const frameCost = 10
/** Twelve pages that reconnect at once with all their subscriptions, and again per second. */
const messagesAtOnce = 700
const messagesPerSecond = 30
/** Cost of a new socket, in messages. */
const socketCost = 10
/** Lockout of a user who has sent too much: opening and closing sockets costs more than messages. */
const lockoutMs = 30_000
/** Maximum known session keys of a user. */
const keysMax = 24

export interface UserSocket {
  readonly waitingBytes: number
  /** Whether its last ping is unanswered. */
  readonly isUnanswered: boolean
  /** Whether it has no subscriptions. */
  readonly isIdle: boolean
  /** Closes it for a newer one. */
  closeForNewer(): void
}

/** A socket's view of its user's limits. */
export interface LiveQuota {
  /** Takes the cost of a frame; false if it has to wait. */
  take(candles: number): boolean
  /** Counts a message; false if the user has sent too many. */
  takeMessage(): boolean
  release(): void
}

export type LiveUsers = ReturnType<typeof liveUsers>

interface LiveUser {
  readonly sockets: Set<UserSocket>
  readonly candles: TokenBucket
  readonly messages: TokenBucket
  readonly sessionKeys: Set<string>
  /** On the monotonic clock. */
  lockedUntilMs: number
}

export function liveUsers(clock: FeedClock) {
  const users = new Map<string, LiveUser>()
  const bySession = new Map<string, LiveUser>()
  const monotonic = (): number => clock.monotonic()
  const newUser = (): LiveUser => ({
    sockets: new Set(),
    candles: tokenBucket({ size: candlesAtOnce, perSecond: candlesPerSecond, monotonic }),
    messages: tokenBucket({ size: messagesAtOnce, perSecond: messagesPerSecond, monotonic }),
    sessionKeys: new Set(),
    lockedUntilMs: 0,
  })

  function takeMessages(user: LiveUser, count: number): boolean {
    if (monotonic() < user.lockedUntilMs) return false
    if (user.messages.take(count)) return true
    user.lockedUntilMs = monotonic() + lockoutMs
    return false
  }

  /** A session belongs to one user for its whole lifetime. */
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
    /** False for a session whose user has sent too much recently; cheap to call. */
    mayOpen(sessionKey: string): boolean {
      const user = bySession.get(sessionKey)
      return user === undefined || monotonic() >= user.lockedUntilMs
    },
    /**
     * Adds a socket; if the user has reached the maximum, another one is closed.
     * Undefined if the user has sent too much recently.
     */
    admit(userId: string, sessionKey: string, socket: UserSocket): LiveQuota | undefined {
      const user = users.get(userId) ?? newUser()
      users.set(userId, user)
      remember(user, sessionKey)
      if (!takeMessages(user, socketCost)) return undefined
      if (user.sockets.size >= socketsMax) evictSocket(user.sockets)
      user.sockets.add(socket)
      return {
        take(candles) {
          let waiting = 0
          for (const each of user.sockets) waiting += each.waitingBytes
          return waiting < waitingBytesMax && user.candles.take(Math.max(candles, frameCost))
        },
        takeMessage: () => takeMessages(user, 1),
        release: () => void user.sockets.delete(socket),
      }
    },
    /** Evicts unneeded entries; called periodically. */
    sweep(): void {
      for (const [id, { sockets, candles, messages, sessionKeys, lockedUntilMs }] of users) {
        // Budgets survive an immediate reconnect.
        if (sockets.size > 0 || !candles.isFull || !messages.isFull || monotonic() < lockedUntilMs) continue
        users.delete(id)
        for (const key of sessionKeys) bySession.delete(key)
      }
    },
  }
}

/** Unresponsive ones first, such as those of a phone that lost its network; a Set keeps insertion order. */
function evictSocket(sockets: Set<UserSocket>): void {
  const byAge = [...sockets]
  const leaving = byAge.find(({ isUnanswered }) => isUnanswered) ?? byAge.find(({ isIdle }) => isIdle) ?? byAge[0]
  if (leaving === undefined) return
  sockets.delete(leaving)
  leaving.closeForNewer()
}
