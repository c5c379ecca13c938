// The embedded PostgreSQL of a data folder: exclusive, rejects data of another engine, and survives every kill.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launchServer } from './testing/process.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './open-database.ts'

const holder = fileURLToPath(new URL('./testing/database-process.ts', import.meta.url))
const silent = () => {}
const run = promisify(execFile)
/** Data with one user, created once and copied, because creating a cluster is slow. */
let seed: string
let folder: string
let dataDir: string
let children: ChildProcess[]

beforeAll(async () => {
  seed = await mkdtemp(join(tmpdir(), 'tezi-seed-'))
  dataDir = join(seed, 'data')
  await openedWith(['a@b.in'])
})

afterAll(() => rm(seed, { recursive: true, force: true }))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tezi-open-'))
  dataDir = join(folder, 'my data')
  children = []
})

afterEach(async () => {
  for (const child of children) await killed(child)
  // The engine of a killed process may still be stopping.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

/** Keeps owners and links, which `fs.cp` drops. */
const useSeed = () => run('cp', ['-a', join(seed, 'data'), dataDir])

function hold(): ChildProcess {
  const child = spawn(process.execPath, [holder, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  return child
}

/** The first line a process prints. */
async function says(child: ChildProcess): Promise<string> {
  const stdout = child.stdout
  if (!stdout) throw new Error('no output')
  const [chunk] = await once(stdout.setEncoding('utf8'), 'data')
  return String(chunk).trim()
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** Opens the data, adds users, closes it, and returns all emails. */
async function openedWith(added: readonly string[] = []): Promise<string[]> {
  const database = await openDatabase({ dataDir, log: silent })
  await migrate(database, silent)
  for (const email of added) {
    await database.db
      .insertInto('users')
      .values({ name: 'A', email, phone: '9876543210', password_hash: 'x', created_at: new Date(0) })
      .execute()
  }
  const rows = await database.db.selectFrom('users').select('email').orderBy('email').execute()
  await database.close()
  return rows.map((row) => row.email)
}

describe('a folder is rejected and not changed', () => {
  /** Names and contents of everything below the folder. */
  const contentOf = async (): Promise<Record<string, string>> => {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path, entry.isFile() ? await readFile(path, 'utf8') : ''] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  }

  const line = 'names the unknown engine "oracle"; expected embedded-postgres'

  test('of an unknown engine', async () => {
    await mkdir(dataDir, { recursive: true })
    await writeFile(join(dataDir, 'engine'), 'oracle\n')
    const before = await contentOf()
    await expect(openDatabase({ dataDir, log: silent })).rejects.toThrow(line)
    expect(await contentOf()).toEqual(before)
  })

  test('by a start of the server, with one line', async () => {
    await mkdir(dataDir, { recursive: true })
    await writeFile(join(dataDir, 'engine'), 'oracle\n')
    const before = await contentOf()
    const { output, ended } = launchServer({ PORT: '0', DATA_DIR: dataDir })
    expect(await ended).toBe(1)
    expect(output().trim()).toBe(`${join(dataDir, 'engine')} ${line}`)
    expect(await contentOf()).toEqual(before)
  })
})

test('an invalid address is rejected without quoting it', async () => {
  const databaseUrl = 'mysql://root:secret@host/x'
  await expect(openDatabase({ dataDir, databaseUrl, log: silent })).rejects.toThrow(/^DATABASE_URL is not a PostgreSQL address/)
  await expect(openDatabase({ dataDir, databaseUrl, log: silent })).rejects.not.toThrow('secret')
})

test('flushes commits, records its engine, rejects a second opening, keeps rows and accepts a relative folder with a space', async () => {
  await useSeed()
  dataDir = relative(process.cwd(), dataDir)
  const database = await openDatabase({ dataDir, log: silent })
  expect(database.engine).toBe('embedded-postgres')
  const { rows } = await sql`select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
    current_setting('full_page_writes') as pages, current_setting('listen_addresses') as network, lower('É') as lower`.execute(database.db)
  expect(rows).toEqual([{ fsync: 'on', commit: 'on', pages: 'on', network: '', lower: 'é' }])
  await expect(openDatabase({ dataDir, log: silent })).rejects.toThrow('is in use already by this process')
  await database.close()
  expect(await readFile(join(dataDir, 'engine'), 'utf8')).toBe('embedded-postgres\n')
  expect(await openedWith()).toEqual(['a@b.in'])
})

test('a second process is rejected with a clear line; after kill -9 the next one takes over', async () => {
  await useSeed()
  const first = hold()
  expect(await says(first)).toBe('ready')
  const line = `is in use by another Tezi process (pid ${first.pid})`
  await expect(openDatabase({ dataDir, log: silent })).rejects.toThrow(line)
  expect(await says(hold())).toContain(line)
  await killed(first)
  expect(await openedWith()).toEqual(['a@b.in'])
})

test('of four processes that start at once on a new folder one wins', async () => {
  const lines = await Promise.all([hold(), hold(), hold(), hold()].map(says))
  expect(lines.filter((line) => line === 'ready')).toHaveLength(1)
  expect(lines.filter((line) => line.includes('is in use by another Tezi process'))).toHaveLength(3)
})

test.each([
  ['while the lock is taken', 'lock', /./],
  ['while the cluster is made', 'postgres', /^new-/],
  ['just after the cluster is made', 'postgres', /^data$/],
])('a first start killed %s recovers', async (_moment, inside, name) => {
  const child = hold()
  const seen = (): boolean => existsSync(join(dataDir, inside)) && readdirSync(join(dataDir, inside)).some((entry) => name.test(entry))
  while (!seen()) await new Promise((resolve) => setTimeout(resolve, 1))
  await killed(child)
  expect(await openedWith(['a@b.in'])).toEqual(['a@b.in'])
  expect(readdirSync(join(dataDir, 'postgres')).filter((entry) => entry.startsWith('new-'))).toEqual([])
})

test('a stale PID file whose PID was reused does not stop the start', async () => {
  await useSeed()
  await writeFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), `${process.ppid}\n${dataDir}\n1\n5432\n\n\n\n`)
  expect(await openedWith()).toEqual(['a@b.in'])
})
