// Copies a database of Tezi into a new one: its schema, all rows table by table, and a comparison of both.
import type { Readable } from 'node:stream'
import type { Client, PoolConfig } from 'pg'
import { migrate, readMigrations } from '../db/migrate.ts'
import { openPool } from '../db/open-pool.ts'
import { CopyCommand, CopyInput } from './copy-command.ts'

export interface Copy {
  /** Nothing else writes to it meanwhile. */
  readonly source: Client
  /** Of the owner of its tables. */
  readonly target: Client
  readonly log: (line: string) => void
}

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

interface Table {
  readonly name: string
  /** Without generated ones. */
  readonly columns: readonly string[]
}

const chunkBytes = 262_144

/** Notes of an upgrade in the new database: what is copied, and what it is copied from. */
const progress = 'tezi_upgrade.progress'

/** @throws Error naming everything that the source has and Tezi's schema has not: it would be lost */
async function rejectForeignObjects({ source, target }: Copy): Promise<void> {
  const [found, known] = [await objectsOf(source), new Set(await objectsOf(target))]
  const foreign = found.filter((name) => !known.has(name))
  if (foreign.length === 0) return
  const more = foreign.length > 5 ? ` and ${foreign.length - 5} more` : ''
  throw new Error(`the database has what Tezi did not make: ${foreign.slice(0, 5).join(', ')}${more}. Move it away, and try again`)
}

async function objectsOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select 'database ' || datname as name from pg_database where not datistemplate and datname <> current_database()
    union all
    select 'schema ' || nspname from pg_namespace
      where nspname !~ '^(pg_|tezi_upgrade$)' and nspname <> 'information_schema'
    union all
    select case relkind when 'i' then 'index ' else 'relation ' end || relname
      from pg_class where relnamespace = 'public'::regnamespace and relkind <> 't'
    union all
    select 'column ' || relname || '.' || attname || ' ' || format_type(atttypid, atttypmod)
      from pg_attribute join pg_class on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    union all
    select 'trigger ' || relname || '.' || tgname from pg_trigger join pg_class on tgrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and not tgisinternal
    union all
    select 'routine ' || oid::regprocedure from pg_proc
      where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    union all
    select 'large object ' || oid from pg_largeobject_metadata
    order by 1`)
  return rows.map(({ name }) => name)
}

/** Makes the place of the notes, which tells a database that is being filled. */
async function beginNotes({ target }: Copy): Promise<void> {
  await target.query(`create schema if not exists tezi_upgrade`)
  await target.query(`create table if not exists ${progress} (name text primary key, state text)`)
}

/** Whether the target continues the copy of exactly this source; a new target begins it. */
async function isSameSource({ source, target }: Copy): Promise<boolean> {
  // Every change of a row takes a transaction id.
  const { rows: states } = await source.query<{ state: string }>(
    `select system_identifier || ':' || pg_snapshot_xmax(pg_current_snapshot())::text as state from pg_control_system()`,
  )
  const state = states[0]?.state ?? ''
  await target.query(`insert into ${progress} values ('', $1) on conflict do nothing`, [state])
  const { rows } = await target.query<{ state: string }>(`select state from ${progress} where name = ''`)
  return rows[0]?.state === state
}

/** Copies what is not copied yet. Each table is copied in one transaction, so an interrupted copy goes on with the next table. */
async function copyContent(copy: Copy): Promise<void> {
  const { source, target, log } = copy
  const { rows } = await target.query<{ name: string }>(`select name from ${progress}`)
  const copied = new Set(rows.map(({ name }) => name))
  const { rows: rights } = await target.query<{ isPrivileged: boolean }>(
    `select has_parameter_privilege('session_replication_role', 'set') as "isPrivileged"`,
  )
  const isPrivileged = rights[0]?.isPrivileged === true
  const triggersOf = (table: Table, action: string): string => `alter table ${nameOf(target, table)} ${action} trigger user`
  for (const table of (await tablesInOrder(source)).filter(({ name }) => !copied.has(name))) {
    log(`copying ${table.name}`)
    await target.query('begin')
    // Rows are copied as they are. Only a superuser can turn foreign keys off as well.
    await target.query(isPrivileged ? 'set local session_replication_role = replica' : triggersOf(table, 'disable'))
    // Migrations may have filled it.
    await target.query(`delete from ${nameOf(target, table)}`)
    await copyTable(copy, table)
    if (!isPrivileged) await target.query(triggersOf(table, 'enable'))
    await target.query(`insert into ${progress} values ($1)`, [table.name])
    await target.query('commit')
  }
  for (const { name, value, isCalled } of await sequencesOf(source))
    await target.query('select setval($1::regclass, $2::bigint, $3)', [`public.${target.escapeIdentifier(name)}`, value, isCalled])
}

async function copyTable({ source, target }: Copy, table: Table): Promise<void> {
  const columns = table.columns.map((column) => source.escapeIdentifier(column)).join(', ')
  const output = new CopyCommand(`copy ${nameOf(source, table)} (${columns}) to stdout`)
  source.query(output)
  const input = new CopyInput(`copy ${nameOf(target, table)} (${columns}) from stdin`, inChunks(output.messages))
  target.query(input)
  await input.done
}

/** A message is a row, and a write for each is slow. */
async function* inChunks(rows: Readable): AsyncGenerator<Buffer> {
  let chunk: Buffer[] = []
  let bytes = 0
  for await (const row of rows as AsyncIterable<Buffer>) {
    chunk.push(row)
    bytes += row.length
    if (bytes < chunkBytes) continue
    yield Buffer.concat(chunk)
    chunk = []
    bytes = 0
  }
  yield Buffer.concat(chunk)
}

/** Counts and digests of all rows of every table, and the state of every sequence. @throws Error naming each difference */
async function compareContent({ source, target }: Copy): Promise<{ tables: number; rows: number }> {
  const tables = await tablesOf(source)
  const differences: string[] = []
  let count = 0
  for (const table of tables) {
    const [one, other] = await Promise.all([digestOf(source, table), digestOf(target, table)])
    count += Number(one.count)
    if (one.count !== other.count) differences.push(`${table.name} has ${other.count} rows instead of ${one.count}`)
    else if (one.digest !== other.digest) differences.push(`${table.name} has other rows`)
  }
  const [from, to] = [await sequencesOf(source), await sequencesOf(target)]
  for (const [index, sequence] of from.entries())
    if (JSON.stringify(sequence) !== JSON.stringify(to[index])) differences.push(`the sequence ${sequence.name} has another value`)
  if (differences.length > 0) throw new Error(`the new database differs from the old one: ${differences.join('; ')}. Nothing was changed`)
  return { tables: tables.length, rows: count }
}

/** Removes the notes and lets the planner know the tables. */
export async function finishCopy({ target }: Copy): Promise<void> {
  await target.query('drop schema tezi_upgrade cascade')
  await target.query('analyze')
}

async function tablesOf(client: Client): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select relname as name, array_agg(attname::text order by attnum) as columns
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped and attgenerated = ''
      group by relname order by relname`)
  return rows
}

/** Tables that others refer to come before those. */
async function tablesInOrder(client: Client): Promise<Table[]> {
  const tables = await tablesOf(client)
  const { rows } = await client.query<{ from: string; to: string }>(`
    select conrelid::regclass::text as "from", confrelid::regclass::text as "to"
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`)
  const ordered: Table[] = []
  while (ordered.length < tables.length) {
    const left = tables.filter((table) => !ordered.includes(table))
    const isLeft = (name: string): boolean => left.some((table) => table.name === name)
    const next = left.filter(({ name }) => !rows.some(({ from, to }) => from === name && isLeft(to)))
    // Tables that refer to each other have no order; only a superuser can copy them.
    ordered.push(...(next.length > 0 ? next : left))
  }
  return ordered
}

interface Sequence {
  readonly name: string
  readonly value: string
  readonly isCalled: boolean
}

async function sequencesOf(client: Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname`,
  )
  const found: Sequence[] = []
  for (const { name } of rows) {
    const { rows: states } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from public.${client.escapeIdentifier(name)}`,
    )
    if (states[0] !== undefined) found.push({ name, ...states[0] })
  }
  return found
}

async function digestOf(client: Client, table: Table): Promise<{ count: string; digest: string }> {
  const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ')
  const { rows } = await client.query<{ count: string; digest: string }>(
    `select count(*)::text as count, coalesce(sum(hashtextextended(row(${columns})::text, 0)::numeric), 0)::text as digest
      from ${nameOf(client, table)}`,
  )
  return rows[0] ?? { count: '', digest: '' }
}

const nameOf = (client: Client, { name }: Table): string => `public.${client.escapeIdentifier(name)}`
