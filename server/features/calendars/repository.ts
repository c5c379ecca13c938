// The SQL of the imported holiday lists.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { CalendarList } from '#shared/trading-hours/calendar-list.ts'
import { calendarListSchema } from '#shared/trading-hours/calendar-list-schema.ts'

export interface StoredLists {
  /** Changes with every import. */
  readonly revision: string
  readonly lists: readonly CalendarList[]
}

/** @throws OutageError */
export async function readCalendarLists(db: Db): Promise<StoredLists> {
  const rows = await db.selectFrom('calendar_lists').selectAll().orderBy('exchange').execute()
  return {
    revision: rows.map((row) => `${row.exchange} ${row.revision}`).join(),
    lists: rows.map((row) => calendarListSchema.parse(row.list)),
  }
}

/** Imports wait for each other until their transaction ends. */
export async function lockCalendarLists(transaction: Db): Promise<void> {
  await sql`lock table calendar_lists in share row exclusive mode`.execute(transaction)
}

export async function writeCalendarList(db: Db, list: CalendarList, at: Date): Promise<void> {
  const row = { list: JSON.stringify(list), updated_at: at }
  await db
    .insertInto('calendar_lists')
    .values({ exchange: list.exchange, ...row })
    .onConflict((conflict) => conflict.column('exchange').doUpdateSet({ ...row, revision: sql<number>`calendar_lists.revision + 1` }))
    .execute()
}
