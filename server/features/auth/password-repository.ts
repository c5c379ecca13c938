// The SQL of passwords: hashes, confirmed sessions and single-use links.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

const accountColumns = ['id', 'name', 'email', 'email_confirmed_at', 'role', 'password_hash'] as const

/** Queries on one database or transaction; all times come from the caller. */
export function passwordRepository(db: Db) {
  /** Ids of the sessions that this call ended: all of the user but the one to keep. Sign-ins that wait for a code end as well. */
  async function endSessionsOf(userId: string, keepId: string | undefined, at: Date, reason: string): Promise<string[]> {
    await db.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute()
    const all = db
      .updateTable('sessions')
      .set({ ended_at: at, end_reason: reason })
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
    return (await (keepId === undefined ? all : all.where('id', '!=', keepId)).returning('id').execute()).map((row) => row.id)
  }

  const byEmail = (email: string) =>
    db
      .selectFrom('users')
      .select(accountColumns)
      .where(sql`lower(email)`, '=', email)
  return {
    findById: (id: string) => db.selectFrom('users').select(accountColumns).where('id', '=', id).executeTakeFirst(),
    findByEmail: (email: string) => byEmail(email).executeTakeFirst(),
    lockByEmail: (email: string) => byEmail(email).forUpdate().executeTakeFirst(),

    confirmSession: (sessionId: string, at: Date) =>
      db.updateTable('sessions').set({ confirmed_at: at }).where('id', '=', sessionId).execute(),

    /**
     * True where the account is there and the hash was still the one that the caller knows; without `known` it is replaced
     * whatever it is. A password with an end is a temporary one.
     */
    setPassword: async (id: string, password: { hash: string; until: Date | null }, known?: string): Promise<boolean> => {
      const columns = {
        password_hash: password.hash,
        password_is_temporary: password.until !== null,
        temporary_password_until: password.until,
      }
      const all = db.updateTable('users').set(columns).where('id', '=', id)
      const rows = await (known === undefined ? all : all.where('password_hash', '=', known)).returning('id').execute()
      return rows.length > 0
    },

    /**
     * Ends all that whoever had taken over the account may have: sessions, sign-ins that wait for a code, and UDF keys.
     * Answers the ids of the sessions, and what the audit log says of it.
     */
    async endAllAccessOf(userId: string, at: Date, reason: string): Promise<{ sessions: string[]; counts: Record<string, number> }> {
      const sessions = await endSessionsOf(userId, undefined, at, reason)
      const keys = await db.deleteFrom('udf_keys').where('user_id', '=', userId).returning('id').execute()
      const udfKeysRevoked = keys.length > 0 ? { udfKeysRevoked: keys.length } : {}
      return { sessions, counts: { sessionsEnded: sessions.length, ...udfKeysRevoked } }
    },

    endSessionsOf,

    insertLink: (link: { token_hash: Buffer; user_id: string; created_at: Date; expires_at: Date }) =>
      db.insertInto('password_links').values(link).execute(),

    findLink: (tokenHash: Buffer, at: Date) =>
      db
        .selectFrom('password_links')
        .select('user_id')
        .where('token_hash', '=', tokenHash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', at)
        .executeTakeFirst(),

    /** The link's user, once: of two callers the second finds it used. */
    takeLink: (tokenHash: Buffer, at: Date) =>
      db
        .updateTable('password_links')
        .set({ used_at: at })
        .where('token_hash', '=', tokenHash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', at)
        .returning('user_id')
        .executeTakeFirst(),

    /** Open links to a new password or another address die with the password that they were asked with; one to the own address stays. */
    closeLinksOf: async (userId: string, at: Date) => {
      await db.updateTable('password_links').set({ used_at: at }).where('user_id', '=', userId).where('used_at', 'is', null).execute()
      await db
        .updateTable('email_links')
        .set({ used_at: at })
        .where('user_id', '=', userId)
        .where('used_at', 'is', null)
        .where('email', '!=', (users) => users.selectFrom('users').select('users.email').where('users.id', '=', userId))
        .execute()
    },
  }
}
