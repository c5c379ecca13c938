// The admin's All Users call with 1,000, 100,000 and 1,000,000 users: search, date range, sort, deep page; p50, p99 and growth.
// Usage: node lab/bench/users.ts [largest size] [only] [no-embedded]   (DATABASE_URL adds a PostgreSQL server; its database must be empty and is emptied again)
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import type { Database, Db } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/open-database.ts'
import { databasePresence } from '#server/features/users/database-presence.ts'
import { usersService } from '#server/features/users/service.ts'
import { DatabaseRateLimiter } from '#server/http/rate-limiter.ts'
import { addManyUsers } from '#server/testing/many-users.ts'

const largest = Number(process.argv[2] ?? 1_000_000)
const isLargestOnly = process.argv[3] === 'only'
const sizes = [1_000, 100_000, 1_000_000].filter((size) => (isLargestOnly ? size === largest : size <= largest))
/** Skipped for a run that measures the other server alone. */
const hasEmbedded = process.argv[4] !== 'no-embedded'
const runs = 100
const perPage = 13

const nowMs = Date.parse('2026-11-20T06:00:00Z')
const cells: Record<string, (size: number) => Record<string, unknown>> = {
  'newest, page 1': () => ({}),
  'newest, deep page': (size) => ({ page: Math.min(Math.floor(size / perPage), 7_600) }),
  'sort up, page 1': () => ({ sort: 'asc' }),
  'sort down, deep page': (size) => ({ sort: 'desc', page: Math.min(Math.floor(size / 2 / perPage), 7_600) }),
  'search one letter': () => ({ search: 'r' }),
  'search two letters': () => ({ search: 'sh' }),
  'search two rare letters': () => ({ search: 'zq' }),
  'search first name': () => ({ search: 'ravi' }),
  'search first name, page 70': () => ({ search: 'ravi', page: 70 }),
  'search last name, sort up': () => ({ search: 'sharma', sort: 'asc' }),
  'search common piece': () => ({ search: '8@ex' }),
  'search name piece': () => ({ search: 'iya sha' }),
  'search email piece': () => ({ search: '77@exam' }),
  'search UTR piece': () => ({ search: '6324000005' }),
  'search without a hit': () => ({ search: 'zzzq' }),
  'search and date range': () => ({ search: 'rao', from: '2026-03-01', to: '2026-03-31', sort: 'desc' }),
  'date range, sort up': () => ({ from: '2026-03-01', to: '2026-03-07', sort: 'asc' }),
}

const table: Record<string, Record<string, string>> = {}
const dataDir = mkdtempSync(path.join(tmpdir(), 'tezi-bench-'))
if (hasEmbedded) await measureOn('embedded', await openDatabase({ dataDir, log: () => undefined }))
rmSync(dataDir, { recursive: true, force: true })
const databaseUrl = process.env['DATABASE_URL']
if (databaseUrl !== undefined) await measureOn('PostgreSQL', await openDatabase({ dataDir, databaseUrl, log: () => undefined }))
console.table(table)

async function measureOn(engine: string, database: Database): Promise<void> {
  const { db } = database
  await migrate(database, () => undefined)
  const now = () => nowMs
  const service = usersService({ db, rateLimiter: new DatabaseRateLimiter({ db, now }), presence: databasePresence(db), now })
  const admin = { id: randomUUID(), email: 'bench@example.in', address: '', sessionId: '', confirmedAtMs: 0 }
  for (const size of sizes) {
    await fill(db, size)
    for (const [name, query] of Object.entries(cells)) {
      const timesMs: number[] = []
      for (let run = 0; run < runs; run += 1) {
        const startMs = performance.now()
        await service.list(admin, { page: 1, perPage, ...query(size) })
        timesMs.push(performance.now() - startMs)
      }
      timesMs.sort((one, other) => one - other)
      const at = (share: number) => (timesMs[Math.min(runs - 1, Math.floor(runs * share))] ?? Number.NaN).toFixed(1)
      table[name] = { ...table[name], [`${engine} ${size / 1000}k p50/p99 ms`]: `${at(0.5)} / ${at(0.99)}` }
    }
  }
  await sql`truncate users cascade`.execute(db)
  await database.close()
}

async function fill(db: Db, size: number): Promise<void> {
  await sql`truncate users cascade`.execute(db)
  await addManyUsers(db, { count: size, domain: 'example.in', hasPaid: true })
}
