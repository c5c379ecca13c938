// The link for a forgotten password: no account disclosure, its effects, and single use.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testApp, testPassword, type TestApp } from '#server/testing/app.ts'
import { AuthRepository } from './repository.ts'

const newPassword = 'Monsoon-Rain-77'

let server: TestApp
let user: { id: string; email: string }
beforeAll(async () => {
  server = await testApp({ publicOrigin: 'https://tezi.example' })
})
beforeEach(async () => {
  await server.reset()
  user = await server.addUser({ name: 'Asha Rao' })
})
afterAll(() => server.close())

const from = { origin: 'https://tezi.example' }
const requestLink = (email: unknown, address = '203.0.113.7') =>
  server.browser({ address }).send({ method: 'POST', path: '/api/v1/auth/password-link', body: { email }, headers: from })
const use = (body: object, address = '203.0.113.7') =>
  server.browser({ address }).send({ method: 'POST', path: '/api/v1/auth/password-link/use', body, headers: from })
const signIn = (email: string, password: string) =>
  server.browser({ address: '192.0.2.77' }).send({ method: 'POST', path: '/api/v1/auth/sign-in', body: { email, password }, headers: from })

/** Requests a link and returns the token of its mail. */
async function tokenFor(email: string): Promise<string> {
  const before = server.outbox.mails.length
  expect((await requestLink(email)).statusCode).toBe(200)
  await expect.poll(() => server.outbox.mails.length).toBe(before + 1)
  return /#token=([\w-]{43})$/m.exec(server.outbox.mails.at(-1)?.text ?? '')?.[1] ?? ''
}

test('without a mailer it is disabled', async () => {
  const mute = await testApp({ hasMailer: false })
  const response = await mute.browser().send({ method: 'POST', path: '/api/v1/auth/password-link', body: { email: 'asha@example.in' } })
  expect(response.statusCode).toBe(503)
  expect(response.json()).toMatchObject({ message: 'Mail is not set up here. Please contact support.' })
  await mute.close()
})

test('a request needs an email', async () => {
  expect((await requestLink('')).json()).toMatchObject({ statuscode: 400, message: 'Please fill in all required fields' })
  expect((await requestLink('asha')).json()).toMatchObject({ statuscode: 400, message: 'Please enter a valid email address' })
  expect((await requestLink({ a: 1 })).statusCode).toBe(400)
})

test('the response is the same for any email, and only an account gets a mail', async () => {
  const responses = [await requestLink('nobody@example.in'), await requestLink(` ${user.email.toUpperCase()} `)]
  expect(responses.map((response) => response.statusCode)).toEqual([200, 200])
  expect(responses[0]?.body).toBe(responses[1]?.body)
  expect(responses[0]?.json()).toMatchObject({ success: true, message: 'If there is an account with this email, a link is on its way' })
  await expect.poll(() => server.outbox.mails).toHaveLength(1)
  const [mail] = server.outbox.mails
  expect(mail?.to).toBe(user.email)
  expect(mail?.subject).toBe('Tezi: set a new password')
  expect(mail?.text).toMatch(/^https:\/\/tezi\.example\/reset-password#token=[\w-]{43}$/m)
  const token = /#token=([\w-]{43})$/m.exec(mail?.text ?? '')?.[1] ?? ''
  const [link] = await server.database.db.selectFrom('password_links').selectAll().execute()
  expect(link).toMatchObject({ user_id: user.id, used_at: null, expires_at: new Date(server.clock.nowMs + 30 * 60_000) })
  expect(link?.token_hash.toString('utf8')).not.toContain(token)
  expect(server.logLines.join('')).not.toContain(token)
})

test('the Host header never gets into the link', async () => {
  await server.browser().send({
    method: 'POST',
    path: '/api/v1/auth/password-link',
    body: { email: user.email },
    headers: { ...from, 'x-forwarded-host': 'evil.example' },
  })
  await expect.poll(() => server.outbox.mails).toHaveLength(1)
  expect(server.outbox.mails[0]?.text).not.toContain('evil.example')
})

test('three an hour for one email, whether or not it has an account; ten for one address', async () => {
  for (const email of [user.email, 'nobody@example.in']) {
    const statuses: number[] = []
    for (let time = 0; time < 4; time += 1) statuses.push((await requestLink(email, `198.51.100.${time}`)).statusCode)
    expect(statuses).toEqual([200, 200, 200, 429])
  }
  const statuses: number[] = []
  for (let time = 0; time < 11; time += 1) statuses.push((await requestLink(`person-${time}@example.in`)).statusCode)
  expect(statuses.slice(0, 10).every((status) => status === 200)).toBe(true)
  expect(statuses[10]).toBe(429)
  server.clock.nowMs += 60 * 60_000
  expect((await requestLink(user.email)).statusCode).toBe(200)
})

test('an invalid form, a weak password and a wrong token are rejected, and the link stays valid', async () => {
  const token = await tokenFor(user.email)
  const form = { token, newPassword, confirmPassword: newPassword }
  const invalid = 'This link has expired or was used already. Please ask for a new one.'
  const rejections: [object, string][] = [
    [{ newPassword: '' }, 'Please fill all the fields'],
    [{ confirmPassword: '' }, 'Please fill all the fields'],
    [{ confirmPassword: 'Other-Rain-77' }, 'Passwords do not match'],
    [{ newPassword: 'five5', confirmPassword: 'five5' }, 'Password must be at least 6 characters long'],
    [{ newPassword: 'password123', confirmPassword: 'password123' }, 'This password is too common. Please choose another one'],
    [{ token: '' }, invalid],
    [{ token: 'x' }, invalid],
    [{ token: 'A'.repeat(43) }, invalid],
    [{ token: `${token}A` }, invalid],
  ]
  for (const [change, message] of rejections) expect((await use({ ...form, ...change })).json()).toMatchObject({ statuscode: 400, message })
  expect((await signIn(user.email, testPassword)).statusCode).toBe(200)
  expect((await use(form)).json()).toMatchObject({ success: true, message: 'Password updated successfully' })
})

test('the link sets the password, ends all sessions, closes the other links and is logged', async () => {
  const browser = server.browser()
  const signed = await browser.send({
    method: 'POST',
    path: '/api/v1/auth/sign-in',
    body: { email: user.email, password: testPassword },
    headers: from,
  })
  browser.sessionToken = signed.json<{ data: { sessionToken: string } }>().data.sessionToken
  const [older, newer] = [await tokenFor(user.email), await tokenFor(user.email)]
  expect((await browser.send({ method: 'GET', path: '/api/v1/user' })).statusCode).toBe(200)
  expect((await use({ token: newer, newPassword, confirmPassword: newPassword })).statusCode).toBe(200)
  expect((await browser.send({ method: 'GET', path: '/api/v1/user' })).statusCode).toBe(401)
  expect([(await signIn(user.email, testPassword)).statusCode, (await signIn(user.email, newPassword)).statusCode]).toEqual([401, 200])
  for (const token of [older, newer])
    expect((await use({ token, newPassword: 'Other-Rain-77', confirmPassword: 'Other-Rain-77' })).statusCode).toBe(400)
  expect((await signIn(user.email, newPassword)).statusCode).toBe(200)
  const acts = await server.database.db.selectFrom('audit_log').selectAll().where('action', 'like', 'password-%').execute()
  expect(acts).toMatchObject([{ action: 'password-changed', actor: user.email, target: user.email, details: { by: 'a link in a mail' } }])
})

test('it expires after 30 minutes', async () => {
  const token = await tokenFor(user.email)
  server.clock.nowMs += 30 * 60_000
  expect((await use({ token, newPassword, confirmPassword: newPassword })).statusCode).toBe(400)
  server.clock.nowMs -= 1
  expect((await use({ token, newPassword, confirmPassword: newPassword })).statusCode).toBe(200)
})

test('used by ten at once it works once', async () => {
  const token = await tokenFor(user.email)
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      use({ token, newPassword: `Monsoon-Rain-${index}`, confirmPassword: `Monsoon-Rain-${index}` }),
    ),
  )
  // Too late (400), or while another password of the account was being hashed (429).
  const codes = responses.map((response) => (response.statusCode === 429 ? 400 : response.statusCode))
  expect(codes.toSorted((one, other) => one - other)).toEqual([200, ...Array<number>(9).fill(400)])
  const winner = responses.findIndex((response) => response.statusCode === 200)
  expect((await signIn(user.email, `Monsoon-Rain-${winner}`)).statusCode).toBe(200)
})

test('an admin needs twelve characters by link too', async () => {
  const admin = await server.addUser({ role: 'admin' })
  const token = await tokenFor(admin.email)
  expect((await use({ token, newPassword: 'Rain-Cloud7', confirmPassword: 'Rain-Cloud7' })).json()).toMatchObject({
    message: 'The password of an admin must be at least 12 characters long',
  })
})

test('guessing tokens ends in 429', async () => {
  const statuses: number[] = []
  for (let guess = 0; guess < 21; guess += 1)
    statuses.push((await use({ token: `${guess}`.padStart(43, 'A'), newPassword, confirmPassword: newPassword })).statusCode)
  expect(statuses.at(-2)).toBe(400)
  expect(statuses.at(-1)).toBe(429)
})

test('a link waits for a concurrent password change, and is closed after it', async () => {
  const token = await tokenFor(user.email)
  const { running } = await server.database.db.transaction().execute(async (change) => {
    await change.updateTable('users').set({ password_hash: 'x' }).where('id', '=', user.id).execute()
    const running = use({ token, newPassword, confirmPassword: newPassword })
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await waiting.execute(server.database.db)).rows.length).toBe(1)
    await new AuthRepository(change).closeLinksOf(user.id, new Date(server.clock.nowMs))
    return { running }
  })
  expect((await running).statusCode).toBe(400)
  const account = await server.database.db.selectFrom('users').select('password_hash').where('id', '=', user.id).executeTakeFirst()
  expect(account).toEqual({ password_hash: 'x' })
})
