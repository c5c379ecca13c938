// Accounts whose address was not confirmed end after seven days, and which of them stay.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { dayMs } from '#shared/base/durations.ts'
import { databasePresence } from '#server/features/users/database-presence.ts'
import { proofOfWork } from '#server/http/proof-of-work.ts'
import { noRateLimits } from '#server/http/rate-limiter.ts'
import { mailService } from '#server/mail/mail-service.ts'
import { startMs, testApp, testPassword, type TestApp } from '#server/testing/app.ts'
import { addPlans } from '#server/testing/subscriptions.ts'
import { passwordHasher } from './password-hasher.ts'
import { AuthService } from './service.ts'

const email = 'owner@example.in'

const servers = { mail: await testApp(), none: await testApp({ hasMailer: false }) }
let server: TestApp = servers.mail
let errors: unknown[] = []
beforeEach(async () => {
  for (const each of Object.values(servers)) await each.reset()
  server = servers.mail
  errors = []
})
afterAll(() => Promise.all(Object.values(servers).map((each) => each.close())))

const signUp = (to = email) =>
  server.browser({ address: '192.0.2.9' }).send({
    method: 'POST',
    path: '/api/v1/auth/sign-up',
    body: { name: 'Ravi', email: to, phone: '9876543210', password: testPassword, confirmPassword: testPassword },
  })
const users = () => server.database.db.selectFrom('users').where('email', '=', email)
const account = () => users().selectAll().executeTakeFirstOrThrow()
const setUser = (values: object) => server.database.db.updateTable('users').set(values).where('email', '=', email).execute()
const sweep = (hasMail = true) => {
  const { db } = server.database
  const onError = (error: unknown) => void errors.push(error)
  const common = { db, presence: databasePresence(db), rateLimiter: noRateLimits, now: () => server.clock.nowMs, onError }
  const keys = { hasher: passwordHasher('cheap'), deviceKey: Buffer.alloc(32) }
  const proofs = proofOfWork({ ...common, key: Buffer.alloc(32) })
  const mails = mailService({ ...common, mailer: undefined })
  return new AuthService({ ...common, ...keys, proofs, mails, claimAddress: hasMail ? () => Promise.resolve(false) : undefined }).sweep()
}
const exists = async () => (await users().select('id').executeTakeFirst()) !== undefined

test('it ends seven days after it was made, with its session', async () => {
  await signUp()
  const browser = server.browser()
  await browser.signIn(email, testPassword)
  server.clock.nowMs += 7 * dayMs
  await sweep()
  expect(await exists()).toBe(true)
  server.clock.nowMs += 1
  await sweep(false)
  expect(await exists()).toBe(true)
  await sweep()
  expect(await exists()).toBe(false)
  expect((await browser.send({ method: 'GET', path: '/api/v1/user' })).statusCode).toBe(401)
  expect((await signUp()).statusCode).toBe(201)
})

test.each([
  ['of an earlier version', { made_with_mail: false }],
  ['that was confirmed', { email_confirmed_at: new Date(startMs) }],
  ['with an open request', { status: 'pending' }],
  ['with premium in the past', { status: 'cancel', premium_start: new Date(startMs) }],
  ['of an admin', { role: 'admin' }],
])('one %s stays', async (_, values) => {
  await signUp()
  await setUser(values)
  server.clock.nowMs += 400 * dayMs
  await sweep()
  expect(await exists()).toBe(true)
})

test('one with months from an admin stays', async () => {
  await signUp()
  const { id } = await account()
  await server.database.db
    .insertInto('subscription_history')
    .values({ user_id: id, command: 'months', at: new Date(startMs), months_after: 0 })
    .execute()
  server.clock.nowMs += 8 * dayMs
  await sweep()
  expect(await exists()).toBe(true)
})

test('one whose admin role was taken away stays', async () => {
  await signUp()
  const { id } = await account()
  const admin = await server.signedIn({ role: 'admin' })
  for (const role of ['admin', 'user'] as const) await admin.client.roles.change({ body: { id, role } })
  server.clock.nowMs += 400 * dayMs
  await sweep()
  expect(await exists()).toBe(true)
})

test('one with a request stays until it is decided and seven days more; the declined payment is kept, an accepted one keeps the account', async () => {
  await addPlans(server)
  await signUp()
  const browser = server.browser()
  await browser.signIn(email, testPassword)
  await browser.client.subscriptions.submit({ body: { type: 'regular', utrNo: '632412345678' } })
  const { id } = await account()
  server.clock.nowMs += 6 * dayMs
  expect((await browser.client.email.state()).data.endsAt).toBeNull()
  server.clock.nowMs += 2 * dayMs
  await sweep()
  expect(await exists()).toBe(true)
  const admin = await server.signedIn({ role: 'admin' })
  const decide = (status: boolean) => admin.client.subscriptions.setStatus({ body: { id, status } })
  await decide(false)
  await browser.signIn(email, testPassword)
  expect((await browser.client.email.state()).data.endsAt).toBe(new Date(server.clock.nowMs + 7 * dayMs).toISOString())
  server.clock.nowMs += 7 * dayMs
  await sweep()
  expect(await exists()).toBe(true)
  server.clock.nowMs += 1
  await sweep()
  expect(await exists()).toBe(false)
  const requests = await server.database.db.selectFrom('payment_requests').select(['user_id', 'reference', 'status']).execute()
  expect(requests).toEqual([{ user_id: id, reference: '632412345678', status: 'declined' }])

  await signUp()
  await setUser({ status: 'cancel' })
  const row = {
    user_id: (await account()).id,
    type: 'regular',
    months: 1,
    price_minor: 1,
    rail: 'upi',
    reference_raw: 'x',
    reference: 'x',
  } as const
  await server.database.db
    .insertInto('payment_requests')
    .values({ ...row, status: 'accepted', created_at: new Date(startMs) })
    .execute()
  server.clock.nowMs += 400 * dayMs
  await sweep()
  expect(await exists()).toBe(true)
})

test('one of a site without mail stays, also once it has mail', async () => {
  server = servers.none
  await signUp()
  expect((await signUp()).json()).toMatchObject({ code: 'auth.emailTaken' })
  server.clock.nowMs += 8 * dayMs
  await sweep(true)
  expect(await exists()).toBe(true)
})

test('one that cannot be erased is reported, and the others end', async () => {
  const { db } = server.database
  for (const one of ['first', 'bad', 'last']) {
    server.clock.nowMs += 1
    await signUp(`${one}@example.in`)
  }
  const { id } = await db.selectFrom('users').select('id').where('email', '=', 'bad@example.in').executeTakeFirstOrThrow()
  await sql`create function refuse_one() returns trigger language plpgsql as $$
    begin if old.email = 'bad@example.in' then raise exception 'cannot be erased'; end if; return old; end $$`.execute(db)
  await sql`create trigger refuse_one before delete on users for each row execute function refuse_one()`.execute(db)
  try {
    server.clock.nowMs += 8 * dayMs
    await expect(sweep()).rejects.toThrow('1 of 3 accounts could not be erased')
  } finally {
    await sql`drop function refuse_one cascade`.execute(db)
  }
  expect(errors).toMatchObject([{ message: `account ${id} could not be erased` }])
  expect(await db.selectFrom('users').select('id').execute()).toEqual([{ id }])
  const erased = await db.selectFrom('audit_log').select('target_id').where('action', '=', 'account-erased').execute()
  expect(erased).toHaveLength(2)
})
