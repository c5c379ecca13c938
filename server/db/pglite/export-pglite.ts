// Writes all rows of a data folder that PGlite made into one file, in one snapshot, without a change to the folder.
import { createHash } from 'node:crypto'
import { cp, mkdtemp, open, readFile, realpath, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { sql, type Transaction } from 'kysely'
import { lockDataDir } from '../embedded/data-lock.ts'
import { syncPath } from '../embedded/durable.ts'
import { readEngine } from '../embedded/engine-file.ts'
import type { ExportFooter, ExportHeader, ExportTable } from '../import/export-file.ts'
import { migrate, readMigrations } from '../migrate.ts'
import type { Tables } from '../tables.ts'
import { openPglite } from './open-pglite.ts'

/** Rows read in one step; drawings and images make some of them large. */
const fetchRows = 250

interface ExportOptions {
  readonly dataDir: string
  /** Must not exist; only its owner may read it. */
  readonly file: string
  readonly log: (line: string) => void
}

/**
 * Answers the number of exported rows once the file is on the disk. A copy beside the file is opened, repaired and migrated
 * in place of the folder. Throws one clear line, and leaves no file, when the folder is not PGlite's or is in use.
 */
export async function exportPglite({ dataDir: given, file, log }: ExportOptions): Promise<number> {
  const dataDir = await realpath(given)
  const isPglite = (await readEngine(dataDir)) === 'pglite' && (await stat(join(dataDir, 'pglite', 'data')).catch(() => undefined))
  if (!isPglite) throw new Error(`${dataDir} has no data written by PGlite`)
  const handle = await open(file, 'wx', 0o600)
  let isDone = false
  try {
    const copy = await mkdtemp(join(dirname(resolve(file)), 'tezi-export-'))
    try {
      const lock = await lockDataDir(dataDir)
      try {
        await cp(join(dataDir, 'pglite'), join(copy, 'pglite'), { recursive: true })
      } finally {
        await lock.release()
      }
      const rowCount = await exportCopy(copy, handle, log)
      await handle.sync()
      isDone = true
      return rowCount
    } finally {
      await rm(copy, { recursive: true, force: true })
    }
  } finally {
    await handle.close()
    if (isDone) await syncPath(dirname(resolve(file)))
    else await rm(file, { force: true })
  }
}

async function exportCopy(dataDir: string, handle: FileHandle, log: (line: string) => void): Promise<number> {
  const database = await openPglite({ dataDir, log })
  try {
    await migrate(database, log)
    return await database.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((transaction) => writeRows(transaction, handle))
  } finally {
    await database.close()
  }
}

async function writeRows(transaction: Transaction<Tables>, handle: FileHandle): Promise<number> {
  await sql`set local statement_timeout = 0`.execute(transaction)
  await sql`set local datestyle = 'ISO'`.execute(transaction)
  const hash = createHash('sha256')
  const write = async (line: string): Promise<void> => {
    hash.update(`${line}\n`)
    await handle.appendFile(`${line}\n`)
  }
  const migrations = (await readMigrations()).map(({ name, checksum }) => ({ name, checksum }))
  await write(JSON.stringify({ format: 'tezi-export', version: 1, tezi: await ownVersion(), migrations } satisfies ExportHeader))
  const rows: Record<string, number> = {}
  for (const table of await parentsFirst(transaction)) {
    await write(JSON.stringify(table))
    rows[table.table] = await writeTable(transaction, table, write)
  }
  const sequences = await readSequences(transaction)
  await handle.appendFile(`${JSON.stringify({ rows, sequences, sha256: hash.digest('hex') } satisfies ExportFooter)}\n`)
  return Object.values(rows).reduce((sum, count) => sum + count, 0)
}

async function writeTable(
  transaction: Transaction<Tables>,
  { table, columns }: ExportTable,
  write: (line: string) => Promise<void>,
): Promise<number> {
  const values = sql.join(columns.map((column) => sql`${sql.ref(column)}::text`))
  await sql`declare exported no scroll cursor for select json_build_array(${values})::text as line from ${sql.table(table)}`.execute(
    transaction,
  )
  let count = 0
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(fetchRows)} from exported`.execute(transaction)
    if (rows.length === 0) break
    count += rows.length
    await write(rows.map(({ line }) => line).join('\n'))
  }
  await sql`close exported`.execute(transaction)
  return count
}

/** Tables with their written columns, each after those that its foreign keys name. */
async function parentsFirst(transaction: Transaction<Tables>): Promise<ExportTable[]> {
  const { rows } = await sql<ExportTable & { parents: string[] }>`
    select relname as table,
      array(select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
      array(select parent.relname::text from pg_constraint join pg_class as parent on parent.oid = confrelid
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as parents
    from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> 'schema_migrations'
    order by relname`.execute(transaction)
  const sorted: ExportTable[] = []
  const add = (name: string): void => {
    const found = rows.find((row) => row.table === name)
    if (!found || sorted.some((row) => row.table === name)) return
    found.parents.forEach(add)
    sorted.push({ table: found.table, columns: found.columns })
  }
  rows.forEach((row) => add(row.table))
  return sorted
}

async function readSequences(transaction: Transaction<Tables>): Promise<ExportFooter['sequences']> {
  const { rows: owned } = await sql<{ table: string; column: string; sequence: string }>`
    select owner.relname as table, attname as column, pg_class.relname as sequence
    from pg_class join pg_depend on objid = pg_class.oid and deptype in ('a', 'i')
      join pg_class as owner on owner.oid = refobjid join pg_attribute on attrelid = refobjid and attnum = refobjsubid
    where pg_class.relkind = 'S' and pg_class.relnamespace = current_schema()::regnamespace order by pg_class.relname`.execute(transaction)
  const sequences: ExportFooter['sequences'] = []
  for (const { table, column, sequence } of owned) {
    const { rows } = await sql<{ value: string; isCalled: boolean }>`
      select last_value::text as value, is_called as "isCalled" from ${sql.table(sequence)}`.execute(transaction)
    sequences.push(...rows.map((row) => ({ table, column, ...row })))
  }
  return sequences
}

async function ownVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
  return manifest.version
}
