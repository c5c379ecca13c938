// The job that expires subscriptions, on clocks that jump.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { noRateLimits } from '#server/http/rate-limiter.ts'
import { premiumColumns, startMs, testApp, type TestApp } from '#server/testing/app.ts'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { databaseNow, expiryJob } from './expiry-job.ts'
import { subscriptionsService } from './service.ts'

let server: TestApp
let elapsedMs: number
let databaseMs: number
let lines: string[]
let run: () => Promise<boolean>

beforeAll(async () => {
  server = await testApp()
})

beforeEach(async () => {
  await server.reset()
  elapsedMs = 0
  databaseMs = startMs
  lines = []
  const now = () => server.clock.nowMs
  const subscriptions = subscriptionsService({ db: server.database.db, rateLimiter: noRateLimits, now })
  run = expiryJob({
    expire: (limit) => subscriptions.expire(limit),
    databaseNow: () => Promise.resolve(databaseMs),
    now,
    monotonic: () => elapsedMs,
    log: (line) => lines.push(line),
  })
})

afterAll(() => server.close())

function pass(ms: number): void {
  elapsedMs += ms
  databaseMs += ms
  server.clock.nowMs += ms
}

const statuses = async () => (await server.database.db.selectFrom('users').select('status').execute()).map(({ status }) => status)

test('expires nothing while the clock differs from that of the database, and logs it once an hour', async () => {
  await server.addUser(premiumColumns)
  pass(minuteMs)
  databaseMs -= 40 * dayMs
  await run()
  await run()
  expect(lines).toHaveLength(1)
  pass(hourMs)
  await run()
  expect(lines).toHaveLength(2)
  expect(await statuses()).toEqual(['paid'])
})

test('expires nothing after the clock of the whole machine jumped by days, also on later runs', async () => {
  await server.addUser(premiumColumns)
  await run()
  server.clock.nowMs += 40 * dayMs
  databaseMs += 40 * dayMs
  await run()
  pass(hourMs)
  await run()
  expect(await statuses()).toEqual(['paid'])
  server.clock.nowMs -= 40 * dayMs
  databaseMs -= 40 * dayMs
  await run()
  expect(await statuses()).toEqual(['paid'])
  pass(31 * dayMs)
  await run()
  expect(await statuses()).toEqual(['cancel'])
})

test('trusts a clock that has run evenly for a day since it jumped', async () => {
  await server.addUser(premiumColumns)
  server.clock.nowMs += 40 * dayMs
  databaseMs += 40 * dayMs
  await run()
  expect(await statuses()).toEqual(['paid'])
  pass(dayMs)
  await run()
  expect(await statuses()).toEqual(['cancel'])
})

test('expires an ended term if the clocks agree', async () => {
  await server.addUser(premiumColumns)
  pass(29 * dayMs)
  await run()
  expect(await statuses()).toEqual(['paid'])
  pass(2 * dayMs)
  await run()
  expect(await statuses()).toEqual(['cancel'])
  expect(lines).toEqual([])
})

test('the database provides its time', async () => {
  expect(Math.abs((await databaseNow(server.database.db)) - Date.now())).toBeLessThan(minuteMs)
})
