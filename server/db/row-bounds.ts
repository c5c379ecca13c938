// Upper bounds of the tables that callers fill without an admin's doing; the cleanup job keeps them.
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** A table, what its rows are named by, and which of them matter least. */
const bounded = {
  rate_counters: { key: 'bucket', order: 'window_end' },
  idempotency_keys: { key: 'user_id, key', order: 'begun_at' },
  presence: { key: 'session_id, tab_id', order: 'expires_at' },
} as const

type RowBounds = Readonly<Record<keyof typeof bounded, number>>

const defaultBounds: RowBounds = { rate_counters: 500_000, idempotency_keys: 200_000, presence: 200_000 }

/** Deletes the oldest rows beyond each bound; answers how many went. */
export async function trimRows(db: Db, bounds: RowBounds = defaultBounds): Promise<number> {
  let deleted = 0
  for (const table of Object.keys(bounded) as (keyof typeof bounded)[]) {
    const { key, order } = bounded[table]
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where (${sql.raw(key)}) in (
        select ${sql.raw(key)} from ${sql.table(table)} order by ${sql.ref(order)} desc offset ${bounds[table]})`.execute(db)
    deleted += Number(numAffectedRows)
  }
  return deleted
}
