// Use cases of users: who is online.
import type { Db } from '#server/db/database.ts'
import type { Presence, Tab } from './presence.ts'

/** Presence, and the list of online users for admins. */
export function usersService(options: { db: Db; presence: Presence; now: () => number }) {
  const { db, presence, now } = options
  return {
    beOnline: (tab: Tab) => presence.see(tab, now()),
    /** Number of accounts. */
    async count(): Promise<number> {
      const { count } = await db
        .selectFrom('users')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    beGone: (tab: Tab) => presence.leave(tab, now()),

    /** Users with an open tab by name; at most 500, which is more than the panel shows. */
    async online(): Promise<{ id: string; name: string; email: string }[]> {
      const ids = await presence.onlineUserIds(now())
      if (ids.length === 0) return []
      return db
        .selectFrom('users')
        .select(['id', 'name', 'email'])
        .where('id', 'in', ids.slice(0, 5000))
        .orderBy('name')
        .orderBy('id')
        .limit(500)
        .execute()
    },
  }
}
