// Finds the active session of a request or of an open socket.
import { sql, type CompiledQuery } from 'kysely'
import { batchReader } from '#server/db/batch-reader.ts'
import type { Db } from '#server/db/database.ts'
import { prepared } from '#server/db/prepared.ts'
import { ownUserColumns, presentOwnUser } from '#server/features/users/present-user.ts'
import type { CurrentSession } from '#server/http/session.ts'
import { hashSecret, isSameHash } from './hash-secret.ts'
import { surplusReason } from './repository.ts'
import { isSessionActive } from './rules.ts'

interface SessionFinderDeps {
  readonly db: Db
  readonly now: () => number
  /** True if admins must have a second factor. */
  readonly needsAdminFactor?: boolean
}

type SessionRow = Awaited<ReturnType<ReturnType<typeof openSessions>['executeTakeFirstOrThrow']>>

/** A session's last use is written at most this often. */
const seenEveryMs = 60_000
/** How long a cookie still opens the session that has a new one: no page waits longer for the response that brings it. */
const formerCookieMs = 15_000

export type SessionFinder = ReturnType<typeof sessionFinder>

export function sessionFinder({ db, now, needsAdminFactor = false }: SessionFinderDeps) {
  const read = batchedReads(db)

  async function findByCookie(cookie: string | undefined): Promise<{ row: SessionRow; isFormer: boolean } | undefined> {
    const cookieHash = hashSecret(cookie)
    if (cookieHash === undefined) return undefined
    const row = await read.byCookie(keyOfHash(cookieHash))
    if (row !== undefined) return { row, isFormer: false }
    const renewed = await read.byFormerCookie(keyOfHash(cookieHash))
    // Both ways, because clocks of hosts differ.
    const isRecent = renewed !== undefined && Math.abs(now() - renewed.renewed_at.getTime()) < formerCookieMs
    return isRecent ? { row: renewed, isFormer: true } : undefined
  }

  /** A confirmation holds for the cookie that it brought. */
  function activeSession(row: SessionRow, hasFormerCookie = false): CurrentSession | undefined {
    const times = { createdAtMs: row.session_created_at.getTime(), lastSeenAtMs: row.last_seen_at.getTime() }
    if (!isSessionActive(times, row.role, now())) return undefined
    const confirmedAtMs = hasFormerCookie ? undefined : row.confirmed_at?.getTime()
    return { id: row.session_id, confirmedAtMs: confirmedAtMs ?? times.createdAtMs, user: presentOwnUser(row, now(), needsAdminFactor) }
  }

  async function userOf(cookie: string) {
    const found = await findByCookie(cookie)
    return found === undefined ? undefined : activeSession(found.row)?.user
  }

  return {
    /** The active session of a cookie and the token bound to it; undefined when either is missing, foreign, ended or too old. */
    async findCurrent(cookie: string | undefined, token: string | undefined, isUse = true): Promise<CurrentSession | undefined> {
      const tokenHash = hashSecret(token)
      if (tokenHash === undefined) return undefined
      const found = await findByCookie(cookie)
      if (found === undefined || !isSameHash(found.row.token_hash, tokenHash)) return undefined
      const session = activeSession(found.row, found.isFormer)
      if (session !== undefined && isUse && now() - found.row.last_seen_at.getTime() > seenEveryMs)
        await db
          .updateTable('sessions')
          .set({ last_seen_at: new Date(now()) })
          .where('id', '=', session.id)
          .execute()
      return session
    },

    /** Whether an active session has this cookie; the token bound to it is not judged. */
    async isKnown(cookie: string): Promise<boolean> {
      return (await userOf(cookie)) !== undefined
    },

    /** The same of an admin. */
    async isOfAdmin(cookie: string): Promise<boolean> {
      return (await userOf(cookie))?.role === 'admin'
    },

    /** Reads the session again by its id, for a socket that it opened: a new cookie does not close that socket. */
    async findById(sessionId: string): Promise<CurrentSession | undefined> {
      const row = await read.byId(sessionId)
      return row === undefined ? undefined : activeSession(row)
    },

    /** Whether the session of a cookie ended because its user opened too many; its device shows why. */
    async isSurplus(cookie: string | undefined): Promise<boolean> {
      const cookieHash = hashSecret(cookie)
      return cookieHash !== undefined && (await read.surplus(keyOfHash(cookieHash))) !== undefined
    },
  }
}

/** Sessions that have not ended, with their users. */
function openSessions(db: Db) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      ...ownUserColumns,
      'sessions.id as session_id',
      'sessions.cookie_hash',
      'sessions.token_hash',
      'sessions.created_at as session_created_at',
      'sessions.last_seen_at',
      'sessions.confirmed_at',
    ])
    .where('sessions.ended_at', 'is', null)
}

/** Rows by key; concurrent callers share a query, whose only parameter is the array of keys. */
function batchedReads(db: Db) {
  function inBatches<Row>(query: CompiledQuery<Row>, keyOf: (row: Row) => string) {
    const read = prepared(db, query)
    return batchReader(async (keys) => new Map((await read(keys)).map((row) => [keyOf(row), row])))
  }
  const anyHash = sql<Buffer>`any(${[]}::bytea[])`
  const anyId = sql<string>`any(${[]}::uuid[])`
  const surplus = db.selectFrom('sessions').select('cookie_hash').where('end_reason', '=', sql.lit(surplusReason))
  const renewed = openSessions(db)
    .select(['sessions.former_cookie_hash', 'sessions.renewed_at'])
    .$narrowType<{ former_cookie_hash: Buffer; renewed_at: Date }>()
  return {
    byId: inBatches(openSessions(db).where('sessions.id', '=', anyId).compile(), (row) => row.session_id),
    byCookie: inBatches(openSessions(db).where('sessions.cookie_hash', '=', anyHash).compile(), (row) => keyOfHash(row.cookie_hash)),
    byFormerCookie: inBatches(renewed.where('sessions.former_cookie_hash', '=', anyHash).compile(), (row) =>
      keyOfHash(row.former_cookie_hash),
    ),
    surplus: inBatches(surplus.where('cookie_hash', '=', anyHash).compile(), (row) => keyOfHash(row.cookie_hash)),
  }
}

/** A hash as PostgreSQL writes it, in which form arrays take it. */
function keyOfHash(hash: Buffer): string {
  return `\\x${hash.toString('hex')}`
}
