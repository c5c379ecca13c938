// Second factors of an account, through the API: set up, required for admins, removed, reset by another admin.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { addTotp, codeOf } from '#server/testing/factors.ts'

const minuteMs = 60_000

let server: TestApp
let user: { id: string; email: string }
let browser: Browser
beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  user = await server.addUser({ name: 'Asha' })
  browser = await signedIn(user.email)
})
afterAll(() => server.close())

async function signedIn(email: string, on = server): Promise<Browser> {
  const one = on.browser()
  await one.signIn(email)
  return one
}

const isSignedIn = async (one: Browser) => (await one.send({ method: 'GET', path: '/api/v1/user' })).statusCode === 200
const stateOf = async (one: Browser) => (await one.client.factors.state()).data
const acts = async () =>
  (await server.database.db.selectFrom('audit_log').select(['actor', 'action', 'target', 'details']).orderBy('id').execute()).filter(
    ({ action }) => action.includes('factor') || action.includes('codes'),
  )

test('all its routes need a session', async () => {
  const visitor = server.browser()
  await expect(visitor.client.factors.state()).rejects.toMatchObject({ status: 401 })
  await expect(visitor.client.factors.startTotp()).rejects.toMatchObject({ status: 401 })
  await expect(browser.client.factors.reset({ body: { email: user.email } })).rejects.toMatchObject({ status: 403 })
})

describe('setting up an app', () => {
  test('needs a password confirmation after 15 minutes', async () => {
    server.clock.nowMs += 16 * minuteMs
    await expect(browser.client.factors.startTotp()).rejects.toMatchObject({ status: 403, code: 'admin.confirmPassword' })
    await expect(browser.client.factors.newRecoveryCodes()).rejects.toMatchObject({ status: 403, code: 'admin.confirmPassword' })
  })

  test('is finished only by a valid code within 15 minutes, and changes nothing before', async () => {
    const confirm = (code: string) => browser.client.factors.confirmTotp({ body: { code } })
    await expect(confirm('123456')).rejects.toMatchObject({ status: 400, code: 'factors.setupEnded' })
    const { secret } = (await browser.client.factors.startTotp()).data
    await expect(confirm('')).rejects.toMatchObject({ status: 400, fields: { code: expect.any(String) } })
    await expect(confirm('000000')).rejects.toMatchObject({ status: 400, code: 'factors.codeWrong' })
    expect(await stateOf(browser)).toEqual({ isRequired: false, totpSince: null, recoveryCodesLeft: 0, passkeys: [], hasPasskeys: false })
    const direct = server.browser()
    await direct.signIn(user.email, testPassword)
    server.clock.nowMs += 16 * minuteMs
    await expect(confirm(codeOf(secret, server.clock.nowMs))).rejects.toMatchObject({ status: 400, code: 'factors.setupEnded' })
    expect(await acts()).toEqual([])
  })

  test('counts invalid codes', async () => {
    await browser.client.factors.startTotp()
    for (let guess = 0; guess < 8; guess += 1)
      await expect(browser.client.factors.confirmTotp({ body: { code: '000000' } })).rejects.toMatchObject({ status: 400 })
    await expect(browser.client.factors.confirmTotp({ body: { code: '000000' } })).rejects.toMatchObject({ status: 429 })
  })

  test('returns secret, URI and ten recovery codes, ends the other sessions, and is logged', async () => {
    const other = await signedIn(user.email)
    const { secret, uri } = (await browser.client.factors.startTotp()).data
    expect(uri).toBe(`otpauth://totp/Tezi:${encodeURIComponent(user.email)}?issuer=Tezi&secret=${secret}&algorithm=SHA1&digits=6&period=30`)
    const { data, message } = await browser.client.factors.confirmTotp({ body: { code: codeOf(secret, server.clock.nowMs) } })
    expect(message).toBe('Two-factor sign-in is on')
    expect(new Set(data.recoveryCodes).size).toBe(10)
    for (const code of data.recoveryCodes) expect(code).toMatch(/^([a-hjkmnp-z2-9]{6}-){3}[a-hjkmnp-z2-9]{6}$/)
    expect(await stateOf(browser)).toEqual({
      isRequired: false,
      totpSince: new Date(server.clock.nowMs).toISOString(),
      recoveryCodesLeft: 10,
      passkeys: [],
      hasPasskeys: false,
    })
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false])
    expect(await acts()).toEqual([
      { actor: user.email, action: 'second-factor-added', target: user.email, details: { factor: 'authenticator app', sessionsEnded: 1 } },
    ])
  })

  test('notifies the account by mail, without the secret or a code', async () => {
    const { secret, recoveryCodes } = await addTotp(server, browser)
    await expect.poll(() => server.outbox.mails).toMatchObject([{ to: user.email, subject: 'Tezi: authenticator app added' }])
    const mailText = server.outbox.mails[0]?.text ?? ''
    expect(mailText).toContain('2026-11-20 06:00 UTC')
    expect(mailText).toContain('203.0.113.7')
    for (const secretText of [secret, ...recoveryCodes]) expect(mailText).not.toContain(secretText)
  })

  test('sends no mail to an unconfirmed address', async () => {
    const other = await server.addUser({ email_confirmed_at: null })
    await addTotp(server, await signedIn(other.email))
    await addTotp(server, browser)
    await expect.poll(() => server.outbox.mails.map(({ to }) => to)).toEqual([user.email])
  })

  test('stores the secret encrypted and the codes hashed', async () => {
    const { secret, recoveryCodes } = await addTotp(server, browser)
    const totp = await server.database.db.selectFrom('totp_secrets').selectAll().execute()
    const codes = await server.database.db.selectFrom('recovery_codes').selectAll().execute()
    const stored = [...totp.map((row) => row.secret), ...codes.map((row) => row.code_hash)]
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      for (const bytes of stored) expect(bytes.includes(text)).toBe(false)
    expect(codes).toHaveLength(10)
  })

  test('under an Idempotency-Key stores no readable secret', async () => {
    const { secret } = (await browser.client.factors.startTotp()).data
    const response = await browser.send({
      method: 'POST',
      path: '/api/v1/user/second-factor/totp/confirm',
      headers: { 'idempotency-key': 'once' },
      body: { code: codeOf(secret, server.clock.nowMs) },
    })
    expect(response.statusCode).toBe(200)
    expect(await server.database.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
  })

  test('of another phone keeps the first one active until its first code, and keeps the recovery codes', async () => {
    const first = await addTotp(server, browser)
    server.clock.nowMs += minuteMs
    const { secret } = (await browser.client.factors.startTotp()).data
    const rows = () => server.database.db.selectFrom('totp_secrets').select('is_pending').execute()
    expect(await rows()).toHaveLength(2)
    const { recoveryCodes } = (await browser.client.factors.confirmTotp({ body: { code: codeOf(secret, server.clock.nowMs) } })).data
    expect(recoveryCodes).toEqual([])
    expect(await rows()).toEqual([{ is_pending: false }])
    server.clock.nowMs += minuteMs
    const signIn = server.browser()
    const challengeOf = async () => {
      const response = await signIn.client.auth.signIn({ body: { email: user.email, password: testPassword } })
      return 'challenge' in response.data ? response.data.challenge : ''
    }
    const signInWith = async (key: string) =>
      signIn.client.auth.secondFactor({ body: { challenge: await challengeOf(), code: codeOf(key, server.clock.nowMs) } })
    await expect(signInWith(first.secret)).rejects.toMatchObject({ status: 401 })
    expect(await signInWith(secret)).toMatchObject({ success: true })
  })
})

describe('recovery codes', () => {
  test('need a factor, and new ones replace the old ones', async () => {
    await expect(browser.client.factors.newRecoveryCodes()).rejects.toMatchObject({ status: 404 })
    const { recoveryCodes: old } = await addTotp(server, browser)
    const { recoveryCodes } = (await browser.client.factors.newRecoveryCodes()).data
    expect(recoveryCodes).toHaveLength(10)
    expect(recoveryCodes.filter((code) => old.includes(code))).toEqual([])
    expect(await server.database.db.selectFrom('recovery_codes').selectAll().execute()).toHaveLength(10)
    expect((await acts()).at(-1)).toMatchObject({ actor: user.email, action: 'recovery-codes-made' })
    await expect
      .poll(() => server.outbox.mails.map(({ subject }) => subject))
      .toEqual(['Tezi: authenticator app added', 'Tezi: new recovery codes'])
    for (const code of recoveryCodes) expect(server.outbox.mails[1]?.text).not.toContain(code)
  })
})

describe('removing the app', () => {
  test('needs the password, and an app', async () => {
    await expect(browser.client.factors.removeTotp({ body: { password: testPassword } })).rejects.toMatchObject({ status: 404 })
    await addTotp(server, browser)
    for (const password of ['', 'wrong-one'])
      await expect(browser.client.factors.removeTotp({ body: { password } })).rejects.toMatchObject({ status: 400 })
    expect((await stateOf(browser)).totpSince).not.toBeNull()
  })

  test('keeps the password, removes the codes, and notifies by mail', async () => {
    await addTotp(server, browser)
    await browser.client.factors.removeTotp({ body: { password: testPassword } })
    expect(await stateOf(browser)).toEqual({ isRequired: false, totpSince: null, recoveryCodesLeft: 0, passkeys: [], hasPasskeys: false })
    await server.browser().signIn(user.email, testPassword)
    expect((await acts()).at(-1)).toMatchObject({ action: 'second-factor-removed', details: { factor: 'authenticator app' } })
    await expect
      .poll(() => server.outbox.mails.map(({ subject }) => subject))
      .toEqual(['Tezi: authenticator app added', 'Tezi: authenticator app removed'])
    expect(server.outbox.mails[1]?.text).toContain('your Tezi account no longer has: authenticator app.')
  })
})

describe('the reset by an admin', () => {
  let admin: Browser
  let adminEmail: string
  beforeEach(async () => {
    adminEmail = (await server.addUser({ role: 'admin' })).email
    admin = await signedIn(adminEmail)
  })

  test.each([
    ['nobody@example.in', 404, 'There is no such user'],
    ['', 404, 'There is no such user'],
  ])('of %j is rejected', async (email, status, message) => {
    await expect(admin.client.factors.reset({ body: { email } })).rejects.toMatchObject({ status, message })
  })

  test('is rejected for an account without a factor, for the admin itself, and without a recent password', async () => {
    await expect(admin.client.factors.reset({ body: { email: user.email } })).rejects.toMatchObject({ status: 404 })
    await addTotp(server, admin)
    await expect(admin.client.factors.reset({ body: { email: adminEmail } })).rejects.toMatchObject({ status: 409 })
    await addTotp(server, browser)
    server.clock.nowMs += 16 * minuteMs
    await expect(admin.client.factors.reset({ body: { email: user.email } })).rejects.toMatchObject({ code: 'admin.confirmPassword' })
    expect((await stateOf(browser)).totpSince).not.toBeNull()
  })

  test('removes all factors, ends the sessions, is logged and reported by mail', async () => {
    await addTotp(server, browser)
    expect(await admin.client.factors.reset({ body: { email: ` ${user.email.toUpperCase()} ` } })).toMatchObject({ success: true })
    expect(await isSignedIn(browser)).toBe(false)
    await server.browser().signIn(user.email, testPassword)
    for (const table of ['totp_secrets', 'recovery_codes'] as const)
      expect(await server.database.db.selectFrom(table).selectAll().execute()).toEqual([])
    expect((await acts()).at(-1)).toEqual({
      actor: adminEmail,
      action: 'second-factor-reset',
      target: user.email,
      details: { sessionsEnded: 1 },
    })
    await expect.poll(() => server.outbox.mails.at(-1)).toMatchObject({ to: user.email, subject: 'Tezi: two-factor sign-in removed' })
  })
})

describe('if admins need a second factor', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await testApp({ needsAdminFactor: true })
  })
  afterAll(() => strict.close())

  test('an admin without one can only use the account page, until it is set up', async () => {
    const { email } = await strict.addUser({ role: 'admin' })
    const admin = await signedIn(email, strict)
    expect(await admin.client.users.me()).toMatchObject({ mustAddSecondFactor: true })
    for (const call of [admin.client.audit.list({ query: {} }), admin.client.admin.overview()])
      await expect(call).rejects.toMatchObject({
        status: 403,
        code: 'factors.setUpFirst',
        message: 'Set up two-factor sign-in first',
      })
    await addTotp(strict, admin)
    expect(await admin.client.users.me()).not.toHaveProperty('mustAddSecondFactor')
    expect(await admin.client.admin.overview()).toMatchObject({ success: true })
  })

  test('an admin cannot remove the last one', async () => {
    const admin = await signedIn((await strict.addUser({ role: 'admin' })).email, strict)
    await addTotp(strict, admin)
    await expect(admin.client.factors.removeTotp({ body: { password: testPassword } })).rejects.toMatchObject({
      status: 409,
      code: 'factors.alreadyRequired',
    })
    expect(await stateOf(admin)).toMatchObject({ isRequired: true, recoveryCodesLeft: 10, totpSince: expect.any(String) })
  })

  test('it is optional for users', async () => {
    const one = await signedIn((await strict.addUser()).email, strict)
    expect(await one.client.users.me()).not.toHaveProperty('mustAddSecondFactor')
    expect(await stateOf(one)).toMatchObject({ isRequired: false })
  })
})
