// The seed data: databases it rejects, its content, and that it is created once.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectHistoryToReplay } from '#server/testing/subscriptions.ts'
import { startMs, testApp, type TestApp } from '#server/testing/app.ts'
import { dayMs } from '#shared/base/durations.ts'
import { noticeVersion } from '#shared/privacy/notice-version.ts'
import { upiDayOf } from '#shared/subscriptions/rules.ts'
import { readWorkspace } from '#shared/workspace/workspace.ts'
import { passwordHasher } from '#server/features/auth/password-hasher.ts'
import { seedAdminEmail, seedPassword, seedPeople } from './people.ts'
import { seed, seedSignIns } from './seed.ts'

let server: TestApp

const run = (isReset = false) => seed({ db: server.database.db, nowMs: startMs, hasher: passwordHasher('cheap'), isReset })

const tables = ['users', 'plans', 'payment_requests', 'subscription_history', 'audit_log', 'consents', 'workspaces', 'drawings'] as const

async function counts(): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const table of tables) {
    const { count } = await server.database.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    found[table] = Number(count)
  }
  return found
}

describe('a run on a separate database', () => {
  beforeEach(async () => {
    server = await testApp()
  })
  afterEach(() => server.close())

  test('a database with other users is rejected and left as it is', async () => {
    await server.addUser()
    const before = await counts()
    await expect(run()).rejects.toThrow('The database has 1 other users, so it is not seeded')
    await expect(run(true)).rejects.toThrow('other users')
    expect(await counts()).toEqual(before)
  })

  test('an interrupted seed is rejected until it is reset', async () => {
    await server.addUser({ email: seedPeople()[0]?.email ?? '' })
    await expect(run()).rejects.toThrow('incomplete')
    expect(await run(true)).toBe('created')
  })

  test('a second run changes nothing, and a reset touches no other account', async () => {
    await run()
    const first = await counts()
    expect(await run()).toBe('exists')
    expect(await counts()).toEqual(first)

    const other = await server.addUser({ email: 'own@example.in' })
    expect(await run()).toBe('exists')
    expect(await run(true)).toBe('created')
    expect(await counts()).toEqual({ ...first, users: (first['users'] ?? 0) + 1 })
    expect(await server.database.db.selectFrom('users').select('id').where('id', '=', other.id).execute()).toHaveLength(1)
  })
})

test('after a change of the notice nobody has agreed to it before it was written, and all have since', async () => {
  server = await testApp()
  const noticeMs = Date.parse(noticeVersion)
  const { db } = server.database
  await seed({ db, nowMs: noticeMs + 3 * dayMs, hasher: passwordHasher('cheap'), isReset: false })
  const consents = await db.selectFrom('consents').select(['at', 'notice_version']).execute()
  expect(consents.filter((consent) => consent.at.getTime() < Date.parse(consent.notice_version))).toEqual([])
  const missing = await db.selectFrom('users').select('email').where('consent_notice', 'is distinct from', noticeVersion).execute()
  expect(missing.map(({ email }) => email.replace(/-\d+@.*/, '')).toSorted()).toEqual(['consent-missing', 'consent-withdrawn'])
  await server.close()
})

describe('the world', () => {
  beforeAll(async () => {
    server = await testApp()
    await run()
  })
  afterAll(() => server.close())

  test('the world has users in every state, with a history that replays', async () => {
    const { db } = server.database
    const users = await db.selectFrom('users').selectAll().where('role', '=', 'user').execute()
    expect(users).toHaveLength(40)
    for (const { id } of users) await expectHistoryToReplay(server, id)

    const soon = startMs + 7 * 86_400_000
    const end = (user: (typeof users)[number]) => user.premium_end?.getTime() ?? 0
    const of = (state: string) => users.filter(({ email }) => email.startsWith(`${state}-`))
    expect(of('free').every(({ status }) => status === null)).toBe(true)
    expect(of('pending').every((user) => user.status === 'pending' && user.premium_end === null)).toBe(true)
    expect(of('renewal-pending').every((user) => user.status === 'pending' && end(user) > startMs)).toBe(true)
    expect(of('paid').every((user) => user.status === 'paid' && end(user) > startMs)).toBe(true)
    expect(of('paid-expiring').every((user) => end(user) > startMs && end(user) < soon)).toBe(true)
    expect(of('expired').every((user) => user.status === 'cancel' && end(user) < startMs)).toBe(true)
    expect(of('suspended').every((user) => user.status === 'cancel' && end(user) < startMs)).toBe(true)
    expect(of('declined').every((user) => user.status === 'cancel' && user.premium_end === null)).toBe(true)
    expect(of('temporary-password').every((user) => user.password_is_temporary)).toBe(true)
    expect(of('consent-missing').map((user) => user.consent_notice)).toEqual([null])
    expect(of('consent-withdrawn').every((user) => user.consent_withdrawn_at !== null)).toBe(true)
    const commands = await db.selectFrom('subscription_history').select('command').distinct().execute()
    expect(commands.map(({ command }) => command).toSorted()).toEqual(['accept', 'decline', 'expire', 'months', 'submit', 'suspend'])
  })

  test('no reference is distrusted by the hint for admins', async () => {
    const rows = await server.database.db
      .selectFrom('payment_requests')
      .select(['reference', 'created_at'])
      .where('rail', '=', 'upi')
      .execute()
    expect(rows.length).toBeGreaterThan(5)
    for (const row of rows) expect(row.reference.slice(0, 4)).toBe(upiDayOf(row.created_at.getTime()))
  })

  test('times only increase, and none is in the future', async () => {
    for (const table of ['audit_log', 'subscription_history', 'consents'] as const) {
      const rows = await server.database.db.selectFrom(table).select('at').orderBy('id').execute()
      const times = rows.map(({ at }) => at.getTime())
      expect(times).toEqual(times.toSorted((one, other) => one - other))
      expect(Math.max(...times)).toBeLessThanOrEqual(startMs)
    }
  })

  test('plans have readable QR codes, and charts are arranged', async () => {
    const browser = server.browser()
    await browser.signIn(seedAdminEmail, seedPassword)
    const { data } = await browser.client.plans.list()
    expect(
      data.map(({ type, payee }) => ({ type, isReadable: payee !== null })).toSorted((one, other) => (one.type < other.type ? -1 : 1)),
    ).toEqual([
      { type: 'crypto', isReadable: true },
      { type: 'regular', isReadable: true },
    ])
    const rows = await server.database.db.selectFrom('workspaces').select('content').execute()
    expect(rows.length).toBeGreaterThan(0)
    for (const { content } of rows) expect(readWorkspace(content).layouts).toHaveLength(2)
    expect((await counts())['drawings']).toBeGreaterThan(0)
  })

  test('every printed sign-in works', async () => {
    for (const { email } of seedSignIns()) {
      const browser = server.browser({ address: `10.0.0.${email.length}` })
      await browser.signIn(email, seedPassword)
      expect(browser.sessionToken).toBeDefined()
    }
  })
})
