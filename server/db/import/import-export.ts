// Imports a database export into an empty database, in one transaction.
import { sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import { liftTimeouts } from '../lift-timeouts.ts'
import { migrate, readMigrations } from '../migrate.ts'
import type { Tables } from '../tables.ts'
import { ExportFileError, readExport, sameCounts, type ExportFooter, type ExportTable } from './export-file.ts'

/** A validated file that can be imported. */
export interface CheckedExport {
  readonly file: string
  /** Number of the last migration of the rows' schema. */
  readonly schemaVersion: number
  readonly rowCount: number
}

type ImportTransaction = Transaction<Tables>
/** Column names and types of each table. */
type Columns = ReadonlyMap<string, ReadonlyMap<string, string>>

/** A statement is sent at either limit. */
const batchRowsMax = 1000
const batchCharactersMax = 2_000_000

/**
 * Reads the whole file without a database.
 * @throws ExportFileError if it is damaged or its schema is unknown to this version
 */
export async function checkExport(file: string): Promise<CheckedExport> {
  const known = await readMigrations()
  let schemaVersion = 0
  let rowCount = 0
  for await (const part of readExport(file)) {
    if (part.kind === 'row') rowCount += 1
    if (part.kind !== 'header') continue
    const { migrations, tezi } = part.header
    const isKnown = migrations.every(({ name, checksum }, index) => known[index]?.name === name && known[index].checksum === checksum)
    if (!isKnown) throw new ExportFileError(`${file} was written by Tezi ${tezi} with a schema that this version does not know`)
    schemaVersion = migrations.length
  }
  return { file, schemaVersion, rowCount }
}

/**
 * Imports all rows in one transaction, compares the counts, and then migrates the schema.
 * @throws ExportFileError if the database has rows or a newer schema; it is then unchanged
 */
export async function importExport(database: Database, checked: CheckedExport, log: (line: string) => void): Promise<void> {
  // The rows need their original schema; later migrations then process them like any other rows.
  await migrate(database, log, { last: checked.schemaVersion })
  await database.db.transaction().execute((transaction) => load(transaction, checked))
  await migrate(database, log)
}

async function load(transaction: ImportTransaction, { file, schemaVersion }: CheckedExport): Promise<void> {
  await liftTimeouts(transaction)
  const columns = await readColumns(transaction)
  const tables = [...columns.keys()]
  // A server that uses this database must not write between the check and the commit.
  await sql`lock table ${sql.join(tables.map((name) => sql.table(name)))} in share row exclusive mode`.execute(transaction)
  await rejectNewerSchema(transaction, schemaVersion)
  await rejectRows(transaction, tables)
  // Triggers protect and record changes, and an import is not a change. Foreign keys stay active.
  for (const name of tables) await sql`alter table ${sql.table(name)} disable trigger user`.execute(transaction)
  const footer = await loadRows(transaction, file, columns)
  for (const name of tables) await sql`alter table ${sql.table(name)} enable trigger user`.execute(transaction)
  if (!sameCounts(await countRows(transaction, tables), footer.rows))
    throw new ExportFileError('the imported rows are not those of the file; nothing was imported')
  for (const { table, column, value, isCalled } of footer.sequences) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${value}::bigint, ${isCalled}::boolean)`.execute(transaction)
  }
}

async function loadRows(transaction: ImportTransaction, file: string, columns: Columns): Promise<ExportFooter> {
  let insert: ((lines: readonly string[]) => Promise<void>) | undefined
  let lines: string[] = []
  let characters = 0
  const flush = async (): Promise<void> => {
    if (lines.length > 0) await insert?.(lines)
    lines = []
    characters = 0
  }
  for await (const part of readExport(file)) {
    if (part.kind === 'row') {
      lines.push(part.line)
      characters += part.line.length
      if (lines.length >= batchRowsMax || characters >= batchCharactersMax) await flush()
      continue
    }
    await flush()
    if (part.kind === 'table') insert = inserter(transaction, part.table, columns)
    if (part.kind === 'footer') return part.footer
  }
  throw new ExportFileError(`${file} has no end; nothing was imported`)
}

/** Returns a function that inserts lines of rows: each value is cast from text to its column's type. */
function inserter(
  transaction: ImportTransaction,
  { table, columns: names }: ExportTable,
  columns: Columns,
): (lines: readonly string[]) => Promise<void> {
  const values = names.map((name, index) => {
    const type = columns.get(table)?.get(name)
    if (type === undefined) throw new ExportFileError(`the database has no column ${table}.${name}; nothing was imported`)
    return sql`(fields->>${sql.lit(index)})::${sql.raw(type)}`
  })
  const into = sql`${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})`
  return async (lines) => {
    await sql`insert into ${into} overriding system value
      select ${sql.join(values)} from jsonb_array_elements(${`[${lines.join(',')}]`}::jsonb) as fields`.execute(transaction)
  }
}

/** All tables except the migrations, with their writable columns. */
async function readColumns(transaction: ImportTransaction): Promise<Columns> {
  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select relname as table, attname as column, format_type(atttypid, atttypmod) as type
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> 'schema_migrations'
      and attnum > 0 and not attisdropped and attgenerated = ''`.execute(transaction)
  const columns = new Map<string, Map<string, string>>()
  for (const { table, column, type } of rows) columns.set(table, (columns.get(table) ?? new Map<string, string>()).set(column, type))
  return columns
}

async function rejectNewerSchema(transaction: ImportTransaction, schemaVersion: number): Promise<void> {
  const { rows } = await sql<{ version: number }>`select max(version) as version from schema_migrations`.execute(transaction)
  if (rows[0]?.version !== schemaVersion)
    throw new ExportFileError('the database has a newer schema than the file; import into a new one. Nothing was changed')
}

async function rejectRows(transaction: ImportTransaction, tables: readonly string[]): Promise<void> {
  for (const name of tables) {
    const { rows } = await sql`select from ${sql.table(name)} limit 1`.execute(transaction)
    if (rows.length > 0)
      throw new ExportFileError(`the database is not empty: ${name} has rows; import into a new one. Nothing was imported`)
  }
}

async function countRows(transaction: ImportTransaction, tables: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of tables) {
    const { rows } = await sql<{ count: string }>`select count(*)::text as count from ${sql.table(name)}`.execute(transaction)
    counts[name] = Number(rows[0]?.count)
  }
  return counts
}
