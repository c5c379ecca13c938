// Presence in the database: enough for a few processes without anything else installed.
import type { Db } from '#server/db/database.ts'
import { sql } from 'kysely'
import { presenceMs, tabsPerUserMax, type Presence, type Tab } from './presence.ts'

/** Presence as rows with an end; one upsert per sign of life. */
export function databasePresence(db: Db): Presence {
  /** Writes a row and keeps the number of rows per user bounded; a tab that has left stays so. */
  async function write(tab: Tab, expiresAt: Date, leftAt: Date | null): Promise<void> {
    const row = await db
      .insertInto('presence')
      .values({ user_id: tab.userId, session_id: tab.sessionId, tab_id: tab.tabId, expires_at: expiresAt, left_at: leftAt })
      .onConflict((conflict) =>
        conflict
          .columns(['session_id', 'tab_id'])
          .doUpdateSet({ expires_at: expiresAt, left_at: leftAt })
          .where('presence.left_at', 'is', null),
      )
      .returning(sql<boolean>`xmax = 0`.as('is_new'))
      .executeTakeFirst()
    if (row?.is_new !== true) return
    await sql`delete from presence where (session_id, tab_id) in (
      select session_id, tab_id from presence where user_id = ${tab.userId} order by expires_at desc offset ${tabsPerUserMax})`.execute(db)
  }
  return {
    see: (tab, nowMs) => write(tab, new Date(nowMs + presenceMs), null),
    leave: (tab, nowMs) => write(tab, new Date(nowMs + presenceMs), new Date(nowMs)),
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
        .where('presence.left_at', 'is', null)
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
