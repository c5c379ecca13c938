// Presence in the database: enough for a few processes without Redis.
import type { Db } from '#server/db/database.ts'
import { sql } from 'kysely'
import { presenceMs, tabsPerUserMax, type Presence, type Tab } from './presence.ts'

/** Presence as rows with an expiry; one upsert per heartbeat. */
export function databasePresence(db: Db): Presence {
  return {
    async see(tab, nowMs) {
      const expiresAt = new Date(nowMs + presenceMs)
      const row = await db
        .insertInto('presence')
        .values({ user_id: tab.userId, session_id: tab.sessionId, tab_id: tab.tabId, expires_at: expiresAt, left_at: null })
        .onConflict((conflict) =>
          conflict.columns(['session_id', 'tab_id']).doUpdateSet({ expires_at: expiresAt }).where('presence.left_at', 'is', null),
        )
        .returning(sql<boolean>`xmax = 0`.as('is_new'))
        .executeTakeFirst()
      if (row?.is_new !== true) return
      // Skips rows that another call is deleting, because two calls that wait for each other's rows would deadlock.
      await sql`delete from presence where (session_id, tab_id) in (
        select session_id, tab_id from presence where (session_id, tab_id) in (
          select session_id, tab_id from presence where user_id = ${tab.userId} order by expires_at desc offset ${tabsPerUserMax})
        for update skip locked)`.execute(db)
    },
    async leave(tab, nowMs) {
      const expiresAt = new Date(nowMs + presenceMs)
      // A new tab is only added if the user is below the limit.
      await sql`insert into presence (user_id, session_id, tab_id, expires_at, left_at)
        select ${tab.userId}, ${tab.sessionId}, ${tab.tabId}, ${expiresAt}, ${new Date(nowMs)}
        where (select count(*) from presence where user_id = ${tab.userId}) < ${tabsPerUserMax}
          or exists (select from presence where session_id = ${tab.sessionId} and tab_id = ${tab.tabId})
        on conflict (session_id, tab_id) do update set left_at = excluded.left_at where presence.left_at is null`.execute(db)
    },
    async renew({ seen, gone }, nowMs) {
      // Without sessions that were deleted meanwhile, and their users.
      await sql`with gone as (
          delete from presence where (session_id, tab_id) in (
            select * from unnest(${columnOf(gone, 'sessionId')}::uuid[], ${columnOf(gone, 'tabId')}::uuid[])))
        insert into presence (user_id, session_id, tab_id, expires_at)
        select sessions.user_id, sessions.id, seen.tab_id, ${new Date(nowMs + presenceMs)}
        from unnest(${columnOf(seen, 'sessionId')}::uuid[], ${columnOf(seen, 'tabId')}::uuid[]) as seen (session_id, tab_id)
        join sessions on sessions.id = seen.session_id and sessions.ended_at is null
        on conflict (session_id, tab_id) do update set expires_at = excluded.expires_at`.execute(db)
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

function columnOf(tabs: readonly Tab[], name: 'sessionId' | 'tabId'): string[] {
  return tabs.map((tab) => tab[name])
}
