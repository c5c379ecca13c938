// The server process under attack, on a database with signed-in accounts.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/open-database.ts'
import { sessionCookie } from '#server/http/session.ts'
import { insertTestSession } from '#server/testing/insert-session.ts'
import { dayMs } from '#shared/base/durations.ts'
import { noticeVersion } from '#shared/privacy/notice-version.ts'
import { startServer } from '../server-process.ts'
import type { AbuseSession } from './attack.ts'

/** Other work on the machine may slow down the start. */
const startLimitMs = 180_000

export interface World {
  readonly address: string
  readonly pid: number
  readonly dataDir: string
  readonly attackers: readonly AbuseSession[]
  readonly honest: readonly AbuseSession[]
  close(): Promise<void>
}

export interface WorldOptions {
  /** Accounts of each kind. */
  readonly attackers: number
  readonly honest: number
  /** Of the attackers; others are free. */
  readonly hasPremium?: boolean
  readonly environment: Readonly<Record<string, string>>
}

/** On the embedded database in a temporary folder, or on DATABASE_URL. */
export async function openWorld({ attackers, honest, hasPremium = false, environment }: WorldOptions): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tezi-abuse-'))
  const dataDir = path.join(folder, 'data')
  const databaseUrl = process.env['DATABASE_URL']
  const place = { dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }) }
  const sessions = await addAccounts(place, { count: attackers + honest, premium: hasPremium ? attackers : 0 })
  const server = await startServer(dataDir, {
    limitMs: startLimitMs,
    environment: { ...environment, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) },
  })
  return {
    address: server.address,
    pid: server.pid,
    dataDir,
    attackers: sessions.slice(0, attackers),
    honest: sessions.slice(attackers),
    async close() {
      await server.end('SIGTERM')
      await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
    },
  }
}

/** The first `premium` of them have premium. */
async function addAccounts(
  place: { dataDir: string; databaseUrl?: string },
  { count, premium }: { readonly count: number; readonly premium: number },
): Promise<AbuseSession[]> {
  const database = await openDatabase({ ...place, log: () => {} })
  await migrate(database, () => {})
  const run = randomBytes(4).toString('hex')
  const at = new Date()
  const { name } = sessionCookie(false)
  const sessions: AbuseSession[] = []
  for (let index = 0; index < count; index += 1) {
    const { id } = await database.db
      .insertInto('users')
      .values({
        name: 'Abuse',
        email: `abuse-${run}-${index}@abuse.example`,
        phone: '9876543210',
        password_hash: 'none',
        created_at: at,
        consent_notice: noticeVersion,
        ...(index < premium ? { status: 'paid', premium_start: at, premium_end: new Date(at.getTime() + 30 * dayMs) } : {}),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const session = await insertTestSession(database.db, { userId: id, at, address: '127.0.0.1' })
    sessions.push({ cookie: `${name}=${session.cookie}`, token: session.sessionToken })
  }
  await database.close()
  return sessions
}

/** Memory of the server process in megabytes, without the database. Linux only. */
export async function rssMbOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}

/** CPU time of the server process in milliseconds. Linux only. */
export async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name may contain spaces, so fields are counted after it; they are in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
