// The session's cookie is new once its owner has confirmed who they are, and the former one ends.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { addTotp, codeOf } from '#server/testing/factors.ts'
import { addMember } from '#server/testing/subscriptions.ts'
import { renewSession } from './renew-session.ts'

const graceMs = 15_000
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

const cookieOf = (one: Browser) => one.cookies.get('tezi_session') ?? ''
/** A tab whose request left with an older cookie. */
const from = (cookie: string, token = browser.sessionToken ?? '') => ({ cookie: `tezi_session=${cookie}`, 'session-token': token })
const me = async (headers: Record<string, string>) =>
  (await server.browser().send({ method: 'GET', path: '/api/v1/user', headers })).statusCode
const isSignedIn = async () => (await browser.send({ method: 'GET', path: '/api/v1/user' })).statusCode === 200
const confirm = (one: Browser = browser, password = testPassword) =>
  one.send({ method: 'POST', path: '/api/v1/auth/confirm', body: { password } })
const sessions = async () => (await browser.client.sessions.list()).data

const acts: Record<string, () => Promise<unknown>> = {
  'the password is confirmed': () => browser.client.passwords.confirm({ body: { password: testPassword } }),
  'the password is changed': () =>
    browser.client.passwords.changePassword({ body: { currentPassword: testPassword, newPassword, confirmPassword: newPassword } }),
  'another email is asked for': () => browser.client.email.change({ body: { email: 'new@example.in', password: testPassword } }),
  'a second factor is added': () => addTotp(server, browser),
}

describe('the former cookie', () => {
  test.each(Object.entries(acts))('gets 401 fifteen seconds after %s; the new one goes on', async (_, act) => {
    const former = cookieOf(browser)
    await act()
    expect(cookieOf(browser)).not.toBe(former)
    server.clock.nowMs += graceMs
    expect(await me(from(former))).toBe(401)
    expect(await isSignedIn()).toBe(true)
  })

  test('ends as well where a second factor is removed', async () => {
    await addTotp(server, browser)
    const former = cookieOf(browser)
    await browser.client.factors.removeTotp({ body: { password: testPassword } })
    server.clock.nowMs += graceMs
    expect([await me(from(former)), await isSignedIn()]).toEqual([401, true])
  })

  test('ends although the act itself is refused, and the new one has arrived', async () => {
    const former = cookieOf(browser)
    const { email } = await server.addUser()
    await expect(browser.client.email.change({ body: { email, password: testPassword } })).rejects.toMatchObject({ status: 409 })
    server.clock.nowMs += graceMs
    expect([await me(from(former)), await isSignedIn()]).toEqual([401, true])
  })

  test('ends at once with the next one', async () => {
    const first = cookieOf(browser)
    await confirm()
    const second = cookieOf(browser)
    await confirm()
    expect([await me(from(first)), await me(from(second)), await isSignedIn()]).toEqual([401, 200, true])
  })

  test('is no cookie of a clock that was set back', async () => {
    const former = cookieOf(browser)
    await confirm()
    server.clock.nowMs -= 60_000
    expect([await me(from(former)), await isSignedIn()]).toEqual([401, true])
  })

  test('opens nothing without the token of its session', async () => {
    const former = cookieOf(browser)
    await confirm()
    const other = await server.signedIn()
    expect(await me(from(former, other.sessionToken))).toBe(401)
    expect(await me(from(former, ''))).toBe(401)
    expect(await me(from(former, 'A'.repeat(43)))).toBe(401)
  })

  test('does not share the confirmation', async () => {
    const admin = await addMember(server, { role: 'admin' })
    server.clock.nowMs += 15 * 60_000 + 1
    const former = cookieOf(admin.browser)
    await confirm(admin.browser)
    const read = (headers: Record<string, string>) => admin.browser.send({ method: 'GET', path: '/api/v1/admin/users.csv', headers })
    const late = await read(from(former, admin.browser.sessionToken))
    expect([late.statusCode, late.json()]).toMatchObject([403, { code: 'admin.confirmPassword' }])
    expect((await read({})).statusCode).toBe(200)
  })
})

describe('no new cookie comes', () => {
  test('with a wrong password, none, or one too many', async () => {
    const former = cookieOf(browser)
    const responses = [await confirm(browser, ''), await confirm(browser, 'wrong-password')]
    for (let guess = 0; guess < 8; guess += 1) responses.push(await confirm(browser, `guess-${guess}`))
    responses.push(await confirm())
    const change = { currentPassword: 'wrong-password', newPassword, confirmPassword: newPassword }
    responses.push(await browser.send({ method: 'POST', path: '/api/v1/user/password', body: change }))
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([400, 429]))
    expect(responses.flatMap(({ cookies }) => cookies)).toEqual([])
    server.clock.nowMs += graceMs
    expect([cookieOf(browser), await isSignedIn()]).toEqual([former, true])
  })

  test('with a wrong code of the app that is being set up', async () => {
    const former = cookieOf(browser)
    const { secret } = (await browser.client.factors.startTotp()).data
    const wrong = codeOf(secret, server.clock.nowMs + 3_600_000)
    const body = { code: wrong }
    const response = await browser.send({ method: 'POST', path: '/api/v1/user/second-factor/totp/confirm', body })
    expect([response.statusCode, response.cookies]).toEqual([400, []])
    expect(cookieOf(browser)).toBe(former)
  })

  test('for a session that ended meanwhile', async () => {
    const { db } = server.database
    const at = new Date(server.clock.nowMs)
    const { id } = await db.selectFrom('sessions').select('id').executeTakeFirstOrThrow()
    await browser.client.auth.signOut({ body: {} })
    await expect(renewSession(db, id, { at, hasPassword: true })).rejects.toMatchObject({ status: 401 })
  })
})

describe('two tabs', () => {
  test('a request under way is answered, and all later ones have the new cookie', async () => {
    const former = cookieOf(browser)
    await confirm()
    server.clock.nowMs += graceMs - 1
    const presence = { method: 'POST', path: '/api/v1/user/presence', body: { tabId: crypto.randomUUID() }, headers: from(former) }
    expect((await server.browser().send(presence)).statusCode).toBe(200)
    server.clock.nowMs += 24 * 3_600_000
    expect(await isSignedIn()).toBe(true)
  })

  test('both confirm, the second one before it has the cookie of the first: the last cookie goes on', async () => {
    const former = cookieOf(browser)
    await confirm()
    const response = await browser.send({
      method: 'POST',
      path: '/api/v1/auth/confirm',
      body: { password: testPassword },
      headers: from(former),
    })
    expect(response.statusCode).toBe(200)
    server.clock.nowMs += graceMs
    expect(await isSignedIn()).toBe(true)
  })

  test('signing out with the former cookie ends the session of both', async () => {
    const former = cookieOf(browser)
    await confirm()
    const signOut = { method: 'POST', path: '/api/v1/auth/sign-out', body: {}, headers: from(former) }
    expect((await server.browser().send(signOut)).statusCode).toBe(200)
    expect(await isSignedIn()).toBe(false)
  })
})

describe('the list of devices', () => {
  test('stays one row, the same one', async () => {
    const before = await sessions()
    await confirm()
    expect(await sessions()).toEqual(before)
    expect(before).toMatchObject([{ isCurrent: true }])
  })

  test('is unchanged when another user signs in with the former cookie', async () => {
    const former = cookieOf(browser)
    await confirm()
    const stranger = server.browser()
    stranger.cookies.set('tezi_session', former)
    await stranger.signIn((await server.addUser()).email, testPassword)
    expect(await sessions()).toHaveLength(1)
  })

  test('stays one row where the new cookie was lost and its owner signs in again', async () => {
    const former = cookieOf(browser)
    await confirm()
    server.clock.nowMs += graceMs
    browser.cookies.set('tezi_session', former)
    expect(await isSignedIn()).toBe(false)
    await browser.signIn(user.email, testPassword)
    expect(await sessions()).toHaveLength(1)
  })
})

test('only hashes of both cookies are stored', async () => {
  const former = cookieOf(browser)
  await confirm()
  const rows = JSON.stringify(await server.database.db.selectFrom('sessions').selectAll().execute())
  for (const secret of [former, cookieOf(browser)]) {
    expect(rows).not.toContain(secret)
    expect(rows).not.toContain(JSON.stringify([...Buffer.from(secret)]))
  }
})
