// The SQL of sessions, and of the account columns for signing in.
import { sql, type CompiledQuery } from 'kysely'
import { batchReader } from '#server/db/batch-reader.ts'
import type { Db } from '#server/db/database.ts'
import { prepared } from '#server/db/prepared.ts'
import { ownUserColumns } from '#server/features/users/user-presenter.ts'

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

/** Ends the least recently used sessions of a user beyond a number; returns their ids. */
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

/** End reason of the oldest sessions of a user; their devices read it once more. */
const surplusReason = 'too many sessions'

type OpenSession = Awaited<ReturnType<ReturnType<typeof openSessions>['executeTakeFirstOrThrow']>>
type RenewedSession = OpenSession & { readonly former_cookie_hash: Buffer; readonly renewed_at: Date }

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

/** A hash as PostgreSQL writes it, in which form arrays take it. */
function keyOfHash(hash: Buffer): string {
  return `\\x${hash.toString('hex')}`
}

/** Rows by key; concurrent callers share a query, whose only parameter is the array of keys. */
function inBatches<Row>(db: Db, { query, keyOf }: { query: CompiledQuery<Row>; keyOf: (row: Row) => string }) {
  const read = prepared(db, query)
  return batchReader(async (keys) => new Map((await read(keys)).map((row) => [keyOf(row), row])))
}

/** Queries on accounts and sessions; all times come from the caller. */
export class AuthRepository {
  readonly #db: Db
  readonly #readSession: (cookieHash: string) => Promise<OpenSession | undefined>
  readonly #readRenewedSession: (formerHash: string) => Promise<RenewedSession | undefined>
  readonly #readSessionById: (id: string) => Promise<OpenSession | undefined>
  readonly #readSurplus: (cookieHash: string) => Promise<{ readonly cookie_hash: Buffer } | undefined>

  constructor(db: Db) {
    this.#db = db
    const anyHash = sql<Buffer>`any(${[]}::bytea[])`
    this.#readSession = inBatches(db, {
      query: openSessions(db).where('sessions.cookie_hash', '=', anyHash).compile(),
      keyOf: (row) => keyOfHash(row.cookie_hash),
    })
    this.#readRenewedSession = inBatches(db, {
      query: openSessions(db)
        .where('sessions.former_cookie_hash', '=', anyHash)
        .select(['sessions.former_cookie_hash', 'sessions.renewed_at'])
        .$narrowType<{ former_cookie_hash: Buffer; renewed_at: Date }>()
        .compile(),
      keyOf: (row) => keyOfHash(row.former_cookie_hash),
    })
    this.#readSessionById = inBatches(db, {
      query: openSessions(db)
        .where('sessions.id', '=', sql<string>`any(${[]}::uuid[])`)
        .compile(),
      keyOf: (row) => row.session_id,
    })
    this.#readSurplus = inBatches(db, {
      query: db
        .selectFrom('sessions')
        .select('cookie_hash')
        .where('cookie_hash', '=', anyHash)
        .where('end_reason', '=', sql.lit(surplusReason))
        .compile(),
      keyOf: (row) => keyOfHash(row.cookie_hash),
    })
  }

  findAccount(email: string) {
    return this.#db
      .selectFrom('users')
      .select([...ownUserColumns, 'users.password_hash', 'users.temporary_password_until'])
      .where(sql`lower(users.email)`, '=', email)
      .executeTakeFirst()
  }

  /** The new id, or undefined if the email is taken: decided by the unique index, even in a race. */
  insertAccount(account: {
    name: string
    email: string
    phone: string
    password_hash: string
    role?: 'admin'
    created_at: Date
    email_confirmed_at?: Date
    made_with_mail?: boolean
  }) {
    return this.#db
      .insertInto('users')
      .values(account)
      .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
      .returning('id')
      .executeTakeFirst()
  }

  /**
   * Locks the account if it exists, until the transaction ends. With a hash only if that is the current one;
   * then password and second factor are locked as well.
   */
  holdAccount(id: string, passwordHash?: string) {
    const account = this.#db.selectFrom('users').select(ownUserColumns).where('id', '=', id)
    const held = passwordHash === undefined ? account.forKeyShare() : account.where('password_hash', '=', passwordHash).forShare()
    return held.executeTakeFirst()
  }

  async hasAdmin() {
    return (await this.#db.selectFrom('users').select('id').where('role', '=', 'admin').limit(1).executeTakeFirst()) !== undefined
  }

  /** The active session of a cookie, with its user. */
  findSession(cookieHash: Buffer) {
    return this.#readSession(keyOfHash(cookieHash))
  }

  /** The same by its id. */
  findSessionById(sessionId: string) {
    return this.#readSessionById(sessionId)
  }

  /** The active session that had this cookie before its present one. */
  findRenewedSession(formerHash: Buffer) {
    return this.#readRenewedSession(keyOfHash(formerHash))
  }

  /** Whether a session ended because its user opened too many. */
  async isSurplus(cookieHash: Buffer) {
    return (await this.#readSurplus(keyOfHash(cookieHash))) !== undefined
  }

  markSeen(sessionId: string, at: Date) {
    return this.#db.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', sessionId).execute()
  }

  /** Ids of the sessions that this call ended; by a cookie also the user's own one whose newer cookie was lost on its way. */
  async endSessions(
    which: { cookieHash: Buffer; userId: string } | { sessionId: string; userId: string },
    at: Date,
    reason: string,
  ): Promise<string[]> {
    const all = this.#db.updateTable('sessions').set({ ended_at: at, end_reason: reason }).where('ended_at', 'is', null)
    const some =
      'cookieHash' in which
        ? all.where((eb) => {
            const isOwn = eb('former_cookie_hash', '=', which.cookieHash).and('user_id', '=', which.userId)
            return eb.or([eb('cookie_hash', '=', which.cookieHash), isOwn])
          })
        : all.where('id', '=', which.sessionId).where('user_id', '=', which.userId)
    return (await some.returning('id').execute()).map((row) => row.id)
  }

  sessionsOf(userId: string) {
    return this.#db
      .selectFrom('sessions')
      .select(['id', 'created_at', 'last_seen_at', 'address', 'user_agent'])
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
      .orderBy('created_at', 'desc')
      .limit(100)
      .execute()
  }

  /** Whether this account signed in from this address since a moment: a known place. */
  async isKnownAddress(userId: string, address: string, since: Date) {
    return (
      (await this.#db
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .where('address', '=', address)
        .where('created_at', '>', since)
        .limit(1)
        .executeTakeFirst()) !== undefined
    )
  }

  /** Cleanup of rows that no longer matter; those with a date parameter if last used before it. */
  async sweep(now: Date, { sessions, setups }: { readonly sessions: Date; readonly setups: Date }) {
    await this.#db.deleteFrom('sessions').where('last_seen_at', '<', sessions).execute()
    await this.#db.deleteFrom('rate_counters').where('window_end', '<', now).execute()
    await this.#db.deleteFrom('sign_in_challenges').where('expires_at', '<', now).execute()
    await this.#db.deleteFrom('passkey_registrations').where('expires_at', '<', now).execute()
    await this.#db.deleteFrom('totp_secrets').where('is_pending', '=', true).where('created_at', '<', setups).execute()
    await this.#db.deleteFrom('password_links').where('expires_at', '<', now).execute()
    await this.#db.deleteFrom('email_links').where('expires_at', '<', now).execute()
  }
}
