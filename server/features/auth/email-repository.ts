// The SQL of email addresses: confirmation state, and confirmation links.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

const uniqueViolation = '23505'

/** Queries on one database or transaction; all times come from the caller. */
export function emailRepository(db: Db) {
  const accounts = () => db.selectFrom('users').select(['id', 'name', 'email', 'email_confirmed_at'])
  return {
    findById: (id: string) => accounts().where('id', '=', id).executeTakeFirst(),

    isTaken: async (email: string) =>
      (await db
        .selectFrom('users')
        .select('id')
        .where(sql`lower(email)`, '=', email)
        .executeTakeFirst()) !== undefined,

    /** Creates a link and closes the account's earlier ones, so that only the newest mail works. */
    insertLink: async (link: { token_hash: Buffer; user_id: string; email: string; created_at: Date; expires_at: Date }) => {
      await db
        .updateTable('email_links')
        .set({ used_at: link.created_at })
        .where('user_id', '=', link.user_id)
        .where('used_at', 'is', null)
        .execute()
      await db.insertInto('email_links').values(link).execute()
    },

    findLink: (tokenHash: Buffer) => db.selectFrom('email_links').select('user_id').where('token_hash', '=', tokenHash).executeTakeFirst(),

    /** Consumes the link: of two callers the second finds it used. */
    takeLink: (tokenHash: Buffer, at: Date) =>
      db
        .updateTable('email_links')
        .set({ used_at: at })
        .where('token_hash', '=', tokenHash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', at)
        .returning('email')
        .executeTakeFirst(),

    lockAccount: (id: string) => accounts().select('password_hash').where('id', '=', id).forUpdate().executeTakeFirst(),

    /** Whether a session is still active. */
    isOpen: async (sessionId: string): Promise<boolean> =>
      (await db.selectFrom('sessions').select('id').where('id', '=', sessionId).where('ended_at', 'is', null).executeTakeFirst()) !==
      undefined,

    /** False if another account has the address; the transaction must then be rolled back. */
    setEmail: async (id: string, email: string, at: Date): Promise<boolean> => {
      try {
        // A claim is one of the former address.
        const claimed_at = sql<Date | null>`case when lower(email) = ${email} then claimed_at end`
        await db.updateTable('users').set({ email, email_confirmed_at: at, claimed_at }).where('id', '=', id).execute()
        return true
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === uniqueViolation) return false
        throw error
      }
    },

    /** Browsers that the account signed in with before a moment, newest first. */
    userAgentsBefore: async (userId: string, before: Date) =>
      (
        await db
          .selectFrom('sessions')
          .select('user_agent')
          .where('user_id', '=', userId)
          .where('created_at', '<', before)
          .orderBy('created_at', 'desc')
          .limit(100)
          .execute()
      ).map((row) => row.user_agent),
  }
}
