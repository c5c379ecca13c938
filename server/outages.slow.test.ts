// The server process during PostgreSQL outages: 503 with Retry-After, readiness in time, a log that names it, and recovery without help.
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ownPostgres, type OwnPostgres } from './testing/own-postgres.ts'
import { startServer, type ServerProcess } from './testing/process.ts'

const admin = { email: 'owner@example.in', password: 'correct horse battery' }
const long = { timeout: 30_000 }
let postgres: OwnPostgres
let server: ServerProcess

beforeAll(async () => {
  postgres = await ownPostgres()
  server = await startServer({
    DATABASE_URL: postgres.databaseUrl,
    DATABASE_STATEMENT_TIMEOUT_MS: '3000',
    DATABASE_LOCK_TIMEOUT_MS: '2000',
    DATABASE_CONNECT_TIMEOUT_MS: '1000',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    RATE_LIMITS: 'off',
    PASSWORD_HASHES: 'cheap',
  })
})
afterAll(async () => {
  await postgres.thaw()
  await server.stop('SIGKILL')
  await postgres.close()
})

const signIn = () =>
  fetch(`${server.url}/api/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })

/** Requests whose queries are all blocked, because the users are locked; `unlock` releases them. */
async function requestsInQueries(): Promise<{ answers: Promise<Response[]>; unlock: () => Promise<void> }> {
  const locker = new Client({ connectionString: postgres.databaseUrl })
  locker.on('error', () => {})
  await locker.connect()
  await locker.query('begin; lock table users in access exclusive mode')
  const answers = Promise.all([signIn(), signIn(), signIn()])
  await vi.waitUntil(async () => {
    const waiting = await postgres.query("select 1 from pg_stat_activity where application_name = 'tezi' and wait_event_type = 'Lock'")
    return waiting.length === 3
  }, long)
  return { answers, unlock: () => locker.end().catch(() => {}) }
}

async function expectUnavailable(answers: readonly Response[]): Promise<void> {
  for (const answer of answers) {
    expect(await answer.json()).toMatchObject({ success: false, code: 'http.unavailable' })
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
}

/** Log lines that name the database. */
const blamed = (): string[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('"component":"database"'))

async function expectNotReady(): Promise<void> {
  const answer = await fetch(`${server.url}/readyz`)
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
}

async function expectHealed(): Promise<void> {
  await vi.waitUntil(async () => (await fetch(`${server.url}/readyz`)).status === 200, long)
  expect((await signIn()).status).toBe(200)
  expect(server.child.exitCode).toBe(null)
}

test.each([
  ['restarted (fast)', () => postgres.stop('fast'), () => postgres.start()],
  ['restarted (immediate)', () => postgres.stop('immediate'), () => postgres.start()],
  ['frozen', () => postgres.freeze(), () => postgres.thaw()],
])('PostgreSQL is %s', async (_what, fail, heal) => {
  const { answers, unlock } = await requestsInQueries()
  await fail()
  await Promise.all(Array.from({ length: 20 }, expectNotReady))
  await expectUnavailable(await answers)
  await heal()
  await unlock()
  await expectHealed()
})

test('PostgreSQL ends the connections', async () => {
  const { answers, unlock } = await requestsInQueries()
  await postgres.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tezi'")
  await expectUnavailable(await answers)
  await unlock()
  await expectHealed()
})

test('a table is locked', async () => {
  const { answers, unlock } = await requestsInQueries()
  await expectUnavailable(await answers)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  await unlock()
  await expectHealed()
})

test.each([
  ['takes too long', 'perform pg_sleep(20)', 'canceling statement due to statement timeout'],
  ['finds the disk full', "raise 'No space left on device' using errcode = 'disk_full'", 'No space left on device'],
])('a statement %s', async (_what, statement, reason) => {
  await postgres.query(`create function fail() returns trigger language plpgsql as $$ begin ${statement}; return new; end $$`)
  await postgres.query('create trigger fail before insert on sessions for each row execute function fail()')
  const linesBefore = blamed().length
  await expectUnavailable([await signIn()])
  await vi.waitUntil(() => blamed().length > linesBefore, long)
  expect(blamed().slice(linesBefore)).toEqual([expect.stringMatching(new RegExp(`"level":50.*"msg":"database unavailable: .*${reason}"`))])
  await postgres.query('drop function fail() cascade')
  await expectHealed()
})
