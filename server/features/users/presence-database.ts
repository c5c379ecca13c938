// Presence in the database: enough for a few processes without anything else installed.
import type { Db } from '#server/db/database.ts'
import { sql } from 'kysely'
import { presenceMs, tabsPerUserMax, type Presence } from './presence.ts'

/** Presence as rows with an end; one upsert per sign of life. */
export function databasePresence(db: Db): Presence {
  return {
    async see(tab, nowMs) {
      const expiresAt = new Date(nowMs + presenceMs)
      const { is_new: isNew } = await db
        .insertInto('presence')
        .values({ user_id: tab.userId, session_id: tab.sessionId, tab_id: tab.tabId, expires_at: expiresAt })
        .onConflict((conflict) => conflict.columns(['session_id', 'tab_id']).doUpdateSet({ expires_at: expiresAt }))
        .returning(sql<boolean>`xmax = 0`.as('is_new'))
        .executeTakeFirstOrThrow()
      if (!isNew) return
      await sql`delete from presence where (session_id, tab_id) in (
        select session_id, tab_id from presence where user_id = ${tab.userId} order by expires_at desc offset ${tabsPerUserMax})`.execute(
        db,
      )
    },
    async leave(tab) {
      await db.deleteFrom('presence').where('session_id', '=', tab.sessionId).where('tab_id', '=', tab.tabId).execute()
    },
    async leaveSession(sessionId) {
      await db.deleteFrom('presence').where('session_id', '=', sessionId).execute()
    },
    async onlineUserIds(nowMs) {
      const rows = await db
        .selectFrom('presence')
        .innerJoin('sessions', 'sessions.id', 'presence.session_id')
        .select('presence.user_id')
        .distinct()
        .where('presence.expires_at', '>', new Date(nowMs))
        .where('sessions.ended_at', 'is', null)
        .execute()
      return rows.map((row) => row.user_id)
    },
    async sweep(nowMs) {
      await db.deleteFrom('presence').where('expires_at', '<', new Date(nowMs)).execute()
    },
    close: () => Promise.resolve(),
  }
}
