// Email addresses: confirmation links, restrictions without confirmation, changes, and account notifications.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { addTotp } from '#server/testing/factors.ts'
import { AuthRepository } from './repository.ts'

let server: TestApp
beforeAll(async () => {
  server = await testApp({ publicOrigin: 'https://tezi.example' })
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const headers = { origin: 'https://tezi.example' }
const post = (path: string, body: unknown, browser: Browser = server.browser(), more: Record<string, string> = {}) =>
  browser.send({ method: 'POST', path: `/api/v1${path}`, body, headers: { ...headers, ...more } })
const confirm = (token: unknown) => post('/auth/email-link', { token })
const account = { name: 'Ravi', email: 'ravi@example.in', phone: '9876543210', password: testPassword, confirmPassword: testPassword }

async function mailsTo(to: string, count: number) {
  const mails = () => server.outbox.mails.filter((mail) => mail.to === to)
  await expect.poll(() => mails().length).toBe(count)
  return mails()
}

const tokenIn = (text: string | undefined) => /\/confirm-email#token=([\w-]{43})$/m.exec(text ?? '')?.[1] ?? ''

async function signedIn(email: string): Promise<Browser> {
  const browser = server.browser()
  await browser.signIn(email)
  return browser
}

const stateOf = async (browser: Browser) => (await browser.client.email.state()).data
/** Resolves when a statement of the app waits for a lock, or none does. */
const waitsForLock = (statements = 1) =>
  expect
    .poll(async () => {
      const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await waiting.execute(server.database.db)).rows.length
    })
    .toBe(statements)
const openLinks = () => server.database.db.selectFrom('email_links').select('email').where('used_at', 'is', null).execute()
const emailOf = async (id: string) =>
  (await server.database.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email

test('without a mailer no address is confirmed or needs to be, and premium does not depend on it', async () => {
  const mute = await testApp({ hasMailer: false })
  const { email } = await mute.addUser({ email_confirmed_at: null })
  const browser = mute.browser()
  await browser.signIn(email)
  expect((await browser.client.email.state()).data).toEqual({ isConfirmed: false, hasMail: false, endsAt: null })
  for (const [path, body] of [
    ['/user/email/link', undefined],
    ['/user/email', { email: 'new@example.in', password: testPassword }],
  ] as const) {
    const response = await browser.send({ method: 'POST', path: `/api/v1${path}`, body })
    expect(response.statusCode).toBe(503)
  }
  await mute.close()
})

describe('confirmation', () => {
  test('sign-up needs no extra step and mails a link that works once', async () => {
    expect((await post('/auth/sign-up', account)).statusCode).toBe(201)
    const [mail] = await mailsTo(account.email, 1)
    expect(mail?.subject).toBe('Tezi: confirm your email address')
    const browser = await signedIn(account.email)
    expect(await stateOf(browser)).toEqual({
      isConfirmed: false,
      hasMail: true,
      endsAt: new Date(server.clock.nowMs + 7 * 86_400_000).toISOString(),
    })

    for (const token of ['', 'x', 'a'.repeat(43), `${tokenIn(mail?.text).slice(0, -1)}_`])
      expect((await confirm(token)).statusCode).toBe(400)
    expect(await stateOf(browser)).toMatchObject({ isConfirmed: false })

    expect((await confirm(tokenIn(mail?.text))).json()).toMatchObject({ success: true, message: 'Your email address is confirmed' })
    expect(await stateOf(browser)).toMatchObject({ isConfirmed: true })
    expect((await confirm(tokenIn(mail?.text))).statusCode).toBe(400)
    const actions = await server.database.db.selectFrom('audit_log').select('action').where('target', '=', account.email).execute()
    expect(actions).toContainEqual({ action: 'email-confirmed' })
  })

  test('a link works for 24 hours, and a new one closes it; the sixth in an hour is rejected', async () => {
    const { email } = await server.addUser({ email_confirmed_at: null })
    const browser = await signedIn(email)
    expect((await post('/user/email/link', undefined)).statusCode).toBe(401)
    for (let sent = 1; sent <= 5; sent += 1) {
      expect((await post('/user/email/link', undefined, browser)).statusCode).toBe(200)
      await mailsTo(email, sent)
    }
    const refused = await post('/user/email/link', undefined, browser)
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('3600')
    const mails = await mailsTo(email, 5)
    expect((await confirm(tokenIn(mails[3]?.text))).statusCode).toBe(400)
    server.clock.nowMs += 24 * 3_600_000
    expect((await confirm(tokenIn(mails[4]?.text))).statusCode).toBe(400)
    server.clock.nowMs -= 1
    expect((await confirm(tokenIn(mails[4]?.text))).statusCode).toBe(200)
  })

  test('an unconfirmed address of a paid account gets no password link, with the same response; a confirmed one does', async () => {
    const stranger = await server.addUser({ email_confirmed_at: null, subscription_months: 1 })
    const owner = await server.addUser()
    const responses = [
      await post('/auth/password-link', { email: stranger.email }),
      await post('/auth/password-link', { email: owner.email }),
    ]
    expect(responses[0]?.body).toBe(responses[1]?.body)
    await mailsTo(owner.email, 1)
    expect(server.outbox.mails).toHaveLength(1)
    expect(await server.database.db.selectFrom('password_links').select('user_id').execute()).toEqual([{ user_id: owner.id }])
  })
})

describe('a new address', () => {
  test('needs the password, a valid and a free address', async () => {
    const { id, email } = await server.addUser()
    const other = await server.addUser()
    const browser = await signedIn(email)
    const change = (to: unknown, password: unknown = testPassword) => post('/user/email', { email: to, password }, browser)
    expect((await change('new@example.in', 'wrong')).statusCode).toBe(400)
    expect((await change('new@example.in', '')).statusCode).toBe(400)
    for (const bad of ['', 'new', email.toUpperCase(), 7]) expect((await change(bad)).statusCode).toBe(400)
    expect((await change(other.email.toUpperCase())).statusCode).toBe(409)
    expect(server.outbox.mails).toEqual([])
    expect(await emailOf(id)).toBe(email)
  })

  test('replaces the old one when its link is used, notifies both, and closes password links and claims of the old one', async () => {
    const { id, email } = await server.addUser({ claimed_at: new Date(server.clock.nowMs) })
    const browser = await signedIn(email)
    await post('/auth/password-link', { email })
    const resetToken = /#token=([\w-]{43})$/m.exec((await mailsTo(email, 1))[0]?.text ?? '')?.[1]
    expect((await post('/user/email', { email: 'New@Example.in', password: testPassword }, browser)).statusCode).toBe(200)
    const [link] = await mailsTo('new@example.in', 1)
    expect((await mailsTo(email, 2))[1]?.subject).toBe('Tezi: your email address is about to change')
    expect(await emailOf(id)).toBe(email)

    expect((await confirm(tokenIn(link?.text))).statusCode).toBe(200)
    expect(await emailOf(id)).toBe('new@example.in')
    expect((await mailsTo(email, 3))[2]?.subject).toBe('Tezi: your email address has changed')
    expect((await mailsTo('new@example.in', 2))[1]?.subject).toBe('Tezi: your email address has changed')
    expect((await browser.client.users.me()).email).toBe('new@example.in')
    const reset = { token: resetToken, newPassword: 'Monsoon-Rain-77', confirmPassword: 'Monsoon-Rain-77' }
    expect((await post('/auth/password-link/use', reset)).statusCode).toBe(400)
    const rows = await server.database.db.selectFrom('audit_log').select(['action', 'target']).where('target_id', '=', id).execute()
    expect(rows).toContainEqual({ action: 'email-changed', target: 'new@example.in' })
    const row = await server.database.db.selectFrom('users').select('claimed_at').where('id', '=', id).executeTakeFirst()
    expect(row).toEqual({ claimed_at: null })
  })

  test.each(['changed', 'reset by an admin', 'reset by a link'])('is rejected once the password was %s', async (how) => {
    const { id, email } = await server.addUser()
    const [thief, own] = [await signedIn(email), await signedIn(email)]
    expect((await post('/user/email', { email: 'thief@example.in', password: testPassword }, thief)).statusCode).toBe(200)
    const [link] = await mailsTo('thief@example.in', 1)
    await mailsTo(email, 1)
    const newPassword = 'Monsoon-Rain-77'
    if (how === 'changed') {
      await own.client.passwords.changePassword({ body: { currentPassword: testPassword, newPassword, confirmPassword: newPassword } })
    } else if (how === 'reset by an admin') {
      const admin = await signedIn((await server.addUser({ role: 'admin' })).email)
      await admin.client.passwords.resetPassword({ body: { email, newPassword } })
    } else {
      await post('/auth/password-link', { email })
      const token = /#token=([\w-]{43})$/m.exec((await mailsTo(email, 2))[1]?.text ?? '')?.[1]
      await post('/auth/password-link/use', { token, newPassword, confirmPassword: newPassword })
    }
    expect((await confirm(tokenIn(link?.text))).statusCode).toBe(400)
    expect(await emailOf(id)).toBe(email)
  })

  test('is rejected once an admin has removed the second factors', async () => {
    const { id, email } = await server.addUser()
    const browser = await signedIn(email)
    await addTotp(server, browser)
    await post('/user/email', { email: 'thief@example.in', password: testPassword }, browser)
    const [link] = await mailsTo('thief@example.in', 1)
    const admin = await signedIn((await server.addUser({ role: 'admin' })).email)
    await admin.client.factors.reset({ body: { email } })
    expect((await confirm(tokenIn(link?.text))).statusCode).toBe(400)
    expect(await emailOf(id)).toBe(email)
  })

  test('after a password change the link to the current address still works', async () => {
    const { email } = await server.addUser({ email_confirmed_at: null })
    const browser = await signedIn(email)
    await post('/user/email/link', undefined, browser)
    const [link] = await mailsTo(email, 1)
    const body = { currentPassword: testPassword, newPassword: 'Monsoon-Rain-77', confirmPassword: 'Monsoon-Rain-77' }
    expect((await post('/user/password', body, browser)).statusCode).toBe(200)
    expect((await confirm(tokenIn(link?.text))).statusCode).toBe(200)
    expect(await stateOf(browser)).toMatchObject({ isConfirmed: true })
  })

  test('waits for a concurrent password change, and is rejected after it', async () => {
    const { id, email } = await server.addUser()
    await post('/user/email', { email: 'thief@example.in', password: testPassword }, await signedIn(email))
    const [link] = await mailsTo('thief@example.in', 1)
    const confirmed = await server.database.db.transaction().execute(async (change) => {
      await change.updateTable('users').set({ password_hash: 'x' }).where('id', '=', id).execute()
      const running = confirm(tokenIn(link?.text))
      await waitsForLock()
      await new AuthRepository(change).closeLinksOf(id, new Date(server.clock.nowMs))
      return { running }
    })
    expect((await confirmed.running).statusCode).toBe(400)
    expect(await emailOf(id)).toBe(email)
  })

  test('is stored when the response arrives, so that a password change closes it', async () => {
    const { email } = await server.addUser()
    const browser = await signedIn(email)
    expect((await post('/user/email', { email: 'new@example.in', password: testPassword }, browser)).statusCode).toBe(200)
    expect(await openLinks()).toEqual([{ email: 'new@example.in' }])
  })

  test.each([
    ['the password is changed', 400],
    ['an admin ends the sessions', 401],
  ])('requested in the instant in which %s is rejected', async (what, status) => {
    const { id, email } = await server.addUser()
    const thief = await signedIn(email)
    const { running } = await server.database.db.transaction().execute(async (change) => {
      const passwords = new AuthRepository(change)
      const at = new Date(server.clock.nowMs)
      if (status === 400) await change.updateTable('users').set({ password_hash: 'x' }).where('id', '=', id).execute()
      else await change.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
      await passwords.closeLinksOf(id, at)
      if (status === 401) await change.updateTable('sessions').set({ ended_at: at, end_reason: what }).where('user_id', '=', id).execute()
      const running = post('/user/email', { email: 'thief@example.in', password: testPassword }, thief)
      await Promise.race([running, waitsForLock()])
      return { running }
    })
    expect((await running).statusCode).toBe(status)
    expect(await openLinks()).toEqual([])
    expect(server.outbox.mails).toEqual([])
  })

  test('a link to the current address requested while the address changes goes to the new one', async () => {
    const { id, email } = await server.addUser()
    const browser = await signedIn(email)
    const { running } = await server.database.db.transaction().execute(async (change) => {
      await change.updateTable('users').set({ email: 'new@example.in' }).where('id', '=', id).execute()
      const running = post('/user/email/link', undefined, browser)
      await Promise.race([running, waitsForLock()])
      return { running }
    })
    expect((await running).statusCode).toBe(200)
    await mailsTo('new@example.in', 1)
    expect(await openLinks()).toEqual([{ email: 'new@example.in' }])
  })

  test('closes password links of the former address, also one requested during the change', async () => {
    const { id, email } = await server.addUser()
    await server.database.db.transaction().execute(async (change) => {
      await change.updateTable('users').set({ email: 'new@example.in' }).where('id', '=', id).execute()
      expect((await post('/auth/password-link', { email })).statusCode).toBe(200)
      await Promise.race([mailsTo(email, 1), waitsForLock()])
    })
    await waitsForLock(0)
    expect(await server.database.db.selectFrom('password_links').select('user_id').execute()).toEqual([])
    expect(server.outbox.mails).toEqual([])
  })

  test('that was taken meanwhile changes nothing', async () => {
    const { id, email } = await server.addUser()
    await post('/user/email', { email: 'new@example.in', password: testPassword }, await signedIn(email))
    const [link] = await mailsTo('new@example.in', 1)
    await server.addUser({ email: 'new@example.in' })
    expect((await confirm(tokenIn(link?.text))).statusCode).toBe(409)
    expect(await emailOf(id)).toBe(email)
  })

  test('that is taken while it is being confirmed changes nothing', async () => {
    const { id, email } = await server.addUser()
    await post('/user/email', { email: 'new@example.in', password: testPassword }, await signedIn(email))
    const [link] = await mailsTo('new@example.in', 1)
    const { running } = await server.database.db.transaction().execute(async (signUp) => {
      const values = { name: 'Ravi', email: 'new@example.in', phone: '', password_hash: 'x', created_at: new Date(server.clock.nowMs) }
      await signUp.insertInto('users').values(values).execute()
      const running = confirm(tokenIn(link?.text))
      await waitsForLock()
      return { running }
    })
    expect((await running).statusCode).toBe(409)
    expect((await running).json()).toMatchObject({ code: 'auth.emailTaken' })
    expect(await emailOf(id)).toBe(email)
  })
})

describe('mails about an account', () => {
  const signIn = (email: string, userAgent: string) =>
    post('/auth/sign-in', { email, password: testPassword }, server.browser(), { 'user-agent': userAgent })
  const phone = 'Mozilla/5.0 (Linux; Android 16) Chrome/140.0.1.2 Mobile'
  const desktop = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0'

  test('a sign-in with an unknown browser is reported, but not the first one or a new version', async () => {
    const { email } = await server.addUser()
    expect((await signIn(email, phone)).statusCode).toBe(200)
    server.clock.nowMs += 1000
    expect((await signIn(email, phone.replace('140.0.1.2', '141.0.3.4'))).statusCode).toBe(200)
    server.clock.nowMs += 1000
    expect((await signIn(email, desktop)).statusCode).toBe(200)
    const [mail] = await mailsTo(email, 1)
    expect(mail?.subject).toBe('Tezi: sign-in from a new device')
    expect(mail?.text).toContain(desktop)
    expect(mail?.text).toContain('203.0.113.7')
  })

  test('a changed password is reported, by user or admin', async () => {
    const { email } = await server.addUser()
    const admin = await server.addUser({ role: 'admin' })
    const body = { currentPassword: testPassword, newPassword: 'Monsoon-Rain-77', confirmPassword: 'Monsoon-Rain-77' }
    expect((await post('/user/password', body, await signedIn(email))).statusCode).toBe(200)
    await mailsTo(email, 1)
    const reset = await post('/auth/forgot-password', { email, newPassword: 'Winter-Fog-88' }, await signedIn(admin.email))
    expect(reset.statusCode).toBe(200)
    const mails = await mailsTo(email, 2)
    expect(mails.map(({ subject }) => subject)).toEqual(['Tezi: your password has changed', 'Tezi: your password has changed'])
    expect(mails.map(({ text }) => text).join('')).not.toMatch(/Monsoon|Winter/)
  })

  test('none of them is sent to an unconfirmed address', async () => {
    const { email } = await server.addUser({ email_confirmed_at: null })
    await signIn(email, phone)
    server.clock.nowMs += 1000
    await signIn(email, desktop)
    const body = { currentPassword: testPassword, newPassword: 'Monsoon-Rain-77', confirmPassword: 'Monsoon-Rain-77' }
    expect((await post('/user/password', body, await signedIn(email))).statusCode).toBe(200)
    const known = await server.addUser()
    await post('/auth/password-link', { email: known.email })
    await mailsTo(known.email, 1)
    expect(server.outbox.mails).toHaveLength(1)
  })
})
