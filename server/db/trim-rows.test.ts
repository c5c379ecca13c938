// Tables that users fill: bounded per user and in total.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testApp, testPassword, type TestApp } from '#server/testing/app.ts'
import { trimRows } from './trim-rows.ts'

let server: TestApp
beforeAll(async () => {
  server = await testApp()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const count = async (table: 'idempotency_keys' | 'presence' | 'rate_counters' | 'sessions', condition = sql<boolean>`true`) => {
  const row = await server.database.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where(condition)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
/** One place has a lower limit of sign-ins than the account. */
const placeOf = (index: number): string => `198.51.100.${index}`

const signedIn = async () => {
  const { email } = await server.addUser()
  const browser = server.browser()
  await browser.signIn(email)
  return browser
}

test('a user stores at most 300 idempotent responses in a day', async () => {
  const browser = await signedIn()
  const call = (key: string) =>
    browser.send({
      method: 'POST',
      path: '/api/v1/user/presence/leave',
      body: { tabId: randomUUID() },
      headers: { 'idempotency-key': key },
    })
  const statuses = new Map<number, number>()
  for (let index = 0; index < 310; index += 10)
    for (const answer of await Promise.all(Array.from({ length: 10 }, (_, more) => call(`key-${index + more}`))))
      statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
  expect(Object.fromEntries(statuses)).toEqual({ 200: 300, 429: 10 })
  expect(await count('idempotency_keys')).toBe(300)
})

test('a user has at most 20 open tabs; the least recently seen one is dropped', async () => {
  const browser = await signedIn()
  const tabs = Array.from({ length: 25 }, () => randomUUID())
  for (const tabId of tabs) {
    server.clock.nowMs += 1
    await browser.client.presence.beOnline({ body: { tabId } })
  }
  const rows = await server.database.db.selectFrom('presence').select('tab_id').execute()
  expect(new Set(rows.map((row) => row.tab_id))).toEqual(new Set(tabs.slice(5)))
})

test('a user has at most 20 active sessions; the least recently used one ends, and its device is notified', async () => {
  const { email } = await server.addUser()
  const browsers = Array.from({ length: 22 }, (_, index) => server.browser({ address: placeOf(index) }))
  for (const browser of browsers) {
    server.clock.nowMs += 1000
    await browser.signIn(email, testPassword)
  }
  expect(await count('sessions', sql<boolean>`ended_at is null`)).toBe(20)
  const statuses = []
  for (const browser of browsers) statuses.push((await browser.send({ method: 'GET', path: '/api/v1/user' })).statusCode)
  expect(statuses).toEqual([401, 401, ...Array.from({ length: 20 }, () => 200)])
  expect((await browsers[0]?.send({ method: 'GET', path: '/api/v1/user' }))?.json()).toMatchObject({
    code: 'auth.sessionReplaced',
    message: 'You were signed out here because your account signed in on more than 20 devices. Please sign in again.',
  })
  const ended = await server.database.db.selectFrom('sessions').select('end_reason').where('ended_at', 'is not', null).execute()
  expect(ended).toEqual([{ end_reason: 'too many sessions' }, { end_reason: 'too many sessions' }])
})

test('a user opens at most 200 sessions a day, which bounds the rows of the access log', async () => {
  const { email } = await server.addUser()
  const statuses = []
  for (let index = 0; index < 202; index += 1)
    statuses.push(
      (
        await server
          .browser({ address: placeOf(index) })
          .send({ method: 'POST', path: '/api/v1/auth/sign-in', body: { email, password: testPassword } })
      ).statusCode,
    )
  expect(statuses.slice(0, 200).every((status) => status === 200)).toBe(true)
  expect(statuses.slice(200)).toEqual([429, 429])
  expect(await count('sessions')).toBe(200)
})

test('blocked callers add no rate counters', async () => {
  const guess = (email: string) =>
    server.browser({ address: '198.51.100.7' }).send({ method: 'POST', path: '/api/v1/auth/sign-in', body: { email, password: 'x' } })
  for (let index = 0; index < 16; index += 1) await guess(`first-${index}@example.in`)
  const before = await count('rate_counters')
  for (let index = 0; index < 30; index += 1) expect((await guess(`more-${index}@example.in`)).statusCode).toBe(429)
  expect(await count('rate_counters')).toBe(before)
})

test('with many callers, the cleanup job keeps each table below its bound, newest rows first', async () => {
  const { id } = await server.addUser()
  const { db } = server.database
  await sql`insert into sessions (id, user_id, cookie_hash, token_hash, created_at, last_seen_at, address, user_agent)
    values (${id}, ${id}, 'a', 'b', now(), now(), '', '')`.execute(db)
  await sql`insert into rate_counters (bucket, window_end, hits) select 'b' || n, now() + n * interval '1 second', 1 from generate_series(1, 1000) n`.execute(
    db,
  )
  await sql`insert into idempotency_keys (user_id, key, fingerprint, begun_at)
    select ${id}, 'k' || n, '', now() + n * interval '1 second' from generate_series(1, 1000) n`.execute(db)
  await sql`insert into presence (session_id, user_id, tab_id, expires_at)
    select ${id}, ${id}, gen_random_uuid(), now() + n * interval '1 second' from generate_series(1, 1000) n`.execute(db)
  expect(await trimRows(db, { rate_counters: 10, idempotency_keys: 20, presence: 30 })).toBe(3000 - 60)
  expect([await count('rate_counters'), await count('idempotency_keys'), await count('presence')]).toEqual([10, 20, 30])
  expect(await count('rate_counters', sql<boolean>`bucket = 'b1000'`)).toBe(1)
})
