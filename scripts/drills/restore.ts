// Loses a machine under load and restores it: the newest state, and that of a moment. Prints what was lost and how long it took.
// Run: node scripts/drills/restore.ts [--users 1000] [--writes 200] [--seconds 150]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { listArchives } from '#server/db/backup/backup-folder.ts'
import { readReached } from '#server/db/backup/wal-archive.ts'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { openBesideServer } from '#server/db/open-beside-server.ts'
import { openDatabase } from '#server/db/open-database.ts'
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
const dataDir = path.join(root, 'data')
const key = Buffer.alloc(32, 9)
const folder = { path: path.join(root, 'backups'), keys: [key] as const }
const environment = { MARKET_SOURCES: 'none', BACKUP_DIR: folder.path, BACKUP_KEY: key.toString('base64') }
const drill = new Drill()
drill.figures['users'] = users
try {
  await prepare()
  const { writes, lostMs, middleMs } = await loadUntilLost()
  await restoreNewest(writes, lostMs)
  await restoreMoment(writes, middleMs)
} catch (error) {
  drill.problems.push(error instanceof Error ? error.message : String(error))
} finally {
  await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
if (!drill.summarize()) process.exitCode = 1

async function prepare(): Promise<void> {
  const database = await openDatabase({ dataDir, log })
  await migrate(database, log)
  await addManyUsers(database.db, { count: users, domain: 'base.example', hasPaid: true })
  await database.close()
  drill.log(`${users} users`)
}

/** Writes beside a server that takes backups, and kills it. */
async function loadUntilLost(): Promise<{ writes: Write[]; lostMs: number; middleMs: number }> {
  const server = await startServer(dataDir, { limitMs: 120_000, environment })
  const database = await openBesideServer({ dataDir, log })
  const writes: Write[] = []
  const timer = setInterval(() => {
    for (let left = (writesPerSecond * tickMs) / 1_000; left > 0; left -= 1) void write(database, writes)
  }, tickMs)
  const beginMs = performance.now()
  while ((await listArchives(folder.path)).every(({ bases }) => bases.length === 0)) {
    if (performance.now() - beginMs > 300_000) throw new Error('there was no base backup within 5 minutes')
    await delay(200)
  }
  drill.figures['first base backup, s'] = ((performance.now() - beginMs) / 1_000).toFixed(1)
  await delay(seconds * 500)
  const middleMs = Date.now()
  await delay(seconds * 500)
  clearInterval(timer)
  const lostMs = Date.now()
  await server.end('SIGKILL')
  await database.close().catch(() => {})
  await rename(dataDir, path.join(root, 'lost'))
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
  const archive = (await listArchives(folder.path)).findLast(({ bases }) => bases.length > 0)
  const reachedMs = (await readReached(folder, archive?.name ?? '')).atMs
  const beginMs = performance.now()
  await tezi(['restore'], dataDir)
  const restoredMs = performance.now()
  const server = await startServer(dataDir, { limitMs: 300_000, environment })
  const restoreSeconds = (performance.now() - beginMs) / 1_000
  drill.figures['restore, s'] = ((restoredMs - beginMs) / 1_000).toFixed(1)
  drill.figures['start, s'] = (server.readyMs / 1_000).toFixed(1)
  const found = await emailsIn(dataDir)
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
  const otherDir = path.join(root, 'earlier')
  await tezi(['restore', '--to', new Date(toMs).toISOString()], otherDir)
  const found = await emailsIn(otherDir)
  const missing = writes.filter(({ email, ackMs }) => ackMs !== undefined && ackMs < toMs && !found.has(email))
  const later = writes.filter(({ email, sentMs }) => sentMs > toMs && found.has(email))
  drill.goals.push({ text: 'writes before the moment that are missing', figure: missing.length, max: 0 })
  drill.goals.push({ text: 'writes after the moment that are there', figure: later.length, max: 0 })
  drill.log(`the state of ${new Date(toMs).toISOString()} is restored`)
}

async function tezi(args: readonly string[], dir: string): Promise<void> {
  const script = path.resolve(import.meta.dirname, '../tezi.ts')
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env['PATH'], ENV_FILE: 'none', DATA_DIR: dir, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`npx tezi ${args.join(' ')} ended with ${code}: ${errors.slice(-500)}`)
}

async function emailsIn(dir: string): Promise<ReadonlySet<string>> {
  const database = await openBesideServer({ dataDir: dir, log })
  try {
    const rows = await database.db.selectFrom('users').select(['email']).where('email', 'like', `%@${domain}`).execute()
    return new Set(rows.map(({ email }) => email))
  } finally {
    await database.close()
  }
}
