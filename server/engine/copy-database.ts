// Copies a database of Tezi into a new one: its schema, all rows, and a comparison of both.
import type { Client, PoolConfig } from 'pg'
import { migrate, readMigrations } from '../db/migrate.ts'
import { openPool } from '../db/postgres.ts'
import { beginNotes, compareContent, copyContent, isSameSource, rejectForeignObjects, type Copy } from './copy-content.ts'

export interface Compared {
  readonly tables: number
  readonly rows: number
}

/** Both sides print and read times and numbers alike, and no limit of a role cuts a long table. */
const sessionSettings = `
  set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`

/**
 * Makes the schema of the source in the target, copies what is not copied yet, and compares all rows. The target keeps the notes
 * of the copy until `finishCopy`.
 * @param options connection of the target, and what to do about a source that changed since an interrupted copy
 * @throws Error for a database that cannot be copied, and for any difference
 */
export async function copyDatabase(copy: Copy, options: { connection: PoolConfig; ifChanged: string }): Promise<Compared> {
  for (const client of [copy.source, copy.target]) await client.query(sessionSettings)
  await copy.source.query('set default_transaction_read_only = on')
  const last = await schemaVersion(copy.source)
  await beginNotes(copy)
  const pool = openPool({ connection: options.connection, log: copy.log, limits: { size: 2 } })
  try {
    await migrate({ engine: 'postgres', ...pool }, () => {}, { last })
  } finally {
    await pool.close()
  }
  await rejectForeignObjects(copy)
  if (!(await isSameSource(copy))) throw new Error(`the database was changed since the copy was interrupted; ${options.ifChanged}`)
  await copyContent(copy)
  copy.log('comparing all rows')
  return compareContent(copy)
}

/** Number of the last migration. @throws Error if this version does not have the migrations of the database */
async function schemaVersion(source: Client): Promise<number> {
  const known = await readMigrations()
  const { rows } = await source.query<{ name: string; checksum: string }>('select name, checksum from schema_migrations order by version')
  const isKnown = rows.every(({ name, checksum }, index) => known[index]?.name === name && known[index].checksum === checksum)
  if (!isKnown) throw new Error('the database has a schema that this version of Tezi does not know; start the newer version')
  return rows.length
}
