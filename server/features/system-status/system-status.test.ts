// The system status through the API: access, facts, and what counts as failing.
import { afterEach, expect, test } from 'vitest'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import { premiumColumns, startMs, testApp, type TestApp, type TestAppOptions } from '#server/testing/app.ts'

const path = '/api/v1/admin/status'
const apps: TestApp[] = []

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function start(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await testApp(options)
  apps.push(app)
  return app
}

async function read(app: TestApp) {
  const browser = await app.signedIn({ role: 'admin' })
  return (await browser.client.systemStatus.read()).data
}

const failing = async (options: TestAppOptions) =>
  (await read(await start(options))).checks.filter(({ state }) => state === 'failing').map(({ name, details }) => [name, ...details])

test('is denied to visitors, users and premium users', async () => {
  const app = await start()
  expect((await app.browser().send({ method: 'GET', path })).statusCode).toBe(401)
  for (const values of [{}, premiumColumns]) {
    const browser = await app.signedIn(values)
    expect((await browser.send({ method: 'GET', path })).statusCode).toBe(403)
  }
})

test('a healthy process has no failing check; what is not configured is off', async () => {
  const status = await read(await start({ status: { config: { redisUrl: undefined, warnings: ['PUBLIC_URL is not an https address'] } } }))
  expect(status.checks.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'database ok',
    'writes ok',
    'redis off',
    'market-hub ok',
    'sources off',
    'jobs ok',
    'mails off',
    'backup off',
  ])
  expect(status).toMatchObject({
    nowMs: startMs,
    startedAtMs: startMs,
    missing: [],
    warnings: ['PUBLIC_URL is not an https address'],
    database: { waiting: 0 },
    live: { sockets: 0, ready: 0, blocked: 0 },
    hub: 'here',
    mails: null,
    backup: null,
    alerts: { mail: false, telegram: false },
  })
})

test('what /readyz misses is failing', async () => {
  const missing = ['writes', 'redis', 'market-hub'] as const
  const status = { config: { redisUrl: 'redis://cache', warnings: [] } }
  expect(await failing({ status, readiness: () => Promise.resolve({ status: 'ready', missing }) })).toEqual([
    ['writes'],
    ['redis'],
    ['market-hub'],
  ])
})

test('a job is failing half an hour after its last success, a mail server after three failures in a row', async () => {
  const job = { job: 'sweep', success: 1, skipped: 0, failed: 0 } as const
  const at = (minutes: number) => ({ jobs: { list: () => [{ ...job, lastSuccessMs: startMs - minutes * minuteMs }] } })
  expect(await failing({ status: at(30) })).toEqual([])
  expect(await failing({ status: at(31) })).toEqual([['jobs', 'sweep']])
  const mails = (failedInRow: number) => ({ mailer: { counts: { sent: 1, failed: 5, underWay: 0, failedInRow } } })
  expect(await failing({ status: mails(2) })).toEqual([])
  expect(await failing({ status: mails(3) })).toEqual([['mails']])
})

test('a stale source is failing, with the age of its newest update', async () => {
  const series = (source: string | null, isStale: boolean, ageMs: number) => ({ series: 'x', source, isStale, reason: null, ageMs })
  const hub = { report: () => [series('kraken', false, 9_000), series('kraken', true, 4_000), series(null, true, 0)] }
  const app = await start({ status: { hub } })
  const { sources, checks } = await read(app)
  expect(sources).toMatchObject([
    { source: 'Kraken', series: 2, stale: 1, ageMs: 4_000 },
    { source: null, series: 1, stale: 1, ageMs: 0 },
  ])
  expect(checks.find(({ name }) => name === 'sources')).toMatchObject({ state: 'failing', details: ['Kraken', 'series without a source'] })
})

const cut = (source: 'kraken' | 'coinbase', failure: string | null) => [source, { failure }] as const
const probesOf = (...reach: ReturnType<typeof cut>[]) => ({
  probes: { sources: new Set(['kraken', 'coinbase'] as const), reach: () => new Map(reach) },
})

test('a real source that does not respond is failing while nobody watches; generated prices never count as working', async () => {
  const both = probesOf(cut('kraken', 'Kraken cannot be reached'), cut('coinbase', null))
  expect(await failing({ status: both })).toEqual([['sources', 'Kraken cannot be reached']])
  const demo = { report: () => [{ series: 'x', source: 'demo', isStale: false, reason: 'Kraken: cut', ageMs: 1 }] }
  const working = probesOf(cut('kraken', null), cut('coinbase', null))
  expect(await failing({ status: { ...working, hub: demo } })).toEqual([['sources', 'generated prices in place of real ones']])
  const stateWith = async (status: NonNullable<TestAppOptions['status']>) =>
    (await read(await start({ status }))).checks.find(({ name }) => name === 'sources')?.state
  expect(await stateWith(working)).toBe('ok')
  expect(await stateWith(probesOf())).toBe('unknown')
  const onlyDemo = { report: () => [{ series: 'x', source: 'demo', isStale: false, reason: null, ageMs: 1 }] }
  expect(await stateWith({ hub: onlyDemo })).toBe('off')
})

test('/readyz says it, and stays 200', async () => {
  const reach = new Map([cut('kraken', 'Kraken cannot be reached')])
  const app = await start({ market: { reach } })
  const response = await app.browser().send({ method: 'GET', path: '/readyz' })
  expect([response.statusCode, response.json()]).toEqual([200, expect.objectContaining({ status: 'ready', missing: ['prices'] })])
})

test.each([
  ['good', { reached: 5 * minuteMs, base: 26 * hourMs }, []],
  ['late', { reached: 5 * minuteMs + 1, base: 1 }, [['backup', 'changes of the last 5 minutes are not saved']]],
  ['without a new base', { reached: 1, base: 26 * hourMs + 1 }, [['backup', 'no base backup for 26 hours']]],
])('a backup that is %s', async (_, { reached, base }, expected) => {
  const backup = () => Promise.resolve({ reachedMs: startMs - reached, baseMs: startMs - base, verifiedMs: undefined })
  expect(await failing({ status: { backup } })).toEqual(expected)
})

test('the last good backup is shown; a folder that cannot be read is failing', async () => {
  const times = { reachedMs: startMs - 1, baseMs: startMs - 2, verifiedMs: startMs - 3 }
  expect((await read(await start({ status: { backup: () => Promise.resolve(times) } }))).backup).toEqual(times)
  const unreadable = await read(await start({ status: { backup: () => Promise.reject(new Error('EIO')) } }))
  expect(unreadable.backup).toBeNull()
  expect(unreadable.checks.at(-1)).toEqual({ name: 'backup', state: 'failing', details: ["the folder can't be read"] })
})
