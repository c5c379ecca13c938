// Mails to addresses that nobody has confirmed: by recipient and by network, and sign-ups of all addresses together.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp, testPassword, type TestApp } from '#server/testing/app.ts'
import { solve } from '#server/testing/solve.ts'
import type { Proof } from '#shared/http/proof.ts'

let server: TestApp
beforeAll(async () => {
  server = await testApp()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

let made = 0
const signUp = (address: string, values: { email?: string; name?: string; proof?: Proof } = {}) =>
  server.browser({ address }).send({
    method: 'POST',
    path: '/api/v1/auth/sign-up',
    body: {
      name: 'Ravi',
      email: `new-${(made += 1)}@example.in`,
      phone: '9876543210',
      password: testPassword,
      confirmPassword: testPassword,
      ...values,
    },
  })
const mailCount = async (count: number) => expect.poll(() => server.outbox.mails.length).toBe(count)

test('the first mail has no text that the sign-up chose', async () => {
  await signUp('192.0.2.1', { name: 'Win a prize at https://evil.example' })
  await mailCount(1)
  expect(server.outbox.mails[0]?.subject).not.toContain('evil')
  expect(server.outbox.mails[0]?.text).not.toMatch(/evil|prize/)
})

test('a network gets 60 mails in an hour, its people still sign up, and another network is not affected', async () => {
  for (let index = 0; index < 62; index += 1) expect((await signUp(`192.0.2.${index}`)).statusCode).toBe(201)
  await mailCount(60)
  await signUp('198.51.100.1')
  await mailCount(61)
  const late = server.browser({ address: '192.0.2.200' })
  const { email } = await server.addUser({ email_confirmed_at: null })
  await late.signIn(email)
  expect((await late.send({ method: 'POST', path: '/api/v1/user/email/link' })).statusCode).toBe(429)
  server.clock.nowMs += 60 * 60_000
  expect((await late.send({ method: 'POST', path: '/api/v1/user/email/link' })).statusCode).toBe(200)
  await mailCount(62)
})

test('a recipient gets six mails in six hours, whoever asks for them', async () => {
  const victim = 'victim@example.in'
  const change = async () => {
    const browser = await server.signedIn()
    return browser.send({ method: 'POST', path: '/api/v1/user/email', body: { email: victim, password: testPassword } })
  }
  for (let time = 0; time < 6; time += 1) expect((await change()).statusCode).toBe(200)
  expect((await change()).statusCode).toBe(429)
  expect(await server.database.db.selectFrom('email_links').select('email').execute()).toHaveLength(6)
})

test('sign-ups of a stranger leave mails to the owner of the address: for a sign-up elsewhere, and for a forgotten password', async () => {
  const email = 'owner@example.in'
  // The first makes the account.
  for (let time = 0; time < 8; time += 1) await signUp('192.0.2.1', { email })
  await mailCount(4)
  expect((await signUp('198.51.100.1', { email })).json()).toMatchObject({ code: 'auth.emailWaits' })
  await mailCount(5)
  for (let network = 0; network < 8; network += 1) await signUp(`203.0.${network}.1`, { email })
  await mailCount(7)
  await server.browser({ address: '198.51.100.1' }).client.passwords.askForLink({ body: { email } })
  await mailCount(8)
})

test('more links at once than the pool has connections do not wait for each other', async () => {
  const accounts = await Promise.all(Array.from({ length: 12 }, () => server.addUser({ email_confirmed_at: null })))
  await Promise.all(
    accounts.map(({ email }, index) => server.browser({ address: `192.0.2.${index}` }).client.passwords.askForLink({ body: { email } })),
  )
  await expect.poll(() => server.outbox.mails.length, { timeout: 15_000 }).toBe(12)
}, 20_000)

describe('more sign-ups than usual of all addresses', () => {
  const used = (hits: number) =>
    server.database.db
      .insertInto('rate_counters')
      .values({ bucket: 'sign-up:all', hits, window_end: new Date(server.clock.nowMs + 60_000) })
      .onConflict((conflict) => conflict.column('bucket').doUpdateSet({ hits }))
      .execute()

  test('need a proof, which gets harder up to sixteen times, and nobody is refused', async () => {
    await used(119)
    expect((await signUp('192.0.2.1')).statusCode).toBe(201)
    const bits: number[] = []
    for (const hits of [120, 239, 240, 480, 960, 100_000]) {
      await used(hits)
      const refused = await signUp('192.0.2.2', { email: 'asha@example.in' })
      expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([429, 'auth.tooManySignUps'])
      bits.push(refused.json<{ challenge: { bits: number } }>().challenge.bits)
      if (hits === 100_000) expect((await signUp('192.0.2.2', { email: 'asha@example.in', proof: solve(refused) })).statusCode).toBe(201)
    }
    expect(bits).toEqual([3, 3, 4, 5, 6, 6])
  })

  test('a proof is good again after a sign-up that the server could not finish, and only then', async () => {
    const { db } = server.database
    const email = 'asha@example.in'
    await used(120)
    const proof = solve(await signUp('192.0.2.2', { email }))
    await sql`create function refuse_all() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(db)
    await sql`create trigger refuse_all before insert on users for each row execute function refuse_all()`.execute(db)
    try {
      expect((await signUp('192.0.2.2', { email, proof })).statusCode).toBe(500)
    } finally {
      await sql`drop function refuse_all cascade`.execute(db)
    }
    const total = await db.selectFrom('rate_counters').select('hits').where('bucket', '=', 'sign-up:all').executeTakeFirst()
    expect(total).toEqual({ hits: 120 })
    expect((await signUp('192.0.2.2', { email, proof })).statusCode).toBe(201)
    expect((await signUp('192.0.2.2', { email, proof })).statusCode).toBe(429)
  })
})
