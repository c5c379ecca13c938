// The SQL of consent, and of the account columns that show it.
import { sql, type Insertable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'

export type NewConsent = Insertable<Tables['consents']>

const accountColumns = ['id', 'role', 'status', 'premium_end', 'subscription_months', 'consent_notice', 'consent_withdrawn_at'] as const

/** Queries on one database or transaction; all times come from the caller. */
export function privacyRepository(db: Db) {
  return {
    findAccount: (id: string) => db.selectFrom('users').select(accountColumns).where('id', '=', id).executeTakeFirst(),

    /** Locks the account's row until the transaction ends, as every change of a subscription does. */
    lockAccount: (id: string) =>
      db
        .selectFrom('users')
        .select([...accountColumns, 'search'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst(),

    /** Ids of all admins, locked in a fixed order, so that two who leave at once are serialized. */
    lockAdmins: async (): Promise<string[]> => {
      const rows = await db.selectFrom('users').select('id').where('role', '=', 'admin').orderBy('id').forUpdate().execute()
      return rows.map((row) => row.id)
    },

    addConsent: async (consent: NewConsent): Promise<void> => {
      await db.insertInto('consents').values(consent).execute()
      const isGiven = consent.act === 'given'
      await db
        .updateTable('users')
        .set({ consent_notice: isGiven ? consent.notice_version : null, consent_withdrawn_at: isGiven ? null : consent.at })
        .where('id', '=', consent.user_id)
        .execute()
    },

    lastConsent: (userId: string) =>
      db
        .selectFrom('consents')
        .select(['at', 'notice_version'])
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),

    /** Accounts but some whose consent was withdrawn before a moment, the oldest first; without admins, about whom another admin decides. */
    withdrawnBefore: async (moment: Date, except: readonly string[], limit: number): Promise<string[]> => {
      const rows = await db
        .selectFrom('users')
        .select('id')
        .where('consent_withdrawn_at', '<', moment)
        .where('role', '=', 'user')
        .where('id', '<>', sql<string>`all(${except}::uuid[])`)
        .orderBy('consent_withdrawn_at')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },
  }
}
