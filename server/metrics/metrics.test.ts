// The metrics of a running app: none on the public port, bounded labels, no user data, and correct values.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passwordHasher } from '#server/features/auth/password-hasher.ts'
import { subscriptionsService } from '#server/features/subscriptions/service.ts'
import { noRateLimits } from '#server/http/rate-limiter.ts'
import { countedMailer, memoryMailer } from '#server/mail/mailer.ts'
import { databaseReaders, hasherReaders, mailReaders, subscriptionReaders } from '#server/open-monitoring.ts'
import { premiumColumns, startMs, testApp, testPassword, type TestApp } from '#server/testing/app.ts'
import { listenForLive, openLive } from '#server/testing/live.ts'
import { cachedFor, catalogue } from './metrics.ts'
import { prometheusMetrics } from './prometheus-metrics.ts'

/** For a busy machine: nothing here takes that long. */
const readTimeoutMs = 30_000
const errors: unknown[] = []
const metrics = prometheusMetrics({ onError: (error) => errors.push(error), readTimeoutMs })
const kept = memoryMailer()
const mailer = countedMailer({ send: (mail) => (mail.to === '' ? Promise.reject(new Error('no address')) : kept.send(mail)), close() {} })
const hasher = passwordHasher('cheap')
let server: TestApp
let monotonicMs = 0

beforeAll(async () => {
  server = await testApp({ metrics })
  const { database, clock } = server
  const subscriptions = subscriptionsService({ db: database.db, rateLimiter: noRateLimits, now: () => clock.nowMs })
  metrics.read({
    ...databaseReaders(database),
    ...hasherReaders(hasher),
    ...mailReaders(mailer),
    ...subscriptionReaders(subscriptions, () => monotonicMs),
  })
})
afterAll(() => server.close())

const get = (path: string, method = 'GET') => server.browser().send({ method, path })

/** The values of our metrics by name and labels. */
async function values(): Promise<Map<string, number>> {
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('tezi_'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
}

test.each(['/metrics', '/api/v1/metrics', '/METRICS', '/metrics?format=text'])('the public port has no %s', async (path) => {
  const answer = await get(path)
  expect(answer.statusCode).toBe(404)
  expect(answer.body).not.toContain('tezi_')
})

test('for any request of clients, requests are counted under known labels', async () => {
  await get('/api/v1/plans/regular')
  await get('/healthz')
  const before = new Set((await values()).keys())
  const { email } = await server.addUser()
  const browser = server.browser()
  await browser.signIn(email, testPassword)
  for (const path of ['/no-such-page-1', '/api/v1/nothing-2', '/udf/k/AbCdEfSecretKey/config', '/?email=asha@example.in', '/%ff', '/"}\n{'])
    await browser.send({ method: 'GET', path })
  await get('/no-such-page-3', 'PROPFIND')
  const text = await metrics.text()
  for (const secret of [email, 'asha', 'nothing-2', 'no-such-page', 'AbCdEf', 'PROPFIND', browser.sessionToken ?? '-'])
    expect(text).not.toContain(secret)
  const added = [...(await values()).keys()].filter((key) => key.startsWith('tezi_http_requests_total') && !before.has(key))
  for (const key of added)
    expect(key).toMatch(
      /^tezi_http_requests_total\{method="(GET|POST|other)",route="(other|\/api\/v1\/auth\/sign-in|\/api\/v1\/\*)",status="\d{3}"\}$/,
    )
  const all = await values()
  expect(all.get('tezi_http_requests_total{method="POST",route="/api/v1/auth/sign-in",status="200"}')).toBe(1)
  expect(all.get('tezi_http_request_duration_seconds_count{method="POST",route="/api/v1/auth/sign-in"}')).toBe(1)
})

test('every metric has exactly the labels of the catalogue', async () => {
  for (const key of (await values()).keys()) {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(key) ?? []
    const known = Object.entries(catalogue).find(([metric]) => metric === name.replace(/_(bucket|sum|count)$/, ''))
    const used = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label).filter((label) => label !== 'le')
    expect([name, new Set(used)]).toEqual([name, new Set<string | undefined>(known?.[1].labels ?? ['?'])])
  }
})

test('a reader that fails or hangs is skipped and counted, and the others are read', async () => {
  const found: unknown[] = []
  const own = prometheusMetrics({ onError: (error) => found.push(error), readTimeoutMs: 20 })
  own.read({
    tezi_live_sockets: () => Promise.reject(new Error('gone')),
    tezi_mails_under_way: () => new Promise<number>(() => undefined),
    tezi_database_waiting: () => 3,
  })
  const text = await own.text()
  expect(text).not.toMatch(/^tezi_live_sockets \d/m)
  expect(text).not.toMatch(/^tezi_mails_under_way \d/m)
  expect(text).toContain('tezi_database_waiting 3')
  expect(found.map(String)).toEqual(['Error: gone', 'Error: no answer within 20 ms'])
  expect(await own.text()).toContain('tezi_metric_read_failures_total{metric="tezi_live_sockets"} 1')
})

test('the pool, the hash queue and mails have their actual values', async () => {
  const pending = Promise.all(
    Array.from({ length: 5 }, () => hasher.signIn({ owner: '192.0.2.1', part: '' }, (matches) => matches('x', undefined))),
  )
  await expect(mailer.send({ to: '', subject: '', text: '' })).rejects.toThrow('no address')
  const sending = mailer.send({ to: 'asha@example.in', subject: '', text: '' })
  const reading = values()
  await Promise.all([pending, sending])
  const during = await reading
  expect(during.get('tezi_password_hashes{queue="sign-in",state="running"}')).toBe(2)
  expect(during.get('tezi_password_hashes{queue="sign-in",state="waiting"}')).toBe(3)
  expect(during.get('tezi_mails_under_way')).toBe(1)
  const after = await values()
  expect(after.get('tezi_password_hashes{queue="sign-in",state="waiting"}')).toBe(0)
  expect(after.get('tezi_mails_total{result="sent"}')).toBe(1)
  expect(after.get('tezi_mails_total{result="failed"}')).toBe(1)
  expect(after.get('tezi_database_connections_max')).toBe(8)
  await server.database.db.transaction().execute(async () => {
    expect((await values()).get('tezi_database_connections{state="used"}')).toBeGreaterThan(0)
  })
})

test('subscriptions are counted by state, at most once a minute', async () => {
  const ended = new Date(startMs - 1)
  const users = [{ status: 'pending' }, { status: 'cancel' }, premiumColumns, { ...premiumColumns, premium_end: ended }, {}] as const
  monotonicMs += 60_000
  await values()
  for (const user of users) await server.addUser(user)
  const counts = async () => {
    const all = await values()
    return ['pending', 'active', 'overdue', 'cancelled'].map((state) => all.get(`tezi_subscriptions{state="${state}"}`))
  }
  expect(await counts()).toEqual([0, 0, 0, 0])
  monotonicMs += 60_000
  expect(await counts()).toEqual([1, 1, 1, 1])
})

test('sockets and their frames are counted', async () => {
  const url = await listenForLive(server.app)
  const browser = await server.signedIn()
  const before = (await values()).get('tezi_live_frames_sent_total') ?? Number.NaN
  const watcher = await openLive(url, browser)
  const during = await values()
  expect(during.get('tezi_live_sockets')).toBe(1)
  expect(during.get('tezi_live_frames_sent_total')).toBe(before + 1)
  expect(during.get('tezi_live_deliveries{state="ready"}')).toBe(0)
  watcher.socket.terminate()
  await expect.poll(async () => (await values()).get('tezi_live_sockets')).toBe(0)
  expect(errors).toEqual([])
})

test('a value is read again when it expires, and immediately after a failed read', async () => {
  let nowMs = 0
  const answers = [Promise.reject(new Error('away')), Promise.resolve(1), Promise.resolve(2)]
  const read = cachedFor(
    100,
    () => answers.shift() ?? Promise.resolve(3),
    () => nowMs,
  )
  await expect(read()).rejects.toThrow('away')
  expect(await read()).toBe(1)
  nowMs = 99
  expect(await read()).toBe(1)
  nowMs = 100
  expect(await read()).toBe(2)
})
