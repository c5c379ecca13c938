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

/** Ends the least used sessions of a user beyond a number; answers their ids. */
export async function endSurplusSessions(db: Db, userId: string, { keep, at }: { keep: number; at: Date }): Promise<string[]> {
  const rows = await db
    .updateTable('sessions')
    .set({ ended_at: at, end_reason: surplusReason })
    .where('id', 'in', (living) =>
      living
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
        .orderBy('last_seen_at', 'desc')
        .offset(keep),
    )
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Why the oldest sessions of a user end; their devices read it once more. */
const surplusReason = 'too many sessions'

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
    insertAccount: (account: {
      name: string
      email: string
      phone: string
      password_hash: string
      role?: 'admin'
      created_at: Date
      email_confirmed_at?: Date
    }) =>
      db
        .insertInto('users')
        .values(account)
        .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
        .returning('id')
        .executeTakeFirst(),

    /**
     * The account if it is there; it stays there until the transaction ends. With a hash only while that is the password's;
     * then password and second factor stay as well.
     */
    holdAccount: (id: string, passwordHash?: string) => {
      const account = db.selectFrom('users').select(ownUserColumns).where('id', '=', id)
      const held = passwordHash === undefined ? account.forKeyShare() : account.where('password_hash', '=', passwordHash).forShare()
      return held.executeTakeFirst()
    },

    hasAdmin: async () => (await db.selectFrom('users').select('id').where('role', '=', 'admin').limit(1).executeTakeFirst()) !== undefined,

    /** The session of a cookie that has not ended, with its user; callers of one moment share a query. */
    findSession: (cookieHash: Buffer) => readSession(cookieHash.toString('hex')),

    /** Whether a session ended because its user opened too many. */
    isSurplus: async (cookieHash: Buffer) =>
      (await db
        .selectFrom('sessions')
        .select('id')
        .where('cookie_hash', '=', cookieHash)
        .where('end_reason', '=', surplusReason)
        .executeTakeFirst()) !== undefined,

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

    /** Housekeeping: rows that can no longer matter; those with a date of their own when they were last used before it. */
    sweep: async (now: Date, { sessions, setups, udfKeys }: { readonly sessions: Date; readonly setups: Date; readonly udfKeys: Date }) => {
      await db.deleteFrom('sessions').where('last_seen_at', '<', sessions).execute()
      await db.deleteFrom('rate_counters').where('window_end', '<', now).execute()
      await db.deleteFrom('sign_in_challenges').where('expires_at', '<', now).execute()
      await db.deleteFrom('passkey_registrations').where('expires_at', '<', now).execute()
      await db.deleteFrom('totp_secrets').where('is_pending', '=', true).where('created_at', '<', setups).execute()
      await db.deleteFrom('password_links').where('expires_at', '<', now).execute()
      await sql`delete from udf_keys where coalesce(last_used_at, created_at) < ${udfKeys}`.execute(db)
      await db.deleteFrom('email_links').where('expires_at', '<', now).execute()
    },
  }
}
