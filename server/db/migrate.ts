// Migrates the schema: numbered SQL files, each once, in one transaction, safe for concurrent starts.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { sql, type Transaction } from 'kysely'
import { OutageError } from '../outages/outage-error.ts'
import type { Database } from './database.ts'
import { liftTimeouts } from './lift-timeouts.ts'
import type { Tables } from './tables.ts'

interface Migration {
  readonly version: number
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/** Advisory lock id: any fixed number shared by all processes. */
const lockKey = 7_239_412_018

const ownMigrations = new URL('./migrations/', import.meta.url)

interface MigrateOptions {
  readonly folder?: URL
  /** The last version to apply; all if undefined. */
  readonly last?: number
}

/**
 * Runs the missing migrations of `folder` in order. Concurrent calls are safe; each file runs once.
 * Throws one clear line if an applied file was changed or the database is newer than the files.
 */
export async function migrate(database: Database, log: (line: string) => void, options: MigrateOptions = {}): Promise<void> {
  const { folder = ownMigrations, last = Infinity } = options
  const known = await readMigrations(folder)
  for (;;) {
    const applied = await database.db.transaction().execute((transaction) => applyNext(transaction, known, last))
    if (!applied) return
    log(`database changed: ${applied.name}`)
  }
}

/** The migrations of a folder in order, the first with version 1. */
export async function readMigrations(folder: URL = ownMigrations): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (file, index) => {
      const [, number, name] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file) ?? []
      if (Number(number) !== index + 1 || name === undefined)
        throw new Error(`${file} is not a migration name: numbers run without a gap from 0001_name.sql`)
      // A checkout may convert line endings; that is not a schema change.
      const text = (await readFile(new URL(file, folder), 'utf8')).replaceAll('\r\n', '\n')
      return { version: index + 1, name: file.slice(0, -4), text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** Applies the first missing migration up to `last` and returns it; undefined if there is none. */
async function applyNext(transaction: Transaction<Tables>, known: Migration[], last: number): Promise<Migration | undefined> {
  // Index builds and waiting for another process may take longer than any request.
  await liftTimeouts(transaction)
  await sql`select pg_advisory_xact_lock(${sql.lit(lockKey)})`.execute(transaction)
  await sql`create table if not exists schema_migrations (
    version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`.execute(
    transaction,
  )
  const { rows } = await sql<{ version: number; name: string; checksum: string }>`
    select version, name, checksum from schema_migrations order by version`.execute(transaction)
  for (const row of rows) {
    const match = known[row.version - 1]
    if (!match)
      throw new Error(`the database has the change ${row.name}, which this version of Tezi does not know; start the newer version`)
    if (match.checksum !== row.checksum)
      throw new Error(`the migration ${row.name} was changed after it was applied; put the old file back and add a new one`)
  }
  const next = known.find((migration) => migration.version <= last && !rows.some((row) => row.version === migration.version))
  if (!next) return undefined
  await sql
    .raw(next.text)
    .execute(transaction)
    .catch((error: unknown) => {
      if (error instanceof OutageError) throw error
      throw new Error(`the migration ${next.name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    })
  await sql`insert into schema_migrations (version, name, checksum) values (${next.version}, ${next.name}, ${next.checksum})`.execute(
    transaction,
  )
  return next
}
