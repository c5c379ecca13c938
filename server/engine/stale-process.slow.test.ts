// A stale PostgreSQL of a killed server: stopped at the next start, whatever its state, without data loss.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../open-database.ts'
import { chooseOsUser, spawnAs } from './os-user.ts'
import { processBirth } from './data-lock.ts'

const holder = fileURLToPath(new URL('../testing/database-process.ts', import.meta.url))
let folder: string
let dataDir: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tezi-orphan-'))
  dataDir = join(folder, 'data')
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

/** Kills a server and the processes that would stop its PostgreSQL, which may also be frozen. */
async function orphan(isFrozen: boolean): Promise<number> {
  const child = spawn(process.execPath, [holder, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const pid = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10)
  for (const watcher of ancestorsBelow(pid, child.pid ?? 0)) process.kill(watcher, 'SIGKILL')
  if (isFrozen) process.kill(pid, 'SIGSTOP')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(processBirth(pid)).toBeDefined()
  return pid
}

/** An unrelated shell whose working directory is the data folder. */
function bystander(): ChildProcess {
  const cwd = join(dataDir, 'postgres', 'data')
  return spawn('/bin/sleep', ['600'], { ...spawnAs(chooseOsUser(cwd)), cwd, stdio: 'ignore' })
}

/** The shells that would stop it: its parent, and their other children. */
function ancestorsBelow(pid: number, top: number): number[] {
  const parentOf = (of: number) =>
    Number(
      readFileSync(`/proc/${of}/stat`, 'utf8')
        .replace(/.*\) \S /, '')
        .split(' ')[0],
    )
  const shell = parentOf(pid)
  if (parentOf(shell) !== top) throw new Error('the shell that watches PostgreSQL was not found')
  const children = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ').map(Number)
  return [...children.filter((child) => child !== pid), shell]
}

test.runIf(process.platform === 'linux').each([
  ['runs on', false],
  ['is frozen', true],
])(
  'one that %s',
  async (_what, isFrozen) => {
    const pid = await orphan(isFrozen)
    const lines: string[] = []
    const database = await openDatabase({ dataDir, log: (line) => lines.push(line) })
    expect(lines).toContain(`ending the PostgreSQL of an earlier run (pid ${pid})`)
    expect(processBirth(pid)).toBeUndefined()
    expect((await sql`select 1 from users`.execute(database.db)).rows).toEqual([])
    await database.close()
    // Two starts and a wait of seven seconds, which a busy machine slows down.
  },
  180_000,
)

test.runIf(process.platform === 'linux')('a process other than PostgreSQL is waited for', async () => {
  await (await openDatabase({ dataDir, log: () => {} })).close()
  const stranger = bystander()
  const lines: string[] = []
  const opening = openDatabase({
    dataDir,
    log: (line) => {
      lines.push(line)
      stranger.kill()
    },
  })
  const [, signal] = (await once(stranger, 'exit')) as [unknown, string]
  expect(signal).toBe('SIGTERM')
  await (await opening).close()
  expect(lines).toEqual([`waiting for the PostgreSQL of an earlier run to leave (pid ${stranger.pid})`])
})

test('moved data is detected before anything is acknowledged, and found again', async () => {
  const database = await openDatabase({ dataDir, log: () => {} })
  await database.ping()
  await rename(dataDir, `${dataDir}-moved`)
  const lost = `database unavailable: ${join(dataDir, 'postgres', 'data')} was deleted, moved or replaced`
  await expect(sql`create table kept (word text)`.execute(database.db)).rejects.toThrow(lost)
  await expect(database.ping()).rejects.toThrow(lost)
  await rename(`${dataDir}-moved`, dataDir)
  await database.ping()
  await database.close()
})

test('deleted data is detected, and the process can stop', async () => {
  const database = await openDatabase({ dataDir, log: () => {} })
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  await expect(sql`select 1`.execute(database.db)).rejects.toThrow(/database unavailable/)
  await expect(database.ping()).rejects.toThrow(/database unavailable/)
  await database.close()
})
