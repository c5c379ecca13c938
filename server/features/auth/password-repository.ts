// The SQL of passwords: hashes, ended sessions and single-use links.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { clearGuessCounters } from './guess-counters.ts'

const accountColumns = ['id', 'name', 'email', 'email_confirmed_at', 'role', 'password_hash'] as const

/** Queries on one database or transaction; all times come from the caller. */
export class PasswordRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  findById(id: string) {
    return this.#db.selectFrom('users').select(accountColumns).where('id', '=', id).executeTakeFirst()
  }

  findByEmail(email: string) {
    return this.#byEmail(email).executeTakeFirst()
  }

  lockById(id: string) {
    return this.#db.selectFrom('users').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  }

  lockByEmail(email: string) {
    return this.#byEmail(email).forUpdate().executeTakeFirst()
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

  /** Ends all sessions of the user except the one to keep, and pending second factor sign-ins; returns the ended ids. */
  async endSessionsOf(userId: string, keepId: string | undefined, at: Date, reason: string): Promise<string[]> {
    await this.#db.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute()
    const all = this.#db
      .updateTable('sessions')
      .set({ ended_at: at, end_reason: reason })
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
    return (await (keepId === undefined ? all : all.where('id', '!=', keepId)).returning('id').execute()).map((row) => row.id)
  }

  insertLink(link: { token_hash: Buffer; user_id: string; created_at: Date; expires_at: Date; name?: string; phone?: string }) {
    return this.#db.insertInto('password_links').values(link).execute()
  }

  markClaimed(userId: string, at: Date) {
    return this.#db.updateTable('users').set({ claimed_at: at }).where('id', '=', userId).execute()
  }

  findLink(tokenHash: Buffer, at: Date) {
    return this.#db
      .selectFrom('password_links')
      .select('user_id')
      .where('token_hash', '=', tokenHash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', at)
      .executeTakeFirst()
  }

  /** Consumes the link and returns what it carries: of two callers the second finds it used. */
  takeLink(tokenHash: Buffer, at: Date) {
    return this.#db
      .updateTable('password_links')
      .set({ used_at: at })
      .where('token_hash', '=', tokenHash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', at)
      .returning(['name', 'phone'])
      .executeTakeFirst()
  }

  /** A password change closes links to a new password or another address; one to the current address is kept. */
  async closeLinksOf(userId: string, at: Date) {
    await this.#db.updateTable('password_links').set({ used_at: at }).where('user_id', '=', userId).where('used_at', 'is', null).execute()
    await this.#db
      .updateTable('email_links')
      .set({ used_at: at })
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .where('email', '!=', (users) => users.selectFrom('users').select('users.email').where('users.id', '=', userId))
      .execute()
  }

  #byEmail(email: string) {
    return this.#db
      .selectFrom('users')
      .select(accountColumns)
      .where(sql`lower(email)`, '=', email)
  }
}
