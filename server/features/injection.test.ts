// SQL injection texts through every call that takes a text: they are treated literally, and change nothing.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { premiumColumns, testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { addMember, addPlans, type Member } from '#server/testing/subscriptions.ts'
import { writeAudit } from './audit/service.ts'

const texts = [
  "'",
  "''",
  '"',
  '%',
  '_',
  '%%',
  '\\',
  "\\'",
  '--',
  '/*',
  '*/',
  '#',
  ';',
  '$1',
  "' or 1=1 --",
  "' OR '1'='1",
  '" or ""="',
  "') or ('1'='1",
  "\\' or 1=1 --",
  "%' or 1=1 /*",
  "'; drop table users; --",
  "' union select password_hash from users --",
  "'||(select pg_sleep(9))||'",
] as const
const people = ['Asha Rao', 'Plain', ...texts.map((text) => `x${text}y`)]

let server: TestApp
let admin: Member
let premium: Browser

beforeAll(async () => {
  server = await testApp({ hasRateLimits: false })
  await addPlans(server)
  for (const [index, name] of people.entries()) await server.addUser({ name, email: `person-${index}@example.in`, utr_no: `ref${name}` })
  await server.addUser({ name: 'Quote', email: "o'brien--x@example.in" })
  admin = await addMember(server, { role: 'admin', name: 'Chief', email: 'chief@example.in' })
  premium = (await addMember(server, { ...premiumColumns, name: 'Premium', email: 'premium@example.in' })).browser
  const at = new Date(server.clock.nowMs)
  for (const name of people)
    await writeAudit(server.database.db, { at, actor: null, action: 'sign-in-failed', target: { id: null, name }, address: '' })
})
afterAll(() => server.close())
// Calls with an email are rate limited, which is not under test here.
beforeEach(async () => {
  await server.database.db.deleteFrom('rate_counters').execute()
})

/** All rows of all tables except those that any call may write: counters, times of last use, and the log of denials. */
async function everything(): Promise<string> {
  const { db } = server.database
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(
    db,
  )
  const names = tables.map(({ name }) => name).filter((name) => !['rate_counters', 'sessions', 'audit_log'].includes(name))
  expect(names).toEqual(expect.arrayContaining(['users', 'plans', 'payment_requests', 'password_links']))
  const contents: unknown[] = []
  for (const name of names) {
    const { rows } = await sql`select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum, count(*) as count
      from ${sql.table(name)} t`.execute(db)
    contents.push([name, rows])
  }
  return JSON.stringify(contents)
}

async function changesNothing<T>(work: () => Promise<T>): Promise<T> {
  const before = await everything()
  const result = await work()
  expect(await everything()).toBe(before)
  return result
}

const get = (path: string, query: Readonly<Record<string, string>> = {}, browser: Browser = admin.browser) =>
  browser.send({ method: 'GET', path: `${path}?${new URLSearchParams(query).toString()}` })
const post = (path: string, body: unknown, browser: Browser = admin.browser) =>
  browser.send({ method: 'POST', path: `/api/v1${path}`, body })

describe.each(texts)('%s', (text) => {
  test('in the search of users, of their CSV and of the log matches literally', async () => {
    const rows = await server.database.db.selectFrom('users').select(['name', 'email', 'utr_no']).execute()
    const meant = rows.filter((row) =>
      [row.name, row.email, row.utr_no ?? ''].some((part) => part.toLowerCase().includes(text.toLowerCase())),
    )
    const emails = meant.map(({ email }) => email).toSorted()
    expect(emails.length).toBeGreaterThan(0)
    expect(emails.length).toBeLessThan(rows.length - 2)
    await changesNothing(async () => {
      const found = await get('/api/v1/admin', { search: text })
      expect(
        found
          .json<{ email: string }[]>()
          .map(({ email }) => email)
          .toSorted(),
      ).toEqual(emails)
      expect(found.headers['x-total-count']).toBe(String(emails.length))
      const paged = await get('/api/v1/admin', { search: text, sort: 'asc', page: '1', perPage: '500' })
      expect(paged.json<unknown[]>()).toHaveLength(emails.length)
      const lines = (await get('/api/v1/admin/users.csv', { search: text })).body.trimEnd().split('\r\n').slice(1)
      expect(lines).toHaveLength(emails.length)
      const { data } = (await get('/api/v1/admin/audit', { action: 'all', target: text })).json<{ data: { target: string }[] }>()
      const targets = data.map(({ target }) => target)
      expect(targets.toSorted()).toEqual(people.filter((name) => name.toLowerCase().includes(text.toLowerCase())).toSorted())
    })
  })

  test('as order, day, page or cursor is rejected on its field', async () => {
    const places = [
      ...['/api/v1/admin', '/api/v1/admin/users.csv'].flatMap((path) => ['sort', 'from', 'to'].map((field) => [path, field] as const)),
      ['/api/v1/admin', 'page'],
      ['/api/v1/admin', 'perPage'],
      ['/api/v1/admin/audit', 'before'],
    ] as const
    await changesNothing(async () => {
      for (const [path, field] of places)
        for (const value of [text, `asc${text}`, `2026-10-01${text}`, `1${text}`]) {
          const answer = await get(path, { [field]: value })
          expect([value, answer.statusCode, Object.keys(answer.json<{ fields: object }>().fields)]).toEqual([value, 400, [field]])
        }
    })
  })

  test('in an email opens, creates, changes and mails nothing', async () => {
    const visitor = server.browser({ address: '198.51.100.77' })
    const mails = server.outbox.mails.length
    await changesNothing(async () => {
      for (const email of [text, `chief@example.in${text}`, `${text}@example.in`, `chief${text}@example.in`]) {
        await server.database.db.deleteFrom('rate_counters').execute()
        expect([400, 401]).toContain((await post('/auth/sign-in', { email, password: testPassword }, visitor)).statusCode)
        expect([400, 404]).toContain((await post('/auth/forgot-password', { email, newPassword: 'Elaichi-Lassi-77' })).statusCode)
        expect((await post('/admin/change-sub-months', { email, months: 9 })).statusCode).toBe(404)
        expect([200, 400]).toContain((await post('/auth/password-link', { email }, visitor)).statusCode)
      }
    })
    expect(server.outbox.mails).toHaveLength(mails)
    expect(visitor.cookies.size).toBe(0)
  })

  test('in a reference is invalid, and creates no payment request', async () => {
    await changesNothing(async () => {
      for (const type of ['regular', 'crypto', text])
        for (const utrNo of [text, `632412345678${text}`, `${text}632412345678`])
          expect((await post('/user/payment', { type, utrNo }, premium)).statusCode).toBe(400)
    })
  })

  test('in the name of an instrument matches none', async () => {
    await changesNothing(async () => {
      for (const slug of [text, `nifty${text}`, `${text}nifty`]) {
        const part = encodeURIComponent(slug)
        // A slug of more than forty characters is rejected before it is looked up.
        const expected = slug.length > 40 ? 400 : 404
        expect((await get(`/api/v1/market/candles/${part}`, {}, premium)).statusCode).toBe(expected)
        expect((await get(`/api/v1/market/charts/${part}`, {}, premium)).statusCode).toBe(expected)
      }
    })
  })
})

test('an email with a quote and a comment mark is a valid account and no other', async () => {
  const email = "o'brien--x@example.in"
  const browser = server.browser({ address: '198.51.100.78' })
  await browser.signIn(email)
  expect((await browser.client.users.me()).email).toBe(email)
  expect((await post('/admin/change-sub-months', { email, months: 9 })).statusCode).toBe(200)
  const changed = await server.database.db.selectFrom('users').select('email').where('subscription_months', '=', 9).execute()
  expect(changed).toEqual([{ email }])
})
