// Outages of shared components: the gateway survives without PostgreSQL, a web process without Redis.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { RedisSubscriber } from './features/market-data/gateway/redis-subscriber.ts'
import { ownPostgres, type OwnPostgres } from './testing/own-postgres.ts'
import { launchServer, startServer } from './testing/process.ts'
import { tcpGate } from './testing/tcp-proxy.ts'

const redisUrl = process.env['TEST_REDIS_URL']
if (redisUrl === undefined) throw new Error('TEST_REDIS_URL is needed beside TEST_DATABASE_URL')

const long = { timeout: 30_000 }
const channel = `test-${randomUUID()}`
const csvDir = mkdtempSync(path.join(tmpdir(), 'tezi-csv-'))
let postgres: OwnPostgres
let gateway: ReturnType<typeof launchServer>

beforeAll(async () => {
  postgres = await ownPostgres()
  writeFileSync(path.join(csvDir, 'sensex.1D.csv'), 'time,open,high,low,close\n2026-11-02,1,3,1,2\n')
  gateway = launchServer(
    {
      DATABASE_URL: postgres.databaseUrl,
      REDIS_URL: redisUrl,
      MARKET_CHANNEL: channel,
      MARKET_SOURCES: 'csv',
      CSV_DIR: csvDir,
      MARKET_LICENCES: 'bse=licensed:1',
    },
    'server/gateway.ts',
  )
  await vi.waitUntil(() => gateway.output().includes('gateway is ready'), long)
})
afterAll(async () => {
  gateway.child.kill('SIGKILL')
  await postgres.close()
  rmSync(csvDir, { recursive: true })
})

test('PostgreSQL restarts while the gateway reads', async () => {
  const locker = new Client({ connectionString: postgres.databaseUrl })
  locker.on('error', () => {})
  await locker.connect()
  await locker.query('begin; lock table candles in access exclusive mode')
  const bus = new RedisSubscriber(redisUrl, () => {}, channel)
  bus.request('sensex')
  const isReading = async (): Promise<boolean> => {
    const waiting = await postgres.query("select 1 from pg_stat_activity where application_name = 'tezi' and wait_event_type = 'Lock'")
    return waiting.length > 0
  }
  await vi.waitUntil(isReading, long)

  await postgres.stop('immediate')
  await postgres.start()
  const isStored = async (): Promise<boolean> => (await postgres.query('select 1 from candles limit 1')).length > 0
  await vi.waitUntil(isStored, long)
  expect(gateway.child.exitCode).toBe(null)
  expect(gateway.child.signalCode).toBe(null)
  await bus.close()
})

test('Redis is down for a web process', async () => {
  const { hostname, port } = new URL(redisUrl)
  const gate = await tcpGate(hostname, Number(port === '' ? 6379 : port))
  onTestFinished(() => gate.close())
  const admin = { email: 'owner@example.in', password: 'correct horse battery' }
  const web = await startServer({
    DATABASE_URL: postgres.databaseUrl,
    REDIS_URL: `redis://127.0.0.1:${gate.port}`,
    MARKET_CHANNEL: channel,
    MARKET_HUB: 'off',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  })
  onTestFinished(() => void web.stop('SIGKILL'))
  const headers = { 'content-type': 'application/json' }
  const signIn = await fetch(`${web.url}/api/v1/auth/sign-in`, { method: 'POST', headers, body: JSON.stringify(admin) })
  const { sessionToken } = ((await signIn.json()) as { data: { sessionToken: string } }).data
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const heartbeat = () =>
    fetch(`${web.url}/api/v1/user/presence`, {
      method: 'POST',
      headers: { ...headers, cookie, 'session-token': sessionToken },
      body: JSON.stringify({ tabId: randomUUID() }),
    })
  expect((await heartbeat()).status).toBe(200)

  gate.cut()
  const answer = await heartbeat()
  expect(await answer.json()).toMatchObject({ success: false, code: 'http.unavailable' })
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  const failures = () =>
    web
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{"level":50'))
  // The log line arrives asynchronously.
  await vi.waitUntil(() => failures().length > 0, long)
  for (const line of failures()) expect(line).toMatch(/"component":"redis","msg":"redis unavailable: /)

  gate.open()
  await vi.waitUntil(async () => (await heartbeat()).status === 200, long)
})
