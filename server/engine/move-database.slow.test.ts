// Moves of the embedded database to a server of the operator, as a role that is no superuser: rejections, then every row.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ownPostgres, type OwnPostgres } from '#server/testing/own-postgres.ts'
import type { Database } from '../db/database.ts'
import { writeEngineState } from './engine-state.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../open-database.ts'
import { moveDatabase } from './move-database.ts'

const silent = (): void => {}
let postgres: OwnPostgres
let root: string
let dataDir: string
let databaseUrl: string
let count = 0

beforeAll(async () => {
  postgres = await ownPostgres()
  await postgres.query('create role site login')
  // Sessions that print and read times and numbers in another way.
  for (const [name, value] of Object.entries({ timezone: 'Asia/Kolkata', datestyle: 'German', bytea_output: 'escape' }))
    await postgres.query(`alter role site set ${name} = '${value}'`)
})
afterAll(() => postgres.close())
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tezi-move-'))
  dataDir = join(root, 'data')
  await newTarget()
})
afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

async function newTarget(): Promise<void> {
  const name = `site_${(count += 1)}`
  await postgres.query(`create database ${name} owner site`)
  databaseUrl = `postgres://site@127.0.0.1:${postgres.port}/${name}`
}

const move = (log: (line: string) => void = silent) => moveDatabase({ dataDir, databaseUrl, log })
const cutAt = (words: string) => (line: string) => {
  if (line === words) throw new Error('cut')
}

async function withDatabase<T>(options: { databaseUrl?: string }, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ dataDir, log: silent, ...options })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const addUser = ({ db }: Database, email: string) =>
  db
    .insertInto('users')
    .values({ name: 'आशा', email, phone: '9876543210', password_hash: 'x', created_at: new Date(1) })
    .execute()

const fill = () =>
  withDatabase({}, async (database) => {
    await migrate(database, silent)
    await addUser(database, 'asha@example.in')
    await addUser(database, 'ravi@example.in')
    await sql`insert into access_changes (user_id) select id from users`.execute(database.db)
  })

const emails = (options: { databaseUrl?: string }) =>
  withDatabase(options, async ({ db }) =>
    (await db.selectFrom('users').select('email').orderBy('email').execute()).map(({ email }) => email),
  )
const both = ['asha@example.in', 'ravi@example.in']

describe('rejected, and nothing is changed', () => {
  test('a folder without a database, of an older PostgreSQL, and one in use', async () => {
    await expect(move()).rejects.toThrow('has no database')
    await fill()
    await withDatabase({}, () => expect(move()).rejects.toThrow('is in use already by this process'))
    await writeFile(join(dataDir, 'postgres/data/PG_VERSION'), '17\n')
    await expect(move()).rejects.toThrow('Run npx tezi upgrade-database')
    await writeFile(join(dataDir, 'postgres/data/PG_VERSION'), '18\n')
    expect(await emails({})).toEqual(both)
  })

  test('something that is no address, a server that is away, and a database that is not empty', async () => {
    await fill()
    const to = (url: string) => moveDatabase({ dataDir, databaseUrl: url, log: silent })
    await expect(to('mysql://127.0.0.1/x')).rejects.toThrow('is not a PostgreSQL address')
    await expect(to(`postgres://site@127.0.0.1:${postgres.port}/nothing`)).rejects.toThrow('cannot be used: database "nothing"')
    await withDatabase({ databaseUrl }, ({ db }) => sql`create table my_notes (text text)`.execute(db))
    await expect(move()).rejects.toThrow('is not empty; make a new one. Nothing was changed')
    expect(await emails({})).toEqual(both)
  })

  test('tables of others, which would be lost', async () => {
    await fill()
    await withDatabase({}, ({ db }) => sql`create table my_notes (text text)`.execute(db))
    await expect(move()).rejects.toThrow('the database has what Tezi did not make: column my_notes.text text, relation my_notes.')
    await withDatabase({}, ({ db }) => sql`drop table my_notes`.execute(db))
    await move()
    expect(await emails({ databaseUrl })).toEqual(both)
  })

  test('a database that changed after an interruption; the server does not start on a half of it', async () => {
    await fill()
    await expect(move(cutAt('copying users'))).rejects.toThrow('cut')
    await expect(openDatabase({ dataDir, databaseUrl, log: silent })).rejects.toThrow('was interrupted; run npx tezi move-database again')
    await withDatabase({}, (database) => addUser(database, 'meera@example.in'))
    await expect(move()).rejects.toThrow('was changed since the copy was interrupted; make a new database')
    await newTarget()
    await move()
    expect(await emails({ databaseUrl })).toEqual(['asha@example.in', 'meera@example.in', 'ravi@example.in'])
  })
})

test('an interrupted move continues; all rows, sequences, triggers and foreign keys are there, and the folder is no longer started', async () => {
  await fill()
  await expect(move(cutAt('copying users'))).rejects.toThrow('cut')
  const lines: string[] = []
  const { rows } = await move((line) => lines.push(line))
  expect(lines).not.toContain('copying audit_log')
  expect(lines).toContain('copying users')
  expect(rows).toBeGreaterThan(4)

  expect(await emails({ databaseUrl })).toEqual(both)
  await withDatabase({ databaseUrl }, async (database) => {
    const { db } = database
    await migrate(database, silent)
    const { rows: times } = await sql<{ ms: number }>`select (extract(epoch from created_at) * 1000)::int as ms from users`.execute(db)
    expect(times).toEqual([{ ms: 1 }, { ms: 1 }])
    const { rows: before } = await sql<{ id: string }>`select max(id)::text as id from access_changes`.execute(db)
    const { rows: next } = await sql<{ id: string }>`
      insert into access_changes (user_id) values (gen_random_uuid()) returning id::text`.execute(db)
    expect(Number(next[0]?.id)).toBe(Number(before[0]?.id) + 1)
    await sql`insert into erasures (user_id, at) values (gen_random_uuid(), now())`.execute(db)
    await expect(sql`delete from erasures`.execute(db)).rejects.toThrow('are written once')
    await expect(
      sql`insert into chart_settings (user_id, flags, updated_at) values (gen_random_uuid(), '{}', now())`.execute(db),
    ).rejects.toThrow('foreign key')
    expect((await sql`select from pg_namespace where nspname = 'tezi_upgrade'`.execute(db)).rows).toEqual([])
  })

  await expect(openDatabase({ dataDir, log: silent })).rejects.toThrow('was moved to a PostgreSQL server: set DATABASE_URL')
  await expect(move()).rejects.toThrow('is not empty')
  await writeFile(join(dataDir, 'engine'), 'embedded-postgres\n')
  expect(await emails({})).toEqual(both)
})

test('a move that was interrupted after the folder was marked is finished by the next call', async () => {
  await fill()
  await expect(move(cutAt('comparing all rows'))).rejects.toThrow('cut')
  await writeEngineState(dataDir, 'moved')
  await move()
  expect(await emails({ databaseUrl })).toEqual(both)
})

test('a folder whose restore is unfinished is not moved', async () => {
  await fill()
  await mkdir(dataDir, { recursive: true })
  await writeFile(join(dataDir, 'engine'), 'restoring\n')
  await expect(move()).rejects.toThrow('a restore into')
})
