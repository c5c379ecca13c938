// Maximum sizes of the tables that users fill without an admin; enforced by the cleanup job.
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** A table, its key columns, and the order in which rows are dropped. */
const bounded = {
  rate_counters: { key: 'bucket', order: 'window_end' },
  idempotency_keys: { key: 'user_id, key', order: 'begun_at' },
  presence: { key: 'session_id, tab_id', order: 'expires_at' },
} as const

type RowBounds = Readonly<Record<keyof typeof bounded, number>>

const defaultBounds: RowBounds = { rate_counters: 500_000, idempotency_keys: 200_000, presence: 200_000 }

/** Deletes the oldest rows beyond each bound; returns the number of deleted rows. */
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
