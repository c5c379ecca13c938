// Candles from a real standby: as fresh as from the primary, also while the standby is behind, frozen or away.
import { spawnSync } from 'node:child_process'
import { appendFile, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { minuteMs } from '#shared/base/durations.ts'
import type { CandleStore } from '#server/features/market-data/store/candle-store.ts'
import { databaseStore } from '#server/features/market-data/store/database-store.ts'
import { ownPostgres, type OwnPostgres } from '#server/testing/own-postgres.ts'
import type { Database, Replica } from './database.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from '../open-database.ts'
import { openReplica, replicaIssue } from './open-replica.ts'

let primary: OwnPostgres
let standby: OwnPostgres
let database: Database
let replica: Replica
let store: CandleStore
let nowMs = 0

beforeAll(async () => {
  const homes = await Promise.all(['primary', 'standby'].map((name) => mkdtemp(path.join(tmpdir(), `tezi-${name}-`))))
  const [primaryHome = '', standbyHome = ''] = homes
  primary = await ownPostgres(primaryHome)
  database = await openDatabase({ dataDir: primaryHome, databaseUrl: primary.databaseUrl, log: () => {} })
  await migrate(database, () => {})
  standby = await standbyOf(primaryHome, standbyHome)
  await untilFollowing()
  replica = openReplica({ databaseUrl: standby.databaseUrl, primary: database.db, log: () => {}, monotonic: () => nowMs })
  store = databaseStore({ db: database.db, now: () => 10_000 * minuteMs, replica })
})
afterAll(async () => {
  await Promise.all([replica.close(), database.close()])
  await Promise.all([standby.close(), primary.close()])
})

/** Its first connection to the primary may take longer than a read waits. */
const untilFollowing = () =>
  vi.waitUntil(async () => (await primary.query("select 1 from pg_stat_replication where state = 'streaming'")).length === 1, {
    timeout: 30_000,
  })

/** A copy of the stopped primary that follows it. */
async function standbyOf(primaryHome: string, standbyHome: string): Promise<OwnPostgres> {
  await primary.stop('fast')
  const dataDir = path.join(standbyHome, 'data')
  spawnSync('cp', ['-a', path.join(primaryHome, 'data'), dataDir])
  await primary.start()
  await writeFile(path.join(dataDir, 'standby.signal'), '')
  await appendFile(path.join(dataDir, 'postgresql.auto.conf'), `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=tezi'\n`)
  return ownPostgres(standbyHome)
}

const key = { series: 'replicated', source: 'binance', step: '1m' } as const

const append = (minute: number) =>
  store.append(key, [{ timeMs: minute * minuteMs, open: 1, high: 1, low: 1, close: 1, volume: null, takerBuyVolume: null }])

/** How many candles a long read finds. */
const count = async (): Promise<number> => (await store.range(key, { fromMs: 0, toMs: Infinity })).length

const issue = () => replicaIssue({ databaseUrl: primary.databaseUrl, replicaUrl: standby.databaseUrl, timeoutMs: 5_000 })

test('every read of the standby contains what was committed before it; short ones stay with the primary', async () => {
  for (let minute = 1; minute <= 200; minute += 1) {
    await append(minute)
    expect(await count()).toBe(minute)
  }
  expect(replica.counts).toEqual({ replica: 200, primary: 0 })
  await store.range(key, { fromMs: 9_900 * minuteMs, toMs: Infinity })
  await store.range(key, { fromMs: 0, toMs: Infinity, limit: 500 })
  expect(replica.counts.replica).toBe(200)
  expect(await issue()).toBeUndefined()
})

test('while the standby is behind, the primary serves; afterwards the standby again', async () => {
  await standby.query('select pg_wal_replay_pause()')
  await append(201)
  expect(await count()).toBe(201)
  expect(replica.issue()).toContain('behind')
  expect(replica.counts.primary).toBe(1)
  expect(await issue()).toContain('behind')
  await standby.query('select pg_wal_replay_resume()')
  nowMs += 10_000
  expect(await count()).toBe(201)
  expect(replica.issue()).toBeUndefined()
  expect(replica.counts.primary).toBe(1)
})

test('a frozen standby and one that has stopped delay a read by little, and no later one', async () => {
  await standby.freeze()
  expect(await count()).toBe(201)
  expect(await count()).toBe(201)
  expect(replica.issue()).toContain('does not answer')
  await standby.thaw()
  await standby.stop('immediate')
  nowMs += 10_000
  await append(202)
  expect(await count()).toBe(202)
  expect(replica.issue()).toMatch(/^failed: /)
  await standby.start()
  await untilFollowing()
  nowMs += 10_000
  expect(await count()).toBe(202)
  expect(replica.issue()).toBeUndefined()
})

test('a promoted standby is no longer used', async () => {
  await standby.query('select pg_promote()')
  expect(await count()).toBe(202)
  expect(replica.issue()).toContain('no streaming replica')
})
