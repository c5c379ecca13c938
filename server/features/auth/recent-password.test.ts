// Sensitive admin actions need a password confirmed in the last 15 minutes.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { addMember, addPlans, stateOf, type Member } from '#server/testing/subscriptions.ts'

let server: TestApp
let admin: Member
let member: Member
beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  await addPlans(server)
  admin = await addMember(server, { role: 'admin' })
  member = await addMember(server)
  await member.browser.client.subscriptions.submit({ body: { type: 'regular', utrNo: '632412345678' } })
})
afterAll(() => server.close())

const post = (path: string, body: unknown, browser: Browser = admin.browser) =>
  browser.send({ method: 'POST', path: `/api/v1${path}`, body })
const decide = (status: boolean) => post('/admin/userstatus', { id: member.id, status })
const acts = {
  accept: () => decide(true),
  suspend: () => decide(false),
  months: () => post('/admin/change-sub-months', { email: member.email, months: 5 }),
  'the export of all users': () => admin.browser.send({ method: 'GET', path: '/api/v1/admin/users.csv' }),
}

test.each(Object.keys(acts) as (keyof typeof acts)[])(
  '%s is rejected with an old password check, and works after a confirmation',
  async (act) => {
    if (act === 'suspend') expect((await decide(true)).statusCode).toBe(200)
    server.clock.nowMs += 15 * 60_000 + 1
    const before = await stateOf(server, member.id)
    const refused = await acts[act]()
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({ code: 'admin.confirmPassword', message: 'Please confirm your password to continue' })
    expect(await stateOf(server, member.id)).toEqual(before)
    expect(await actions('users-exported')).toEqual([])
    await admin.browser.client.passwords.confirm({ body: { password: testPassword } })
    expect((await acts[act]()).statusCode).toBe(200)
  },
)

test('admins cannot set their own password by the reset, which does not need the old one', async () => {
  const response = await post('/auth/forgot-password', { email: ` ${admin.email.toUpperCase()}`, newPassword: 'Monsoon-Rain-77' })
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({
    code: 'admin.passwordOwn',
    message: 'Change your own password on the account page. It asks for the current one.',
  })
  const signIn = (password: string) => post('/auth/sign-in', { email: admin.email, password }, server.browser({ address: '192.0.2.9' }))
  expect((await signIn('Monsoon-Rain-77')).statusCode).toBe(401)
  expect((await signIn(testPassword)).statusCode).toBe(200)
})

test('reading all users is logged each time, and paging once an hour', async () => {
  await admin.browser.client.admin.users({ query: { search: 'asha' } })
  await admin.browser.client.admin.users({ query: {} })
  expect(await actions('users-read')).toEqual([
    { actor: admin.email, details: { filter: { search: 'asha' }, rows: 2 } },
    { actor: admin.email, details: { filter: {}, rows: 2 } },
  ])
  for (let page = 1; page <= 3; page += 1) await admin.browser.client.admin.users({ query: { page } })
  expect((await actions('users-read')).slice(2)).toEqual([{ actor: admin.email, details: { filter: {}, page: 1, rows: 2 } }])
  server.clock.nowMs += 60 * 60_000
  await admin.browser.signIn(admin.email)
  await admin.browser.client.admin.users({ query: { page: 2 } })
  expect(await actions('users-read')).toHaveLength(4)
})

async function actions(action: string) {
  return server.database.db.selectFrom('audit_log').select(['actor', 'details']).where('action', '=', action).orderBy('id').execute()
}
