// The SQL of sessions, and of the account columns that signing in needs.
import { sql } from 'kysely'
import { batchReader } from '#server/db/batch-reader.ts'
import type { Db } from '#server/db/database.ts'
import { ownUserColumns } from '#server/features/users/present.ts'

export interface NewSession {
  readonly userId: string
  readonly cookieHash: Buffer
  readonly tokenHash: Buffer
  readonly at: Date
  readonly address: string
  readonly userAgent: string
}

/** Opens a session, in the transaction that logs it. */
export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      user_id: session.userId,
      cookie_hash: session.cookieHash,
      token_hash: session.tokenHash,
      created_at: session.at,
      last_seen_at: session.at,
      address: session.address,
      user_agent: session.userAgent,
    })
    .execute()
}

/** Queries on accounts and sessions; all times come from the caller. */
export function authRepository(db: Db) {
  const readSession = batchReader(async (cookieHashes: readonly string[]) => {
    const rows = await db
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
      .where('sessions.cookie_hash', 'in', sql<Buffer>`(select decode(hash, 'hex') from unnest(${cookieHashes}::text[]) as hash)`)
      .where('sessions.ended_at', 'is', null)
      .execute()
    return new Map(rows.map((row) => [row.cookie_hash.toString('hex'), row]))
  })

  return {
    findAccount: (email: string) =>
      db
        .selectFrom('users')
        .select([...ownUserColumns, 'users.password_hash', 'users.temporary_password_until'])
        .where(sql`lower(users.email)`, '=', email)
        .executeTakeFirst(),

    /** The new id, or undefined where the email is taken: the unique index decides, also in a race. */
    insertAccount: (account: { name: string; email: string; phone: string; password_hash: string; role?: 'admin'; created_at: Date }) =>
      db
        .insertInto('users')
        .values(account)
        .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
        .returning('id')
        .executeTakeFirst(),

    /** True while the account is there; held so until the transaction ends, so that nobody signs in to one that is being erased. */
    holdAccount: async (id: string) =>
      (await db.selectFrom('users').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()) !== undefined,

    hasAdmin: async () => (await db.selectFrom('users').select('id').where('role', '=', 'admin').limit(1).executeTakeFirst()) !== undefined,

    /** The session of a cookie that has not ended, with its user; callers of one moment share a query. */
    findSession: (cookieHash: Buffer) => readSession(cookieHash.toString('hex')),

    markSeen: (sessionId: string, at: Date) => db.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', sessionId).execute(),

    /** Ids of the sessions that this call ended. */
    endSessions: async (
      which: { cookieHash: Buffer } | { sessionId: string; userId: string },
      at: Date,
      reason: string,
    ): Promise<string[]> => {
      const all = db.updateTable('sessions').set({ ended_at: at, end_reason: reason }).where('ended_at', 'is', null)
      const some =
        'cookieHash' in which
          ? all.where('cookie_hash', '=', which.cookieHash)
          : all.where('id', '=', which.sessionId).where('user_id', '=', which.userId)
      return (await some.returning('id').execute()).map((row) => row.id)
    },

    sessionsOf: (userId: string) =>
      db
        .selectFrom('sessions')
        .select(['id', 'created_at', 'last_seen_at', 'address', 'user_agent'])
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
        .orderBy('created_at', 'desc')
        .limit(100)
        .execute(),

    /** Whether this account signed in from this address since a moment: its owner's usual place. */
    isKnownAddress: async (userId: string, address: string, since: Date) =>
      (await db
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .where('address', '=', address)
        .where('created_at', '>', since)
        .limit(1)
        .executeTakeFirst()) !== undefined,

    /** Housekeeping: rows that can no longer matter. */
    sweep: async (now: Date, sessionsBefore: Date) => {
      await db.deleteFrom('sessions').where('last_seen_at', '<', sessionsBefore).execute()
      await db.deleteFrom('rate_counters').where('window_end', '<', now).execute()
      await db.deleteFrom('password_links').where('expires_at', '<', now).execute()
    },
  }
}
