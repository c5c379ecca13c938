// Roles, through the API: who may change them, what a new admin has to do first, and that one admin always stays.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testApp, testPassword, type TestApp } from '#server/testing/app.ts'
import { addTotp } from '#server/testing/factors.ts'
import { addMember, type Member } from '#server/testing/subscriptions.ts'

let server: TestApp
let admin: Member
let member: Member
beforeAll(async () => {
  server = await testApp({ needsAdminFactor: true })
})
beforeEach(async () => {
  await server.reset()
  admin = await addMember(server, { role: 'admin' })
  await addTotp(server, admin.browser)
  member = await addMember(server)
})
afterAll(() => server.close())

const change = (id: string, role: string, by = admin) => by.browser.send({ method: 'POST', path: '/api/v1/admin/role', body: { id, role } })
const roles = async () =>
  Object.fromEntries(
    (await server.database.db.selectFrom('users').select(['email', 'role']).execute()).map(({ email, role }) => [email, role]),
  )
const logged = () =>
  server.database.db.selectFrom('audit_log').select(['actor', 'target', 'details']).where('action', '=', 'role-changed').execute()

test.each([
  [{ role: 'user' }, 400],
  [{ id: 'x', role: 'admin' }, 400],
  [{ id: '00000000-0000-4000-8000-000000000009', role: 'owner' }, 400],
  [{ id: '00000000-0000-4000-8000-000000000009', role: 'admin' }, 404],
])('%j is rejected with %i', async (body, status) => {
  expect((await admin.browser.send({ method: 'POST', path: '/api/v1/admin/role', body })).statusCode).toBe(status)
})

test('visitors and users cannot change a role', async () => {
  const body = { id: member.id, role: 'admin' }
  expect((await server.browser().send({ method: 'POST', path: '/api/v1/admin/role', body })).statusCode).toBe(401)
  expect((await change(member.id, 'admin', member)).statusCode).toBe(403)
  expect(await roles()).toMatchObject({ [member.email]: 'user' })
})

test('a change needs a recent password', async () => {
  server.clock.nowMs += 15 * 60_000 + 1
  const response = await change(member.id, 'admin')
  expect([response.statusCode, response.json()]).toMatchObject([403, { code: 'admin.confirmPassword' }])
  expect(await logged()).toEqual([])
})

test('no admin changes the own role, so the last admin stays', async () => {
  const response = await change(admin.id, 'user')
  expect([response.statusCode, response.json()]).toMatchObject([
    409,
    { code: 'roles.ownRole', message: 'Another admin has to change your role' },
  ])
  expect(await roles()).toMatchObject({ [admin.email]: 'admin' })
})

test('changes are limited per hour', async () => {
  for (let index = 0; index < 30; index += 1) expect((await change(admin.id, 'user')).statusCode).toBe(409)
  expect((await change(member.id, 'admin')).statusCode).toBe(429)
})

test('a new admin is signed out, and chooses a longer password and a second factor before anything else', async () => {
  const response = await change(member.id, 'admin')
  expect([response.statusCode, response.json()]).toMatchObject([200, { message: 'The user is an admin now' }])
  expect((await member.browser.send({ method: 'GET', path: '/api/v1/user' })).statusCode).toBe(401)
  expect(await logged()).toEqual([
    {
      actor: admin.email,
      target: member.email,
      details: { before: { role: 'user' }, after: { role: 'admin' }, sessionsEnded: 1 },
    },
  ])
  const browser = server.browser()
  // A day later the old password still opens the way to a new one.
  server.clock.nowMs += 25 * 60 * 60_000
  await browser.signIn(member.email, testPassword)
  expect(await browser.client.users.me()).toMatchObject({ role: 'admin', mustChangePassword: true, mustAddSecondFactor: true })
  const users = () => browser.send({ method: 'GET', path: '/api/v1/admin' })
  expect((await users()).json()).toMatchObject({ code: 'privacy.temporaryRejected' })
  const choose = (password: string) =>
    browser.client.passwords.changePassword({
      body: { currentPassword: testPassword, newPassword: password, confirmPassword: password },
    })
  await expect(choose('Lassi-77')).rejects.toMatchObject({ status: 400, code: 'admin.passwordAdminShort' })
  await choose('Elaichi-Lassi-77')
  expect((await users()).json()).toMatchObject({ code: 'factors.setUpFirst' })
  await addTotp(server, browser)
  expect((await users()).statusCode).toBe(200)
})

test('the same role again changes nothing', async () => {
  const response = await change(member.id, 'user')
  expect(response.statusCode).toBe(200)
  expect((await member.browser.send({ method: 'GET', path: '/api/v1/user' })).statusCode).toBe(200)
  expect(await logged()).toEqual([])
})

test('a former admin is signed out, and reaches no admin page', async () => {
  const second = await addMember(server, { role: 'admin' })
  const response = await change(second.id, 'user')
  expect([response.statusCode, response.json()]).toMatchObject([200, { message: 'The admin role is removed' }])
  expect((await second.browser.send({ method: 'GET', path: '/api/v1/admin' })).statusCode).toBe(401)
  const browser = server.browser()
  await browser.signIn(second.email)
  expect((await browser.send({ method: 'GET', path: '/api/v1/admin' })).statusCode).toBe(403)
})

test('of two admins who remove each other at once, one stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    const second = await addMember(server, { role: 'admin' })
    const third = await addMember(server, { role: 'admin' })
    await Promise.all([addTotp(server, second.browser), addTotp(server, third.browser)])
    const responses = await Promise.all([change(third.id, 'user', second), change(second.id, 'user', third)])
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const now = await roles()
    expect(new Set([now[second.email], now[third.email]])).toEqual(new Set(['admin', 'user']))
  }
})

test('an admin who leaves for good while removing the other one keeps one of the two', async () => {
  const second = await addMember(server, { role: 'admin' })
  await addTotp(server, second.browser)
  const erase = second.browser.send({ method: 'POST', path: '/api/v1/user/erase', body: { password: testPassword } })
  await Promise.all([erase, change(admin.id, 'user', second)])
  expect(Object.values(await roles())).toContain('admin')
})
