// What the retention job deletes, and what it keeps: withdrawn consent, access log, accounting records, and late names.
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dayMs } from '#shared/base/durations.ts'
import { passwordHasher } from '#server/features/auth/password-hasher.ts'
import { AuthService } from '#server/features/auth/service.ts'
import { databasePresence } from '#server/features/users/database-presence.ts'
import { DatabaseRateLimiter } from '#server/http/rate-limiter.ts'
import { proofOfWork } from '#server/http/proof-of-work.ts'
import { mailService } from '#server/mail/mail-service.ts'
import { loadServerKeys } from '#server/secrets/secret-box.ts'
import { testApp, testPassword, type TestApp } from '#server/testing/app.ts'
import { addTotp } from '#server/testing/factors.ts'
import { addMember, addPlans } from '#server/testing/subscriptions.ts'
import { sweepPersonalData } from './sweep-personal-data.ts'

let server: TestApp
beforeAll(async () => {
  server = await testApp()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const options = () => {
  const { db } = server.database
  return { db, presence: databasePresence(db), now: () => server.clock.nowMs, onError: () => {} }
}
const sweep = () => sweepPersonalData(options())
const logRow = (at: Date, action: string) => ({
  at,
  actor_id: null,
  actor: 'a@b.in',
  action,
  target_id: null,
  target: 'x',
  address: '192.0.2.1',
  details: '{}',
})

/** The service whose sweep is under test. */
async function authOfNow() {
  const rateLimiter = new DatabaseRateLimiter(options())
  const keyFor = await loadServerKeys(server.database.db)
  const proofs = proofOfWork({ ...options(), rateLimiter, key: keyFor('proof-of-work') })
  return new AuthService({
    ...options(),
    rateLimiter,
    hasher: passwordHasher('cheap'),
    deviceKey: keyFor('device'),
    proofs,
    mails: mailService({ db: server.database.db, mailer: undefined, onError: () => {} }),
    onError: () => {},
  })
}

test('an account without consent is erased after 30 days, not before, and not after a new consent', async () => {
  const [gone, back, admin] = [await addMember(server), await addMember(server), await addMember(server, { role: 'admin' })]
  for (const one of [gone, back, admin]) await one.browser.client.privacy.withdrawConsent({ body: { isSure: true } })
  const users = async () => (await server.database.db.selectFrom('users').select('id').execute()).map((row) => row.id).toSorted()
  server.clock.nowMs += 30 * dayMs
  await sweep()
  expect(await users()).toEqual([gone.id, back.id, admin.id].toSorted())
  await server.database.db.updateTable('users').set({ consent_withdrawn_at: null }).where('id', '=', back.id).execute()
  server.clock.nowMs += 1
  await sweep()
  expect(await users()).toEqual([back.id, admin.id].toSorted())
  expect(await server.database.db.selectFrom('erasures').select('user_id').execute()).toEqual([{ user_id: gone.id }])
})

test('accounts that cannot be erased, however many, keep no other from being erased', async () => {
  const { db } = server.database
  const withdrawn = (ageDays: number, values: { email?: string } = {}) =>
    server.addUser({ ...values, consent_withdrawn_at: new Date(server.clock.nowMs - ageDays * dayMs) })
  for (let index = 0; index < 101; index += 1) await withdrawn(40, { email: `bad-${index}@example.in` })
  const good = await withdrawn(31)
  await sql`create function refuse_some() returns trigger language plpgsql as $$
    begin if old.email like 'bad-%' then raise exception 'cannot be erased'; end if; return old; end $$`.execute(db)
  await sql`create trigger refuse_some before delete on users for each row execute function refuse_some()`.execute(db)
  try {
    await expect(sweep()).rejects.toThrow('101 of 102 accounts could not be erased')
  } finally {
    await sql`drop function refuse_some cascade`.execute(db)
  }
  expect(await db.selectFrom('erasures').select('user_id').execute()).toEqual([{ user_id: good.id }])
  await sweep()
  expect(await db.selectFrom('users').select('id').execute()).toHaveLength(1)
  await sweep()
  expect(await db.selectFrom('users').select('id').execute()).toEqual([])
})

test('sessions, which are the access log, are kept for a year after their last use and then deleted', async () => {
  const { db } = server.database
  const auth = await authOfNow()
  const member = await addMember(server)
  const count = async () => (await db.selectFrom('sessions').select('id').where('user_id', '=', member.id).execute()).length
  server.clock.nowMs += 366 * dayMs
  await auth.sweep()
  expect(await count()).toBe(1)
  server.clock.nowMs += 2 * dayMs
  await auth.sweep()
  expect(await count()).toBe(0)
})

test('after a year sign-ins are deleted from the log, other actions lose their address, and newer rows are unchanged', async () => {
  const { db } = server.database
  const [old, young] = [new Date('2020-01-01T00:00:00Z'), new Date(server.clock.nowMs - 300 * dayMs)]
  await db
    .insertInto('audit_log')
    .values([
      logRow(old, 'sign-in'),
      logRow(old, 'access-refused'),
      logRow(old, 'password-reset'),
      logRow(young, 'sign-in'),
      logRow(young, 'plan-updated'),
    ])
    .execute()
  await sweep()
  const rows = await db.selectFrom('audit_log').select(['at', 'action', 'actor', 'address']).orderBy('id').execute()
  expect(rows).toEqual([
    { at: old, action: 'password-reset', actor: 'a@b.in', address: '' },
    { at: young, action: 'sign-in', actor: 'a@b.in', address: '192.0.2.1' },
    { at: young, action: 'plan-updated', actor: 'a@b.in', address: '192.0.2.1' },
  ])
})

test.each([
  "update audit_log set actor = 'erased'",
  'update audit_log set actor = pseudonym_of(actor_id)',
  'update audit_log set target = pseudonym_of(target_id)',
  'update audit_log set address = hash_address(address)',
  "update audit_log set address = ''",
  "update audit_log set action = 'sign-in'",
  "update audit_log set details = '{}'",
  'update audit_log set actor_id = null',
  'delete from audit_log',
])('the database rejects for existing accounts, and for new rows: %s', async (statement) => {
  const { db } = server.database
  const { id } = await server.addUser()
  const row = { ...logRow(new Date(), 'plan-updated'), actor_id: id, target_id: id, details: '{"before":1}' }
  await db.insertInto('audit_log').values(row).execute()
  // A fake erasure record has no effect while the account exists.
  await db.insertInto('erasures').values({ user_id: id, at: new Date() }).execute()
  await expect(sql.raw(statement).execute(db)).rejects.toThrow('rows of audit_log are written once')
})

test('a row about an erased user is written without the name; one that slipped through is fixed', async () => {
  const { db } = server.database
  const id = randomUUID()
  await db
    .insertInto('audit_log')
    .values({ ...logRow(new Date(), 'password-reset'), target_id: id, target: 'early@b.in' })
    .execute()
  await db
    .insertInto('erasures')
    .values({ user_id: id, at: new Date(server.clock.nowMs) })
    .execute()
  await db
    .insertInto('audit_log')
    .values({ ...logRow(new Date(), 'sign-in'), actor_id: id, actor: 'late@b.in', target_id: id, target: 'late@b.in' })
    .execute()
  const names = async () => await db.selectFrom('audit_log').select(['actor', 'target', 'address']).orderBy('id').execute()
  const pseudonym = `erased-${id.slice(-12)}`
  const late = { actor: pseudonym, target: pseudonym, address: expect.stringMatching(/^hash:[0-9a-f]{16}$/) as string }
  expect(await names()).toEqual([{ actor: 'a@b.in', target: 'early@b.in', address: '192.0.2.1' }, late])
  await sweep()
  expect(await names()).toEqual([{ actor: 'a@b.in', target: pseudonym, address: (await names())[1]?.address }, late])
})

test('the log is searched once, however many accounts were erased, and only rows with a name change', async () => {
  const { db } = server.database
  const erased = Array.from({ length: 30 }, () => ({ user_id: randomUUID(), at: new Date(server.clock.nowMs) }))
  let statements = 0
  const counted = db.withPlugin({
    transformQuery: ({ node }) => ((statements += 1), node),
    transformResult: ({ result }) => Promise.resolve(result),
  })
  const sweepCounted = async () => {
    statements = 0
    await sweepPersonalData({ ...options(), db: counted })
    return statements
  }
  const before = await sweepCounted()
  const early = erased.slice(0, 2).map(({ user_id }) => ({ ...logRow(new Date(), 'password-reset'), target_id: user_id }))
  await db.insertInto('audit_log').values(early).execute()
  await db.insertInto('erasures').values(erased).execute()
  expect(await sweepCounted()).toBe(before + 2)
  expect(await sweepCounted()).toBe(before)
})

test('after the accounting period the payments of an erased user are anonymous, and the reference remains claimed', async () => {
  await addPlans(server)
  const { db } = server.database
  const [gone, kept] = [await addMember(server), await addMember(server)]
  await gone.browser.client.subscriptions.submit({ body: { type: 'regular', utrNo: '632412345678' } })
  await kept.browser.client.subscriptions.submit({ body: { type: 'regular', utrNo: '632412345679' } })
  await db.deleteFrom('users').where('id', '=', gone.id).execute()
  await db
    .insertInto('erasures')
    .values({ user_id: gone.id, at: new Date('2010-01-01T00:00:00Z') })
    .execute()
  await db
    .insertInto('consents')
    .values({ user_id: gone.id, at: new Date(), act: 'given', notice_version: 'x', is_adult: true, place: 'sign-up' })
    .execute()
  const payers = async () =>
    (await db.selectFrom('payment_requests').select('user_id').orderBy('reference').execute()).map((row) => row.user_id)
  await sweep()
  expect(await payers()).toEqual([gone.id, kept.id])
  const before = new Date(server.clock.nowMs - 9 * 366 * dayMs - 1)
  await db.updateTable('payment_requests').set({ created_at: before }).execute()
  await db.updateTable('subscription_history').set({ at: before }).execute()
  await sweep()
  expect(await payers()).toEqual(['00000000-0000-0000-0000-000000000000', kept.id])
  expect(await db.selectFrom('subscription_history').select('user_id').execute()).toEqual([{ user_id: kept.id }])
  expect(await db.selectFrom('consents').selectAll().execute()).toEqual([])
})

test('setups of two-factor sign-in end after 15 minutes, pending sign-ins after five; finished setups are kept', async () => {
  const { browser, email } = await addMember(server, {}, testPassword)
  await addTotp(server, browser)
  await browser.client.factors.startTotp()
  const { db } = server.database
  const auth = await authOfNow()
  const count = async () => [
    (await db.selectFrom('totp_secrets').selectAll().execute()).length,
    (await db.selectFrom('sign_in_challenges').selectAll().execute()).length,
    (await db.selectFrom('recovery_codes').selectAll().execute()).length,
  ]
  await server.browser().client.auth.signIn({ body: { email, password: testPassword } })
  await auth.sweep()
  expect(await count()).toEqual([2, 1, 10])
  server.clock.nowMs += 5 * 60_000 + 1
  await auth.sweep()
  expect(await count()).toEqual([2, 0, 10])
  server.clock.nowMs += 10 * 60_000
  await auth.sweep()
  expect(await count()).toEqual([1, 0, 10])
})

test('keys of a broker are deleted a week after premium, and after a day if the login was not finished', async () => {
  const { db } = server.database
  const at = new Date(server.clock.nowMs)
  const paidUntil = (ms: number) => ({ status: 'paid', premium_start: at, premium_end: new Date(server.clock.nowMs + ms) }) as const
  const people = {
    ended: await addMember(server, paidUntil(dayMs)),
    paid: await addMember(server, paidUntil(90 * dayMs)),
    unfinished: await addMember(server, paidUntil(90 * dayMs)),
    admin: await addMember(server, { role: 'admin' }),
  }
  const row = { broker: 'kite', secret: Buffer.alloc(1), address: null, created_at: at } as const
  for (const [name, { id }] of Object.entries(people))
    await db
      .insertInto('broker_connections')
      .values({ ...row, user_id: id, session_at: name === 'unfinished' ? null : at })
      .execute()
  const left = async () => {
    await sweep()
    const rows = await db.selectFrom('broker_connections').select('user_id').execute()
    return Object.entries(people).flatMap(([name, { id }]) => (rows.some((one) => one.user_id === id) ? [name] : []))
  }
  server.clock.nowMs += dayMs
  expect(await left()).toEqual(['ended', 'paid', 'unfinished', 'admin'])
  server.clock.nowMs += 1
  expect(await left()).toEqual(['ended', 'paid', 'admin'])
  server.clock.nowMs += 7 * dayMs - 1
  expect(await left()).toEqual(['ended', 'paid', 'admin'])
  server.clock.nowMs += 1
  expect(await left()).toEqual(['paid', 'admin'])
})
