// The bound pair of cookie and token: what opens no session, how one ends, and who may end it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { premiumColumns, startMs, testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { minuteMs } from '#shared/base/durations.ts'

let server: TestApp
beforeAll(async () => {
  server = await testApp()
})
afterAll(() => server.close())

async function signedIn(values: Parameters<TestApp['addUser']>[0] = {}): Promise<Browser & { id: string; email: string }> {
  const user = await server.addUser(values)
  const browser = server.browser()
  await browser.signIn(user.email)
  return Object.assign(browser, user)
}

const me = (browser: Browser, headers: Record<string, string> = {}) => browser.send({ method: 'GET', path: '/api/v1/user', headers })

test('neither half of the pair opens a session, nor do two halves of different sessions', async () => {
  const one = await signedIn()
  const other = await signedIn()
  const cookie = one.cookies.get('tezi_session') ?? ''
  const attempts: [string, Record<string, string>][] = [
    ['nothing', {}],
    ['cookie only', { cookie: `tezi_session=${cookie}` }],
    ['token only', { 'session-token': one.sessionToken ?? '' }],
    ['mismatched', { cookie: `tezi_session=${cookie}`, 'session-token': other.sessionToken ?? '' }],
    ['swapped', { cookie: `tezi_session=${one.sessionToken}`, 'session-token': cookie }],
    ['token twice', { cookie: `tezi_session=${cookie}`, 'session-token': `${one.sessionToken}, ${one.sessionToken}` }],
    ['forged', { cookie: `tezi_session=${'A'.repeat(43)}`, 'session-token': 'B'.repeat(43) }],
    ['odd', { cookie: 'tezi_session=%00%ff', 'session-token': '\u00ff'.repeat(5000) }],
    ['empty', { cookie: 'tezi_session=', 'session-token': '' }],
    ['sql', { cookie: "tezi_session=' or 1=1 --", 'session-token': "' or 1=1 --" }],
    ['bearer', { authorization: `Bearer ${one.sessionToken}` }],
  ]
  for (const [name, headers] of attempts) {
    const response = await server.browser().send({ method: 'GET', path: '/api/v1/user', headers })
    expect([name, response.statusCode]).toEqual([name, 401])
    expect(response.json()).toMatchObject({ success: false, message: 'Please sign in to continue', code: 'auth.sessionMissing' })
  }
  const inUrl = await server.browser().send({ method: 'GET', path: `/api/v1/user?sessionToken=${one.sessionToken}&tezi_session=${cookie}` })
  expect(inUrl.statusCode).toBe(401)
  expect((await me(one)).json()).toMatchObject({ _id: one.id, email: one.email })
})

test.each([
  ['a user', {}, 7 * 86_400_000, 30 * 86_400_000, 6 * 86_400_000],
  ['an admin', { role: 'admin' as const }, 30 * 60_000, 12 * 3_600_000, 29 * 60_000],
])('the session of %s has an idle and an absolute timeout', async (_, values, idleMs, absoluteMs, stepMs) => {
  server.clock.nowMs = startMs
  const idle = await signedIn(values)
  server.clock.nowMs += idleMs - 1
  expect((await me(idle)).statusCode).toBe(200)
  server.clock.nowMs += idleMs
  expect((await me(idle)).statusCode).toBe(401)

  server.clock.nowMs = startMs
  const busy = await signedIn(values)
  for (; server.clock.nowMs + stepMs < startMs + absoluteMs; server.clock.nowMs += stepMs) expect((await me(busy)).statusCode).toBe(200)
  server.clock.nowMs = startMs + absoluteMs
  expect((await me(busy)).statusCode).toBe(401)
  server.clock.nowMs = startMs
})

test('sign-out ends the session on the server, by POST and by GET', async () => {
  for (const method of ['POST', 'GET']) {
    const browser = await signedIn()
    const stolen = { cookie: `tezi_session=${browser.cookies.get('tezi_session')}`, 'session-token': browser.sessionToken ?? '' }
    const response = await browser.send({
      method,
      path: '/api/v1/auth/sign-out',
      ...(method === 'POST' ? { body: { email: 'someone@else.in' } } : {}),
    })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ success: true, message: 'Signed out successfully' })
    expect(browser.cookies.has('tezi_session')).toBe(false)
    expect((await server.browser().send({ method: 'GET', path: '/api/v1/user', headers: stolen })).statusCode).toBe(401)
  }
})

test('sign-out ends no other session and needs the token, so a foreign page cannot send it', async () => {
  const victim = await signedIn()
  const other = await signedIn()
  await other.client.auth.signOut({ body: { email: victim.email } })
  const cookie = `tezi_session=${victim.cookies.get('tezi_session')}`
  for (const method of ['GET', 'POST']) {
    expect(
      (await server.browser().send({ method, path: '/api/v1/auth/sign-out', headers: { cookie, 'sec-fetch-site': 'cross-site' } }))
        .statusCode,
    ).toBeGreaterThanOrEqual(401)
  }
  expect((await me(victim)).statusCode).toBe(200)
})

test('own sessions are listed and ended, those of others are not found', async () => {
  const phone = await signedIn()
  const desk = server.browser()
  server.clock.nowMs += 1
  await desk.signIn(phone.email)
  const stranger = await signedIn()
  const { data } = await desk.client.sessions.list()
  expect(data.map((session) => session.isCurrent)).toEqual([true, false])
  const phoneSession = data.find((session) => !session.isCurrent)?.id ?? ''
  await expect(stranger.client.sessions.end({ params: { id: phoneSession } })).rejects.toMatchObject({ status: 404 })
  await expect(desk.client.sessions.end({ params: { id: 'x' } })).rejects.toMatchObject({ status: 400 })
  expect(await desk.client.sessions.end({ params: { id: phoneSession } })).toMatchObject({ success: true, message: 'Session ended' })
  expect((await me(phone)).statusCode).toBe(401)
  expect((await me(stranger)).statusCode).toBe(200)
  expect((await desk.client.sessions.list()).data).toHaveLength(1)
})

test('a session is ended only with a password confirmed in the last 15 minutes', async () => {
  const phone = await signedIn()
  const desk = server.browser()
  await desk.signIn(phone.email)
  const phoneSession = (await desk.client.sessions.list()).data.find((session) => !session.isCurrent)?.id ?? ''
  const end = () => desk.client.sessions.end({ params: { id: phoneSession } })
  server.clock.nowMs += 15 * minuteMs + 1
  await expect(end()).rejects.toMatchObject({ status: 403, code: 'admin.confirmPassword' })
  expect((await me(phone)).statusCode).toBe(200)
  await desk.client.passwords.confirm({ body: { password: testPassword } })
  await end()
  expect((await me(phone)).statusCode).toBe(401)
  server.clock.nowMs = startMs
})

test('a change of role, a suspension and an ended term apply to the next request', async () => {
  const { db } = server.database
  const user = await signedIn(premiumColumns)
  const online = () => user.send({ method: 'GET', path: '/api/v1/admin/getOnlineUsers' }).then((response) => response.statusCode)
  const settings = () => user.send({ method: 'GET', path: '/api/v1/user/chart-settings' }).then((response) => response.statusCode)
  expect([await online(), await settings()]).toEqual([403, 200])
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', user.id).execute()
  expect(await online()).toBe(200)
  await db.updateTable('users').set({ role: 'user', status: 'cancel' }).where('id', '=', user.id).execute()
  expect([await online(), await settings()]).toEqual([403, 403])
  await db
    .updateTable('users')
    .set({ status: 'paid', premium_end: new Date(startMs + 1000) })
    .where('id', '=', user.id)
    .execute()
  expect(await settings()).toBe(200)
  server.clock.nowMs = startMs + 1000
  expect(await settings()).toBe(403)
  expect((await user.client.users.me()).isPremium).toBe(false)
  server.clock.nowMs = startMs
})

test('background requests do not count as use', async () => {
  server.clock.nowMs = startMs
  const admin = await signedIn({ role: 'admin' })
  for (let minute = 0; minute < 30; minute += 5) {
    server.clock.nowMs = startMs + minute * 60_000
    expect((await admin.client.presence.beOnline({ body: { tabId: crypto.randomUUID() } })).data).toEqual({
      isPremium: true,
      status: null,
      premiumEndDate: null,
    })
  }
  server.clock.nowMs = startMs + 30 * 60_000
  expect((await me(admin)).statusCode).toBe(401)
  server.clock.nowMs = startMs
})
