// Loses a machine under load and restores it: the newest state, and that of a moment. Prints what was lost and how long it took.
// Verifies the backup too, as it is and with one changed byte.
// Run: node lab/drills/restore.ts [--users 1000] [--writes 200] [--seconds 150]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, open, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { baseTime, listArchives } from '#server/backup/backup-folder.ts'
import { readReached } from '#server/backup/archive-wal.ts'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { openBesideServer } from '#server/open-database.ts'
import { Drill } from '../drill.ts'
import { addManyUsers } from '#server/testing/many-users.ts'
import { startServer } from '../server-process.ts'

const domain = 'drill.example'
const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000' },
    writes: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '150' },
  },
})
const [users, writesPerSecond, seconds] = [Number(values.users), Number(values.writes), Number(values.seconds)]
const lossMinutesMax = 5
const restoreMinutesMax = 15
const tickMs = 50
/** Adding a million users takes longer than any request. */
const limits = { statementTimeoutMs: 1_800_000 }
const log = (): void => {}

interface Write {
  readonly email: string
  readonly sentMs: number
  /** Undefined until the database has acknowledged it. Epoch milliseconds. */
  ackMs: number | undefined
}

const root = await mkdtemp(path.join(tmpdir(), 'tezi-restore-drill-'))
// Accessible to the unprivileged user that runs PostgreSQL.
await chmod(root, 0o755)
const key = Buffer.alloc(32, 9)
const folder = { dir: path.join(root, 'backups'), keys: [key] as const }
const environment = { MARKET_SOURCES: 'none', BACKUP_DIR: folder.dir, BACKUP_KEY: key.toString('base64') }
const drill = new Drill()
drill.figures['users'] = users
const first = path.join(root, 'first/data')
try {
  await mkdir(path.dirname(first), { mode: 0o755 })
  await prepare()
  const { writes, lostMs, middleMs } = await loadUntilLost()
  await verifyBackups()
  await restoreNewest(writes, lostMs)
  await restoreMoment(writes, middleMs)
} catch (error) {
  drill.problems.push(error instanceof Error ? error.message : String(error))
} finally {
  await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
if (!drill.summarize()) process.exitCode = 1

function openSite(dataDir: string): Promise<Database> {
  return openBesideServer({ dataDir, log, limits })
}

async function prepare(): Promise<void> {
  const database = await openSite(first)
  await migrate(database, log)
  await addManyUsers(database.db, { count: users, domain: 'base.example', hasPaid: true })
  await database.close()
  drill.log(`${users} users`)
}

/** A good backup is accepted. With one changed byte, the base backup and its oldest WAL are rejected. */
async function verifyBackups(): Promise<void> {
  const place = path.join(root, 'verify')
  const beginMs = performance.now()
  await tezi(['verify-backup'], place)
  drill.figures['verification, s'] = secondsSince(beginMs)
  drill.log('the backup is verified')
  const archive = (await listArchives(folder.dir)).findLast(({ bases }) => bases.length > 0)
  if (archive === undefined) throw new Error('there is no backup')
  const base = archive.bases.at(-1) ?? ''
  const firstWal = archive.wal.find(({ atMs }) => atMs > baseTime(base))
  let accepted = 0
  for (const name of [`${base}/data`, firstWal?.name ?? '']) {
    const file = path.join(folder.dir, archive.name, name)
    const begunMs = performance.now()
    await flipMiddleByte(file)
    const isNoticed = await tezi(['verify-backup'], place).then(
      () => false,
      (error: unknown) => error instanceof Error && error.message.includes('is damaged'),
    )
    await flipMiddleByte(file)
    if (!isNoticed) accepted += 1
    drill.log(`${isNoticed ? 'noticed' : 'NOT noticed'} after ${secondsSince(begunMs)} s: one byte of ${name} was changed`)
  }
  drill.goals.push({ text: 'damaged backups that verification accepts', figure: accepted, max: 0 })
}

function secondsSince(beginMs: number): string {
  return ((performance.now() - beginMs) / 1_000).toFixed(1)
}

async function flipMiddleByte(file: string): Promise<void> {
  const at = Math.floor((await stat(file)).size / 2)
  const handle = await open(file, 'r+')
  try {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at)
    buffer[0] = (buffer[0] ?? 0) ^ 1
    await handle.write(buffer, 0, 1, at)
  } finally {
    await handle.close()
  }
}

/** Writes beside a server that takes backups, and kills it. */
async function loadUntilLost(): Promise<{ writes: Write[]; lostMs: number; middleMs: number }> {
  // Also after an error: server and timer would keep the drill alive.
  await using started = new AsyncDisposableStack()
  const server = await startServer(first, { limitMs: 120_000, environment })
  started.defer(() => server.end('SIGKILL'))
  const database = await openSite(first)
  const writes: Write[] = []
  const timer = setInterval(() => {
    for (let left = (writesPerSecond * tickMs) / 1_000; left > 0; left -= 1) void write(database, writes)
  }, tickMs)
  started.defer(() => clearInterval(timer))
  const beginMs = performance.now()
  while ((await listArchives(folder.dir)).every(({ bases }) => bases.length === 0)) {
    if (performance.now() - beginMs > 900_000)
      throw new Error(`there was no base backup within 15 minutes:\n${server.output().slice(-2_000)}`)
    await delay(200)
  }
  drill.figures['first base backup, s'] = secondsSince(beginMs)
  await delay(seconds * 500)
  const middleMs = Date.now()
  await delay(seconds * 500)
  clearInterval(timer)
  const lostMs = Date.now()
  await server.end('SIGKILL')
  drill.problems.push(
    ...server
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":50')),
  )
  await rename(first, `${first}-lost`)
  await database.close().catch(() => {})
  drill.figures['acknowledged writes'] = writes.filter(({ ackMs }) => ackMs !== undefined).length
  drill.log('the machine is lost')
  return { writes, lostMs, middleMs }
}

async function write({ db }: Database, writes: Write[]): Promise<void> {
  const item: Write = { email: `user-${writes.length}@${domain}`, sentMs: Date.now(), ackMs: undefined }
  writes.push(item)
  const row = { name: 'Asha', email: item.email, phone: '9876543210', password_hash: 'x', created_at: new Date() }
  try {
    await db.insertInto('users').values(row).execute()
    item.ackMs = Date.now()
  } catch {
    // Not acknowledged: it may be there or not.
  }
}

async function restoreNewest(writes: readonly Write[], lostMs: number): Promise<void> {
  const archive = (await listArchives(folder.dir)).findLast(({ bases }) => bases.length > 0)
  const reachedMs = (await readReached(folder, archive?.name ?? '')).atMs
  const beginMs = performance.now()
  const newest = await restored('newest', [])
  const restoredMs = performance.now()
  const server = await startServer(newest, { limitMs: 300_000, environment })
  const restoreSeconds = (performance.now() - beginMs) / 1_000
  drill.figures['restore, s'] = ((restoredMs - beginMs) / 1_000).toFixed(1)
  drill.figures['start, s'] = (server.readyMs / 1_000).toFixed(1)
  const found = await emailsIn(newest)
  await server.end('SIGTERM')
  const missing = writes.filter(({ email, ackMs }) => ackMs !== undefined && !found.has(email))
  const early = missing.filter(({ ackMs }) => (ackMs ?? 0) < reachedMs)
  if (early.length > 0) drill.problems.push(`${early.length} writes that were acknowledged before the backups reach are missing`)
  const firstMs = Math.min(lostMs, ...missing.map(({ ackMs }) => ackMs ?? lostMs))
  drill.figures['lost writes'] = missing.length
  drill.goals.push({ text: 'time of lost writes, s', figure: Math.round((lostMs - firstMs) / 1_000), max: lossMinutesMax * 60 })
  drill.goals.push({ text: 'from the first command to /readyz, s', figure: Math.round(restoreSeconds), max: restoreMinutesMax * 60 })
  drill.log('the newest state is restored')
}

async function restoreMoment(writes: readonly Write[], toMs: number): Promise<void> {
  const earlier = await restored('earlier', ['--to', new Date(toMs).toISOString()])
  const found = await emailsIn(earlier)
  const missing = writes.filter(({ email, ackMs }) => ackMs !== undefined && ackMs < toMs && !found.has(email))
  const later = writes.filter(({ email, sentMs }) => sentMs > toMs && found.has(email))
  drill.goals.push({ text: 'writes before the moment that are missing', figure: missing.length, max: 0 })
  drill.goals.push({ text: 'writes after the moment that are there', figure: later.length, max: 0 })
  drill.log(`the state of ${new Date(toMs).toISOString()} is restored`)
}

/** Restores a backup with the command of an operator, and returns the new data folder. */
async function restored(name: string, args: readonly string[]): Promise<string> {
  await mkdir(path.join(root, name), { mode: 0o755 })
  const dataDir = path.join(root, name, 'data')
  await tezi(['restore', ...args], dataDir)
  return dataDir
}

async function tezi(args: readonly string[], dataDir: string): Promise<void> {
  const script = path.resolve(import.meta.dirname, '../../scripts/tezi.ts')
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env['PATH'], ENV_FILE: 'none', DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  // Not 'exit', which may come before the last output.
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`npx tezi ${args.join(' ')} ended with ${code}: ${errors.slice(-500)}`)
}

async function emailsIn(dataDir: string): Promise<ReadonlySet<string>> {
  const database = await openSite(dataDir)
  try {
    const rows = await database.db.selectFrom('users').select(['email']).where('email', 'like', `%@${domain}`).execute()
    return new Set(rows.map(({ email }) => email))
  } finally {
    await database.close()
  }
}
