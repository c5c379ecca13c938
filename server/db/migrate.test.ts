// Migrations: each runs once, also concurrently, and never on an unknown schema.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { writeAudit } from '../features/audit/service.ts'
import { freshDatabase } from '../testing/database.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'

let database: Database
let folder: string
const folderUrl = () => pathToFileURL(`${folder}/`)
const silent = () => {}

beforeEach(async () => {
  database = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), 'tezi-migrations-'))
  await cp(fileURLToPath(new URL('./migrations/', import.meta.url)), folder, { recursive: true })
})

afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

async function nextNumber(): Promise<string> {
  const { rows } = await sql<{ last: number }>`select max(version) as last from schema_migrations`.execute(database.db)
  return String((rows[0]?.last ?? 0) + 1).padStart(4, '0')
}

test('a second run changes nothing', async () => {
  const lines: string[] = []
  await migrate(database, (line) => lines.push(line))
  expect(lines).toEqual([])
})

test('the UDF keys of an older version go, and everything else of its database stays, the log of the keys included', async () => {
  const { db } = database
  await sql`drop schema public cascade`.execute(db)
  await sql`create schema public`.execute(db)
  await migrate(database, silent, { last: 28 })
  const at = new Date('2026-11-20T06:30:00Z')
  const user = await db
    .insertInto('users')
    .values({ name: 'Asha', email: 'asha@example.in', phone: '9876543210', password_hash: 'x', created_at: at })
    .returning(['id', 'email'])
    .executeTakeFirstOrThrow()
  await sql`insert into udf_keys (user_id, name, key_hash, prefix, created_at)
    values (${user.id}, 'OpenBB', ${Buffer.alloc(32)}, 'tezi_udf_Ab3-', ${at})`.execute(db)
  const target = { id: user.id, name: user.email }
  for (const action of ['udf-key-created', 'udf-key-revoked'] as const)
    await writeAudit(db, { at, actor: user, action, target, address: '192.0.2.9', details: { name: 'OpenBB', prefix: 'tezi_udf_Ab3-' } })
  const before = await contentsOf(database)
  await migrate(database, silent)
  const { udf_keys: keys, ...others } = before
  expect(keys).toHaveLength(1)
  expect(others).toMatchObject({ users: [{ name: 'Asha' }], audit_log: [{ action: 'udf-key-created' }, { action: 'udf-key-revoked' }] })
  expect(await contentsOf(database)).toEqual(others)
})

/** The rows of all tables but the one of the migrations. */
async function contentsOf({ db }: Database): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db)
  const names = tables.map(({ name }) => name).filter((name) => name !== 'schema_migrations')
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await sql`select * from ${sql.table(name)}`.execute(db)).rows] as const)),
  )
}

test('eight concurrent runs apply a file once', async () => {
  const file = `${await nextNumber()}_counted.sql`
  await writeFile(join(folder, file), 'create table counted (at timestamptz default now()); insert into counted default values;')
  const lines: string[] = []
  await Promise.all(Array.from({ length: 8 }, () => migrate(database, (line) => lines.push(line), { folder: folderUrl() })))
  const { rows } = await sql<{ count: string }>`select count(*)::text as count from counted`.execute(database.db)
  expect(rows).toEqual([{ count: '1' }])
  expect(lines).toEqual([`database changed: ${file.slice(0, -4)}`])
})

test('tests run as a role without rights outside their database, so that a missing grant is noticed', async () => {
  const { rows } = await sql<object>`
    select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user`.execute(database.db)
  expect(rows).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false }])
})

test('three processes that start at once on an empty database migrate once', async () => {
  await sql`drop schema public cascade`.execute(database.db)
  await sql`create schema public`.execute(database.db)
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db)
  const connection = JSON.stringify({ ...inject('testServer').connection, ...inject('testServer').application, database: rows[0]?.name })
  const program = fileURLToPath(new URL('../testing/migrate-worker.ts', import.meta.url))
  const runs = await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, [program, connection])))
  const applied = await sql<{ name: string }>`select name from schema_migrations order by version`.execute(database.db)
  const lines = runs.flatMap((run) => run.stdout.split('\n').filter(Boolean))
  expect(lines.toSorted()).toEqual(applied.rows.map((row) => `database changed: ${row.name}`))
})

test('a failing file leaves no changes', async () => {
  await writeFile(join(folder, `${await nextNumber()}_broken.sql`), 'create table half (id int); select 1/0;')
  await expect(migrate(database, silent, { folder: folderUrl() })).rejects.toThrow(/^the migration \d{4}_broken failed: division by zero$/)
  const { rows } = await sql<{ found: string | null }>`select to_regclass('half')::text as found`.execute(database.db)
  expect(rows).toEqual([{ found: null }])
})

test('a changed file is rejected', async () => {
  await writeFile(join(folder, '0001_accounts.sql'), 'select 1;')
  await expect(migrate(database, silent, { folder: folderUrl() })).rejects.toThrow(
    'the migration 0001_accounts was changed after it was applied',
  )
})

test('converted line endings are not a change', async () => {
  const file = join(folder, '0001_accounts.sql')
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('\n', '\r\n'))
  await expect(migrate(database, silent, { folder: folderUrl() })).resolves.toBeUndefined()
})

test('an older version rejects a newer schema', async () => {
  await writeFile(join(folder, `${await nextNumber()}_future.sql`), 'create table future (id int);')
  await migrate(database, silent, { folder: folderUrl() })
  await expect(migrate(database, silent)).rejects.toThrow('which this version of Tezi does not know')
})
