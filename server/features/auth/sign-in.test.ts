// Sign-in through the API: rejections, guessing limits, and the resulting session.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testApp, testPassword, type TestApp } from '#server/testing/app.ts'
import { solve } from '#server/testing/solve.ts'
import { userFields } from '#server/testing/user-fields.ts'

let server: TestApp
beforeAll(async () => {
  server = await testApp()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const signIn = (body: unknown, address?: string) =>
  server.browser(address === undefined ? {} : { address }).send({ method: 'POST', path: '/api/v1/auth/sign-in', body })

test.each([
  [{ email: '', password: 'x' }, 'Please fill in all required fields'],
  [{ email: 'a@b.in', password: '' }, 'Please fill in all required fields'],
  [{}, 'Please fill in all required fields'],
  [{ email: 'nobody', password: 'x' }, 'Please enter a valid email address'],
])('%j is rejected with the messages of the form', async (body, message) => {
  const response = await signIn(body)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ success: false, message, error: message })
})

test.each([
  { email: { $ne: '' }, password: 'x' },
  { email: ['a@b.in'], password: 'x' },
  { email: 'a@b.in', password: true },
  { email: null, password: null },
  [[]],
  'text',
  7,
  [null],
])('credentials of the wrong type are rejected: %j', async (body) => {
  expect((await signIn(body)).statusCode).toBe(400)
})

test('an unknown email and a wrong password get the same response', async () => {
  const { email } = await server.addUser()
  const wrong = await signIn({ email, password: 'not-the-password' })
  const unknown = await signIn({ email: 'nobody@example.in', password: 'not-the-password' })
  expect(wrong.statusCode).toBe(401)
  expect(wrong.json()).toEqual({
    success: false,
    message: 'Invalid email or password',
    error: 'Invalid email or password',
    code: 'auth.credentialsWrong',
    statuscode: 401,
  })
  expect([unknown.statusCode, unknown.body]).toEqual([wrong.statusCode, wrong.body])
})

test('the correct password opens a session whose secrets are stored only hashed', async () => {
  const { id, email } = await server.addUser()
  const response = await signIn({ email: ` ${email.toUpperCase()} `, password: testPassword })
  expect(response.statusCode).toBe(200)
  const body = response.json<{ data: { sessionToken: string; user: Record<string, unknown> } }>()
  expect(body).toMatchObject({
    success: true,
    message: 'Login successful',
    data: { user: { _id: id, email, role: 'user', isPremium: false, status: null } },
  })
  expect(Object.keys(body.data.user).toSorted()).toEqual(userFields)
  const [cookie, ...others] = response.cookies
  expect(others).toMatchObject([{ name: 'tezi_device', httpOnly: true, sameSite: 'Lax', path: '/api/v1/auth' }])
  expect(cookie).toMatchObject({ name: 'tezi_session', httpOnly: true, sameSite: 'Lax', path: '/' })
  expect(cookie).not.toHaveProperty('domain')
  expect(cookie?.value).toMatch(/^[\w-]{43}$/)
  expect(cookie?.value).not.toBe(body.data.sessionToken)
  const [row] = await server.database.db.selectFrom('sessions').selectAll().execute()
  expect(
    row?.cookie_hash.equals(
      createHash('sha256')
        .update(cookie?.value ?? '')
        .digest(),
    ),
  ).toBe(true)
  expect(JSON.stringify(row)).not.toContain(cookie?.value)
})

test('behind https the cookie is Secure and bound to the host', async () => {
  const secure = await testApp({ publicOrigin: 'https://tezi.example' })
  const { email } = await secure.addUser()
  const response = await secure.browser().send({ method: 'POST', path: '/api/v1/auth/sign-in', body: { email, password: testPassword } })
  expect(response.cookies).toMatchObject([
    { name: '__Host-tezi_session', secure: true, httpOnly: true, sameSite: 'Lax', path: '/' },
    { name: '__Secure-tezi_device', secure: true, httpOnly: true, sameSite: 'Lax', path: '/api/v1/auth' },
  ])
  await secure.close()
})

test('a planted cookie is never adopted, and each sign-in creates new secrets', async () => {
  const { email } = await server.addUser()
  const browser = server.browser()
  const planted = 'A'.repeat(43)
  browser.cookies.set('tezi_session', planted)
  await browser.signIn(email, testPassword)
  const first = [browser.cookies.get('tezi_session'), browser.sessionToken]
  expect(first[0]).not.toBe(planted)
  await browser.signIn(email, testPassword)
  expect(browser.cookies.get('tezi_session')).not.toBe(first[0])
  expect(browser.sessionToken).not.toBe(first[1])
  const old = server.browser()
  old.cookies.set('tezi_session', first[0] ?? '')
  old.sessionToken = first[1]
  await expect(old.client.users.me()).rejects.toMatchObject({ status: 401 })
})

test('trying one password on many accounts from one address ends in 429, whatever X-Forwarded-For contains', async () => {
  const statuses: number[] = []
  for (let guess = 0; guess < 16; guess += 1) {
    const response = await server.browser().send({
      method: 'POST',
      path: '/api/v1/auth/sign-in',
      body: { email: `victim-${guess}@example.in`, password: 'Monsoon#77' },
      headers: { 'x-forwarded-for': `192.0.2.${guess}`, forwarded: `for=192.0.2.${guess}`, 'x-real-ip': `192.0.2.${guess}` },
    })
    statuses.push(response.statusCode)
  }
  expect(statuses.slice(0, 15).every((status) => status === 401)).toBe(true)
  expect(statuses[15]).toBe(429)
})

test('a configured trusted proxy provides the client address', async () => {
  const proxied = await testApp({ trustedProxies: ['203.0.113.7'] })
  const { email } = await proxied.addUser()
  await proxied.browser().send({
    method: 'POST',
    path: '/api/v1/auth/sign-in',
    body: { email, password: testPassword },
    headers: { 'x-forwarded-for': '192.0.2.44' },
  })
  const [row] = await proxied.database.db.selectFrom('sessions').select('address').execute()
  expect(row?.address).toBe('192.0.2.44')
  await proxied.close()
})

test('one home in IPv6 counts as one address', async () => {
  const statuses: number[] = []
  for (let guess = 0; guess < 16; guess += 1)
    statuses.push((await signIn({ email: `v-${guess}@example.in`, password: 'Monsoon#77' }, `2001:db8:1:2::${guess}`)).statusCode)
  expect(statuses.at(-1)).toBe(429)
  expect((await signIn({ email: 'v@example.in', password: 'Monsoon#77' }, '2001:db8:1:3::1')).statusCode).toBe(401)
})

test('five successes of one account at one place are followed by a short wait, which another place does not share', async () => {
  const { email } = await server.addUser()
  const succeed = (address?: string) => signIn({ email, password: testPassword }, address)
  for (let time = 0; time < 5; time += 1) expect((await succeed()).statusCode).toBe(200)
  const refused = await succeed()
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5'])
  expect((await succeed('198.51.100.200')).statusCode).toBe(200)
  expect((await signIn({ email, password: testPassword, proof: solve(refused) })).statusCode).toBe(200)
  server.clock.nowMs += 10_000
  expect((await succeed()).statusCode).toBe(200)
})
