// The SQL of accounts: passwords, email addresses, single-use links, and the sessions of a user.
import { sql, type ExpressionBuilder, type Insertable, type SqlBool, type Expression } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { EmailLinksTable, PasswordLinksTable, Tables, UsersTable } from '#server/db/tables.ts'
import { ownUserColumns } from '#server/features/users/present-user.ts'
import { clearGuessCounters } from './sign-in-guard.ts'

/** End reason of the least recently used sessions of a user; their devices read it once more. */
export const surplusReason = 'too many sessions'
const uniqueViolation = '23505'
const accountColumns = ['id', 'name', 'email', 'email_confirmed_at', 'role', 'password_hash', 'second_factor_since'] as const

export type Account = NonNullable<Awaited<ReturnType<AuthRepository['findById']>>>

/** Queries on one database or transaction; all times come from the caller. */
export class AuthRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  findById(id: string) {
    return this.#accounts().where('id', '=', id).executeTakeFirst()
  }

  findByEmail(email: string) {
    return this.#accounts()
      .where(sql`lower(email)`, '=', email)
      .executeTakeFirst()
  }

  /** Locks the account until the transaction ends, which serializes its changes. */
  lockById(id: string) {
    return this.#accounts().where('id', '=', id).forUpdate().executeTakeFirst()
  }

  lockByEmail(email: string) {
    return this.#accounts()
      .where(sql`lower(email)`, '=', email)
      .forUpdate()
      .executeTakeFirst()
  }

  /** The account with what its user sees after the sign-in. */
  findForSignIn(email: string) {
    return this.#db
      .selectFrom('users')
      .select([...ownUserColumns, 'users.password_hash', 'users.temporary_password_until'])
      .where(sql`lower(users.email)`, '=', email)
      .executeTakeFirst()
  }

  /**
   * Locks the account if it exists, until the transaction ends. With a hash only if that is the current one;
   * then password and second factor are locked as well.
   */
  lockForSignIn(id: string, passwordHash?: string) {
    const account = this.#db.selectFrom('users').select(ownUserColumns).where('id', '=', id)
    const locked = passwordHash === undefined ? account.forKeyShare() : account.where('password_hash', '=', passwordHash).forShare()
    return locked.executeTakeFirst()
  }

  /** The new id, or undefined if the email is taken: decided by the unique index, even in a race. */
  insertAccount(account: Insertable<UsersTable>) {
    return this.#db
      .insertInto('users')
      .values(account)
      .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
      .returning('id')
      .executeTakeFirst()
  }

  async hasAdmin(): Promise<boolean> {
    return (await this.#db.selectFrom('users').select('id').where('role', '=', 'admin').limit(1).executeTakeFirst()) !== undefined
  }

  /**
   * True if the account exists and the hash is still `known`; without `known` it is replaced unconditionally.
   * A password with an expiry is a temporary one.
   */
  async setPassword(id: string, password: { hash: string; until: Date | null }, known?: string): Promise<boolean> {
    const columns = {
      password_hash: password.hash,
      password_is_temporary: password.until !== null,
      temporary_password_until: password.until,
    }
    const all = this.#db.updateTable('users').set(columns).where('id', '=', id)
    const rows = await (known === undefined ? all : all.where('password_hash', '=', known)).returning('id').execute()
    return rows.length > 0
  }

  /** False if another account has the address; the transaction must then be rolled back. */
  async setEmail(id: string, email: string, at: Date): Promise<boolean> {
    try {
      // A claim is one of the former address.
      const claimed_at = sql<Date | null>`case when lower(email) = ${email} then claimed_at end`
      await this.#db.updateTable('users').set({ email, email_confirmed_at: at, claimed_at }).where('id', '=', id).execute()
      return true
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === uniqueViolation) return false
      throw error
    }
  }

  markClaimed(userId: string, at: Date) {
    return this.#db.updateTable('users').set({ claimed_at: at }).where('id', '=', userId).execute()
  }

  insertPasswordLink(link: Insertable<PasswordLinksTable>) {
    return this.#db.insertInto('password_links').values(link).execute()
  }

  findPasswordLink(tokenHash: Buffer, at: Date) {
    return this.#db
      .selectFrom('password_links')
      .select('user_id')
      .where('token_hash', '=', tokenHash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', at)
      .executeTakeFirst()
  }

  /** Consumes the link and returns what it carries: of two callers the second finds it used. */
  takePasswordLink(tokenHash: Buffer, at: Date) {
    return this.#db
      .updateTable('password_links')
      .set({ used_at: at })
      .where('token_hash', '=', tokenHash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', at)
      .returning(['name', 'phone'])
      .executeTakeFirst()
  }

  /** Creates a link and closes the account's earlier ones, so that only the newest mail works. */
  async insertEmailLink(link: Insertable<EmailLinksTable> & { readonly created_at: Date }): Promise<void> {
    await this.#openEmailLinks(link.user_id, link.created_at).execute()
    await this.#db.insertInto('email_links').values(link).execute()
  }

  findEmailLink(tokenHash: Buffer) {
    return this.#db.selectFrom('email_links').select('user_id').where('token_hash', '=', tokenHash).executeTakeFirst()
  }

  /** Consumes the link: of two callers the second finds it used. */
  takeEmailLink(tokenHash: Buffer, at: Date) {
    return this.#db
      .updateTable('email_links')
      .set({ used_at: at })
      .where('token_hash', '=', tokenHash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', at)
      .returning('email')
      .executeTakeFirst()
  }

  /** A password change closes links to a new password or another address; one to the current address is kept. */
  async closeLinksOf(userId: string, at: Date): Promise<void> {
    await this.#db.updateTable('password_links').set({ used_at: at }).where('user_id', '=', userId).where('used_at', 'is', null).execute()
    await this.#openEmailLinks(userId, at)
      .where('email', '!=', (users) => users.selectFrom('users').select('users.email').where('users.id', '=', userId))
      .execute()
  }

  /** The newest 100 active sessions of a user. */
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

  async hasActiveSession(sessionId: string): Promise<boolean> {
    const active = this.#db.selectFrom('sessions').select('id').where('id', '=', sessionId).where('ended_at', 'is', null)
    return (await active.executeTakeFirst()) !== undefined
  }

  /** Whether this account signed in from this address since a moment. */
  async isKnownAddress(userId: string, address: string, since: Date): Promise<boolean> {
    const known = this.#db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', userId)
      .where('address', '=', address)
      .where('created_at', '>', since)
      .limit(1)
    return (await known.executeTakeFirst()) !== undefined
  }

  /** Browsers that the account signed in with before a moment, newest first. */
  async userAgentsBefore(userId: string, before: Date): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('sessions')
      .select('user_agent')
      .where('user_id', '=', userId)
      .where('created_at', '<', before)
      .orderBy('created_at', 'desc')
      .limit(100)
      .execute()
    return rows.map((row) => row.user_agent)
  }

  /** Ends one session of a user; returns the ids of those that this call ended. */
  endSession(sessionId: string, userId: string, at: Date, reason: string): Promise<string[]> {
    return this.#endSessions(at, reason, (session) => session('id', '=', sessionId).and('user_id', '=', userId))
  }

  /** Ends the session of a cookie, and the user's own one whose newer cookie was lost on its way. */
  endSessionOfCookie(cookieHash: Buffer, userId: string, at: Date, reason: string): Promise<string[]> {
    return this.#endSessions(at, reason, (session) =>
      session('cookie_hash', '=', cookieHash).or(session('former_cookie_hash', '=', cookieHash).and('user_id', '=', userId)),
    )
  }

  /** Ends the least recently used sessions of a user beyond a number. */
  endSurplusSessions(userId: string, { max, at }: { readonly max: number; readonly at: Date }): Promise<string[]> {
    return this.#endSessions(at, surplusReason, (session) =>
      session('id', 'in', (active) =>
        active
          .selectFrom('sessions')
          .select('id')
          .where('user_id', '=', userId)
          .where('ended_at', 'is', null)
          .orderBy('last_seen_at', 'desc')
          .offset(max),
      ),
    )
  }

  /** Ends all sessions of the user except one, and pending second factor sign-ins; returns the ended ids. */
  async endSessionsOf(userId: string, exceptId: string | undefined, at: Date, reason: string): Promise<string[]> {
    await this.#db.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute()
    return this.#endSessions(at, reason, (session) => {
      const own = session('user_id', '=', userId)
      return exceptId === undefined ? own : own.and('id', '!=', exceptId)
    })
  }

  /**
   * Ends everything an attacker of the account may have: sessions, pending second factor sign-ins, and the waits that wrong
   * tries have brought on.
   * Returns the ids of the sessions, and the details for the audit log.
   */
  async endAllAccessOf(
    userId: string,
    at: Date,
    { reason, isByMail }: { readonly reason: string; readonly isByMail: boolean },
  ): Promise<{ sessions: string[]; counts: Record<string, number> }> {
    const sessions = await this.endSessionsOf(userId, undefined, at, reason)
    await clearGuessCounters(this.#db, userId, isByMail)
    return { sessions, counts: { sessionsEnded: sessions.length } }
  }

  /** Cleanup of rows that no longer matter; those with a date parameter if last used before it. */
  async sweep(now: Date, { sessions, setups }: { readonly sessions: Date; readonly setups: Date }): Promise<void> {
    await this.#db.deleteFrom('sessions').where('last_seen_at', '<', sessions).execute()
    await this.#db.deleteFrom('rate_counters').where('window_end', '<', now).execute()
    await this.#db.deleteFrom('totp_secrets').where('is_pending', '=', true).where('created_at', '<', setups).execute()
    for (const table of ['sign_in_challenges', 'passkey_registrations', 'password_links', 'email_links'] as const)
      await this.#db.deleteFrom(table).where('expires_at', '<', now).execute()
  }

  #accounts() {
    return this.#db.selectFrom('users').select(accountColumns)
  }

  #openEmailLinks(userId: string, usedAt: Date) {
    return this.#db.updateTable('email_links').set({ used_at: usedAt }).where('user_id', '=', userId).where('used_at', 'is', null)
  }

  async #endSessions(
    at: Date,
    reason: string,
    which: (session: ExpressionBuilder<Tables, 'sessions'>) => Expression<SqlBool>,
  ): Promise<string[]> {
    const ended = this.#db.updateTable('sessions').set({ ended_at: at, end_reason: reason }).where('ended_at', 'is', null).where(which)
    return (await ended.returning('id').execute()).map((row) => row.id)
  }
}
