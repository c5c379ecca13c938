// Passwords through the API: confirmed, changed, reset by an admin.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'

const newPassword = 'Monsoon-Rain-77'

let server: TestApp
let user: { id: string; email: string }
let browser: Browser

beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  user = await server.addUser()
  browser = server.browser()
  await browser.signIn(user.email)
})
afterAll(() => server.close())

const signsIn = async (email: string, password: string) =>
  (await server.browser({ address: '192.0.2.200' }).send({ method: 'POST', path: '/api/v1/auth/sign-in', body: { email, password } }))
    .statusCode === 200
const isSignedIn = async (one: Browser) => (await one.send({ method: 'GET', path: '/api/v1/user' })).statusCode === 200
const passwordActs = () =>
  server.database.db.selectFrom('audit_log').selectAll().where('action', 'like', 'password-%').orderBy('id').execute()

async function signedIn(email: string, address?: string): Promise<Browser> {
  const one = server.browser(address === undefined ? {} : { address })
  await one.signIn(email)
  return one
}

describe('confirming the password', () => {
  test('rejects an empty and a wrong one', async () => {
    await expect(browser.client.passwords.confirm({ body: {} })).rejects.toMatchObject({
      status: 400,
      message: 'Please fill all the fields',
    })
    await expect(browser.client.passwords.confirm({ body: { password: 'wrong-password' } })).rejects.toMatchObject({
      status: 400,
      code: 'admin.passwordWrong',
      message: 'The password is wrong',
      fields: { password: 'The password is wrong' },
    })
    expect(await server.database.db.selectFrom('sessions').select('confirmed_at').execute()).toEqual([{ confirmed_at: null }])
  })

  test('records the time in this session only', async () => {
    await signedIn(user.email)
    server.clock.nowMs += 60_000
    expect(await browser.client.passwords.confirm({ body: { password: testPassword } })).toMatchObject({
      success: true,
      message: 'Password confirmed',
    })
    const rows = await server.database.db.selectFrom('sessions').select('confirmed_at').execute()
    expect(rows.map((row) => row.confirmed_at?.getTime())).toEqual(expect.arrayContaining([server.clock.nowMs, undefined]))
  })

  test('counts guesses', async () => {
    for (let guess = 0; guess < 8; guess += 1)
      await expect(browser.client.passwords.confirm({ body: { password: `guess-${guess}` } })).rejects.toMatchObject({ status: 400 })
    await expect(browser.client.passwords.confirm({ body: { password: testPassword } })).rejects.toMatchObject({
      status: 429,
      retryAfterSeconds: 900,
    })
    server.clock.nowMs += 15 * 60_000
    await browser.client.passwords.confirm({ body: { password: testPassword } })
    for (let time = 0; time < 10; time += 1) await browser.client.passwords.confirm({ body: { password: testPassword } })
  })
})

describe('one account and the hash queue', () => {
  const confirm = (password: string) => browser.send({ method: 'POST', path: '/api/v1/auth/confirm', body: { password } })

  test('the correct password gives back only its own attempt', async () => {
    for (let guess = 0; guess < 7; guess += 1) expect((await confirm(`guess-${guess}`)).statusCode).toBe(400)
    expect((await confirm(testPassword)).statusCode).toBe(200)
    expect((await confirm('guess-7')).statusCode).toBe(400)
    expect((await confirm(testPassword)).statusCode).toBe(429)
  })

  test('one password of a user is checked at a time; the others are rejected immediately and not counted as guesses', async () => {
    // Fewer than the guesses allowed for an account.
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => confirm(testPassword)))).map((response) => response.statusCode)
    expect(statuses).toContain(200)
    expect(statuses).toContain(429)
    for (let guess = 0; guess < 7; guess += 1) expect((await confirm(`guess-${guess}`)).statusCode).toBe(400)
    expect((await confirm(testPassword)).statusCode).toBe(200)
  })
})

describe('changing your own password', () => {
  const form = { currentPassword: testPassword, newPassword, confirmPassword: newPassword }

  test.each([
    [{ currentPassword: '' }, 'Please fill all the fields'],
    [{ newPassword: '' }, 'Please fill all the fields'],
    [{ confirmPassword: ' ' }, 'Please fill all the fields'],
    [{ confirmPassword: 'Other-Rain-77' }, 'Passwords do not match'],
    [{ newPassword: 'five5', confirmPassword: 'five5' }, 'Password must be at least 6 characters long'],
    [{ newPassword: 'x'.repeat(257), confirmPassword: 'x'.repeat(257) }, 'Password must be at most 256 characters long'],
    [{ newPassword: 'password123', confirmPassword: 'password123' }, 'This password is too common. Please choose another one'],
    [{ currentPassword: 'wrong-password' }, 'The password is wrong'],
  ])('with %j is rejected: %s', async (change, message) => {
    await expect(browser.client.passwords.changePassword({ body: { ...form, ...change } })).rejects.toMatchObject({ status: 400, message })
    expect(await signsIn(user.email, testPassword)).toBe(true)
    expect(await passwordActs()).toEqual([])
  })

  test('needs twelve characters for an admin', async () => {
    const admin = await signedIn((await server.addUser({ role: 'admin' })).email)
    await expect(
      admin.client.passwords.changePassword({ body: { ...form, newPassword: 'Rain-Cloud7', confirmPassword: 'Rain-Cloud7' } }),
    ).rejects.toMatchObject({
      message: 'The password of an admin must be at least 12 characters long',
    })
  })

  test('counts guesses of the current one', async () => {
    for (let guess = 0; guess < 8; guess += 1)
      await expect(browser.client.passwords.changePassword({ body: { ...form, currentPassword: `guess-${guess}` } })).rejects.toMatchObject(
        {
          status: 400,
        },
      )
    await expect(browser.client.passwords.changePassword({ body: form })).rejects.toMatchObject({ status: 429 })
  })

  test('ends the other sessions, keeps this one, invalidates the old password and is logged', async () => {
    const elsewhere = await signedIn(user.email)
    const stranger = await signedIn((await server.addUser()).email)
    expect(await browser.client.passwords.changePassword({ body: form })).toMatchObject({
      success: true,
      message: 'Password updated successfully',
    })
    expect([await isSignedIn(browser), await isSignedIn(elsewhere), await isSignedIn(stranger)]).toEqual([true, false, true])
    expect([await signsIn(user.email, testPassword), await signsIn(user.email, newPassword)]).toEqual([false, true])
    const acts = await passwordActs()
    expect(acts).toMatchObject([
      { action: 'password-changed', actor: user.email, target: user.email, target_id: user.id, address: '203.0.113.7' },
    ])
    expect(JSON.stringify(acts)).not.toContain(newPassword)
  })

  test('twice at once happens once', async () => {
    const bodies = ['Monsoon-Rain-78', 'Monsoon-Rain-79'].map((password) => ({
      currentPassword: testPassword,
      newPassword: password,
      confirmPassword: password,
    }))
    const results = await Promise.allSettled(bodies.map((body) => browser.client.passwords.changePassword({ body })))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    expect(await passwordActs()).toHaveLength(1)
  })
})

describe('a reset by an admin', () => {
  let admin: Browser
  let adminUser: { id: string; email: string }
  beforeEach(async () => {
    adminUser = await server.addUser({ role: 'admin' })
    admin = await signedIn(adminUser.email)
  })

  const reset = (one: Browser, body: unknown) => one.send({ method: 'POST', path: '/api/v1/auth/forgot-password', body })

  test('is denied to others before validation', async () => {
    expect((await reset(server.browser(), { email: 5 })).statusCode).toBe(401)
    expect((await reset(browser, { email: 5 })).statusCode).toBe(403)
    expect((await reset(browser, { email: user.email, newPassword })).json()).toMatchObject({
      message: 'You do not have permission to do this',
    })
    expect(await signsIn(user.email, testPassword)).toBe(true)
  })

  test.each([
    [{ email: '' }, 400, 'Please fill all the fields'],
    [{ newPassword: '' }, 400, 'Please fill all the fields'],
    [{ newPassword: 'five5' }, 400, 'Password must be at least 6 characters long'],
    [{ newPassword: 'password123' }, 400, 'This password is too common. Please choose another one'],
    [{ email: 'nobody@example.in' }, 404, 'There is no such user'],
  ])('with %j is rejected: %i %s', async (change, status, message) => {
    const response = await reset(admin, { email: user.email, newPassword, ...change })
    expect(response.statusCode).toBe(status)
    expect(response.json()).toMatchObject({ success: false, message, error: message })
    expect(await signsIn(user.email, testPassword)).toBe(true)
    expect(await isSignedIn(browser)).toBe(true)
  })

  test('needs twelve characters for an admin, and a password confirmed in the last 15 minutes by the caller', async () => {
    const other = await server.addUser({ role: 'admin' })
    expect((await reset(admin, { email: other.email, newPassword: 'Rain-Cloud7' })).json()).toMatchObject({
      message: 'The password of an admin must be at least 12 characters long',
    })
    server.clock.nowMs += 15 * 60_000 + 1
    const late = await reset(admin, { email: user.email, newPassword })
    expect(late.statusCode).toBe(403)
    expect(late.json()).toMatchObject({ code: 'admin.confirmPassword', message: 'Please confirm your password to continue' })
    expect(await signsIn(user.email, testPassword)).toBe(true)
    await admin.client.passwords.confirm({ body: { password: testPassword } })
    expect((await reset(admin, { email: user.email, newPassword })).statusCode).toBe(200)
  })

  test('ends every session of the target, invalidates the old password and is logged', async () => {
    const elsewhere = await signedIn(user.email, '192.0.2.1')
    const response = await reset(admin, { email: ` ${user.email.toUpperCase()} `, newPassword })
    expect(response.json()).toMatchObject({ success: true, message: 'Password updated successfully' })
    expect([await isSignedIn(browser), await isSignedIn(elsewhere), await isSignedIn(admin)]).toEqual([false, false, true])
    expect([await signsIn(user.email, testPassword), await signsIn(user.email, newPassword)]).toEqual([false, true])
    const acts = await passwordActs()
    expect(acts).toMatchObject([
      { action: 'password-reset', actor: adminUser.email, target: user.email, details: { by: 'an admin', sessionsEnded: 2 } },
    ])
    expect(JSON.stringify(acts) + server.logLines.join('')).not.toContain(newPassword)
    const row = await server.database.db
      .selectFrom('users')
      .select('password_is_temporary')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(row.password_is_temporary).toBe(true)
  })

  test('is limited to 30 an hour', async () => {
    const body = { email: 'nobody@example.in', newPassword }
    for (let time = 0; time < 30; time += 1) expect((await reset(admin, body)).statusCode).toBe(404)
    const refused = await reset(admin, body)
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('3600')
  })
})

test('the reset by an admin has both paths of the specification, with the same responses', async () => {
  const admin = await server.signedIn({ role: 'admin' })
  const member = await server.addUser()
  const post = async (path: string, body: object, browser = admin) => {
    const response = await browser.send({ method: 'POST', path: `/api/v1${path}`, body })
    return [response.statusCode, response.body]
  }
  const good = { email: member.email, newPassword: 'Monsoon-Rain-77' }
  const free = await server.signedIn()
  for (const [body, browser] of [
    [{}, server.browser()],
    [good, free],
    [{}, admin],
    [{ ...good, newPassword: 'short' }, admin],
    [{ ...good, email: 'nobody@example.in' }, admin],
    [good, admin],
  ] as const)
    expect(await post('/admin/reset-password', body, browser)).toEqual(await post('/auth/forgot-password', body, browser))
  await server.browser().client.auth.signIn({ body: { email: member.email, password: good.newPassword } })
})
