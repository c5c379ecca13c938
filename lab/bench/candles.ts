// Candles: storing them, and reading and sending many of them, compared with sending the same bytes from memory.
// Usage: node lab/bench/candles.ts [candles to store] [candles in an answer]   (DATABASE_URL adds a PostgreSQL server; its database must be empty and is emptied again)
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { minuteMs } from '#shared/base/durations.ts'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/open-database.ts'
import { databaseStore } from '#server/features/market-data/store/database-store.ts'
import { CandleCache } from '#server/features/market-data/store/candle-cache.ts'
import { minutesBetween } from '#server/testing/candles.ts'
import { startServer } from '#server/testing/process.ts'
import { measure, type Measured } from './load.ts'

const count = Number(process.argv[2] ?? 500_000)
/** Candles in an answer: a chart starts with 1,500 of them. */
const bars = Number(process.argv[3] ?? 1_500)
const nowMs = Math.floor(Date.now() / minuteMs) * minuteMs
const key = { series: 'btc-usdt', source: 'binance', step: '1m' } as const
const dir = mkdtempSync(path.join(tmpdir(), 'tezi-bench-'))
const log = () => undefined

const engines: Record<string, () => Promise<Database>> = {
  embedded: () => openDatabase({ dataDir: path.join(dir, 'embedded'), log }),
}
const databaseUrl = process.env['DATABASE_URL']
if (databaseUrl !== undefined) engines['PostgreSQL'] = () => openDatabase({ dataDir: dir, databaseUrl, log })

const table: Record<string, Record<string, string>> = {}
for (const [name, open] of Object.entries(engines)) table[name] = await measureStore(await open())
console.table(table)
console.table(await measureAnswer())
rmSync(dir, { recursive: true, force: true })

async function measureStore(database: Database): Promise<Record<string, string>> {
  await migrate(database, log)
  const store = databaseStore({ db: database.db, now: Date.now })
  const candles = minutesBetween(nowMs - count * minuteMs, nowMs)
  const ingestMs = await timed(() => store.append(key, candles))
  const againMs = await timed(() => store.append(key, candles.slice(0, 50_000)))
  const single = await timesOf(200, (run) => store.append(key, minutesBetween(nowMs + run * minuteMs, nowMs + (run + 1) * minuteMs)))
  await sql`analyze candles`.execute(database.db)
  const span = (run: number) => ({ fromMs: nowMs - (5_000 + run * 50) * minuteMs, toMs: nowMs - run * 50 * minuteMs })
  const read = await timesOf(100, (run) => store.range(key, span(run)))
  const memory = new CandleCache(store, { now: () => nowMs, monotonic: () => nowMs })
  await memory.range(key, span(100))
  const hot = await timesOf(100, (run) => memory.range(key, span(run)))
  const { rows } = await sql<{ bytes: string }>`select pg_total_relation_size('candles')::text as bytes`.execute(database.db)
  await sql`drop schema public cascade`.execute(database.db)
  await sql`create schema public`.execute(database.db)
  await database.close()
  return {
    'stored/s': Math.round((candles.length / ingestMs) * 1_000).toLocaleString('en'),
    'the same again/s': Math.round((50_000 / againMs) * 1_000).toLocaleString('en'),
    'one candle, p50/p99 ms': single,
    '5,000 from the database, p50/p99 ms': read,
    '5,000 from memory, p50/p99 ms': hot,
    'bytes each': String(Math.round(Number(rows[0]?.bytes ?? 0) / (candles.length + 200))),
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

async function timesOf(runs: number, work: (run: number) => Promise<unknown>): Promise<string> {
  const timesMs: number[] = []
  for (let run = 0; run < runs; run += 1) timesMs.push(await timed(() => work(run)))
  timesMs.sort((one, other) => one - other)
  const at = (share: number) => (timesMs[Math.floor(runs * share)] ?? Number.NaN).toFixed(2)
  return `${at(0.5)} / ${at(0.99)}`
}

/** The route with a real session, on the demo market, alternating with a server that only sends the same bytes. */
async function measureAnswer(): Promise<Record<string, Record<string, number>>> {
  const server = await startServer({ DATA_DIR: path.join(dir, 'server'), RATE_LIMITS: 'off' })
  const headers = await signIn(server.url)
  const address = `/api/v1/market/candles/nifty?timeframe=5&limit=${bars}`
  const text = await (await fetch(server.url + address, { headers })).text()
  const floor = fork(path.join(import.meta.dirname, 'candles-floor.ts'))
  floor.send(text)
  const [port] = (await once(floor, 'message')) as [number]
  const cells = [
    { name: 'the same bytes, bare node:http', port, headers: {}, path: '/' },
    { name: `${bars} candles with a session`, port: server.port, headers, path: address },
    { name: 'GET /user with a session', port: server.port, headers, path: '/api/v1/user' },
  ]
  const runs = new Map<string, Measured[]>(cells.map(({ name }) => [name, []]))
  for (let round = 0; round < 6; round += 1) {
    for (const cell of cells)
      runs.get(cell.name)?.push(await measure({ ...cell, headers: [cell.headers], connections: 8, durationMs: 1_000 }))
  }
  floor.kill()
  await server.stop()
  const median = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
  // The first round warms up.
  const medianOf = (all: Measured[], pick: (run: Measured) => number) => Number(median(all.slice(1).map(pick)).toFixed(2))
  return Object.fromEntries(
    [...runs].map(([name, all]) => [
      name,
      {
        'answers/s': medianOf(all, (run) => run.perSecond),
        'p50 ms': medianOf(all, (run) => run.p50Ms),
        'p99 ms': medianOf(all, (run) => run.p99Ms),
        kB: name.includes('/user') ? 1 : Math.round(text.length / 1_000),
      },
    ]),
  )
}

async function signIn(url: string): Promise<Record<string, string>> {
  const email = 'asha@example.in'
  const account = { name: 'Asha Rao', email, phone: '9876543210', password: 'Kesar-Chai-42', confirmPassword: 'Kesar-Chai-42' }
  const post = (route: string) =>
    fetch(`${url}/api/v1/auth/${route}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(account) })
  const made = await post('sign-up')
  if (!made.ok) throw new Error(await made.text())
  const answer = await post('sign-in')
  const { data } = (await answer.json()) as { data: { sessionToken: string } }
  return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'session-token': data.sessionToken }
}
