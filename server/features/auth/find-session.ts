// The living session of a request or of an open socket.
import type { User } from '#shared/users/user.ts'
import type { CurrentSession } from '#server/http/session.ts'
import type { AuthRepository } from './repository.ts'
import { hashSecret, isSameHash } from './hash-secret.ts'
import { isSessionActive } from './rules.ts'

type Repository = Pick<AuthRepository, 'findSession' | 'findSessionById' | 'findRenewedSession' | 'markSeen'>
type SessionRow = NonNullable<Awaited<ReturnType<Repository['findSession']>>>

interface FinderOptions {
  readonly repository: Repository
  readonly present: (row: SessionRow) => User
  readonly now: () => number
}

/** A session's last use is written at most this often. */
const seenEveryMs = 60_000
/** How long a cookie still opens the session that has a new one: no page waits longer for the answer that brings it. */
const formerCookieMs = 15_000

export type SessionFinder = ReturnType<typeof sessionFinder>

export function sessionFinder({ repository, present, now }: FinderOptions) {
  async function findRenewed(formerHash: Buffer): Promise<SessionRow | undefined> {
    const row = await repository.findRenewedSession(formerHash)
    // Both ways, because clocks of hosts differ.
    return row !== undefined && Math.abs(now() - row.renewed_at.getTime()) < formerCookieMs ? row : undefined
  }

  async function findByCookie(cookie: string | undefined): Promise<{ row: SessionRow | undefined; isFormer: boolean }> {
    const cookieHash = hashSecret(cookie)
    if (cookieHash === undefined) return { row: undefined, isFormer: false }
    const row = await repository.findSession(cookieHash)
    return row === undefined ? { row: await findRenewed(cookieHash), isFormer: true } : { row, isFormer: false }
  }

  /** A confirmation holds for the cookie that it brought. */
  function living(row: SessionRow, hasFormerCookie = false): CurrentSession | undefined {
    const times = { createdAtMs: row.session_created_at.getTime(), lastSeenAtMs: row.last_seen_at.getTime() }
    if (!isSessionActive(times, row.role, now())) return undefined
    const confirmedAtMs = hasFormerCookie ? undefined : row.confirmed_at?.getTime()
    return { id: row.session_id, confirmedAtMs: confirmedAtMs ?? times.createdAtMs, user: present(row) }
  }

  return {
    /** The living session of a cookie and the token bound to it; undefined when either is missing, foreign, ended or too old. */
    async findCurrent(cookie: string | undefined, token: string | undefined, isUse = true): Promise<CurrentSession | undefined> {
      const tokenHash = hashSecret(token)
      if (tokenHash === undefined) return undefined
      const { row, isFormer } = await findByCookie(cookie)
      if (row === undefined || !isSameHash(row.token_hash, tokenHash)) return undefined
      const session = living(row, isFormer)
      if (session !== undefined && isUse && now() - row.last_seen_at.getTime() > seenEveryMs)
        await repository.markSeen(row.session_id, new Date(now()))
      return session
    },

    /** Whether a living session has this cookie; the token bound to it is not judged. */
    async isKnown(cookie: string): Promise<boolean> {
      const { row } = await findByCookie(cookie)
      return row !== undefined && living(row) !== undefined
    },

    /** The same of an admin. */
    async isOfAdmin(cookie: string): Promise<boolean> {
      const { row } = await findByCookie(cookie)
      return row !== undefined && living(row)?.user.role === 'admin'
    },

    /** Reads the session again by its id, for a socket that it opened: a new cookie does not close that socket. */
    async findById(sessionId: string): Promise<CurrentSession | undefined> {
      const row = await repository.findSessionById(sessionId)
      return row === undefined ? undefined : living(row)
    },
  }
}
