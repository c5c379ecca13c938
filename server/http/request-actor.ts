// Who makes a request: the client, its session, and the signed-in user as needed by services and the audit log.
import type { User } from '#shared/users/user.ts'

/** The client of a call; `limitAddress` is its rate limit key. */
export interface Caller {
  readonly address: string
  readonly userAgent: string
}

export interface CurrentSession {
  readonly id: string
  /** When its password was last given: at sign-in, or again since. */
  readonly confirmedAtMs: number
  readonly user: User
}

/** The signed-in user of a request. */
export interface RequestActor {
  readonly id: string
  readonly email: string
  /** IP address, grouped as for rate limits. */
  readonly address: string
  readonly sessionId: string
  readonly confirmedAtMs: number
}
