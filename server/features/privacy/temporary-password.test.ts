// A password set by an admin: valid for a day, and without premium and admin calls until it is changed.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { premiumColumns, testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { addMember, type Member } from '#server/testing/subscriptions.ts'

const given = 'Monsoon-Rain-77'
const own = 'Elaichi-Lassi-77'

let server: TestApp
let admin: Member
beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  admin = await addMember(server, { role: 'admin' })
})
afterAll(() => server.close())

async function signInAfterReset(email: string): Promise<Browser> {
  await admin.browser.client.passwords.resetPassword({ body: { email, newPassword: given } })
  const browser = server.browser()
  await browser.signIn(email, given)
  return browser
}

test('premium is denied until the password is changed; the account itself works', async () => {
  const { email } = await server.addUser(premiumColumns)
  const browser = await signInAfterReset(email)
  expect(await browser.client.users.me()).toMatchObject({ mustChangePassword: true, isPremium: true })
  await expect(browser.client.chart.settings()).rejects.toMatchObject({
    status: 403,
    code: 'privacy.temporaryRejected',
    message: 'Please choose your own password first',
  })
  await expect(browser.client.chart.config({ params: { slug: 'eur-usd' } })).rejects.toMatchObject({ status: 403 })
  expect((await browser.client.chart.config({ params: { slug: 'nifty' } })).data.studies).toEqual([])
  await browser.client.passwords.changePassword({ body: { currentPassword: given, newPassword: own, confirmPassword: own } })
  expect(await browser.client.users.me()).not.toHaveProperty('mustChangePassword')
  expect((await browser.client.chart.settings()).success).toBe(true)
})

test('an admin with a password known to another one can do no admin action', async () => {
  const { email } = await server.addUser({ role: 'admin' })
  const browser = await signInAfterReset(email)
  await expect(browser.client.admin.overview()).rejects.toMatchObject({ status: 403, code: 'privacy.temporaryRejected' })
  await browser.client.passwords.changePassword({ body: { currentPassword: given, newPassword: own, confirmPassword: own } })
  expect((await browser.client.admin.overview()).success).toBe(true)
})

test('it works for a day and no longer; a wrong one does not reveal that', async () => {
  const { email } = await server.addUser()
  await signInAfterReset(email)
  server.clock.nowMs += 86_400_000 - 1
  await server.browser().signIn(email, given)
  server.clock.nowMs += 1
  await expect(server.browser().signIn(email, given)).rejects.toMatchObject({
    status: 401,
    code: 'privacy.temporaryExpired',
    message: 'This temporary password has expired. Please ask support for a new one.',
  })
  await expect(server.browser().signIn(email, testPassword)).rejects.toMatchObject({ status: 401, message: 'Invalid email or password' })
})

test('a password chosen by the user does not expire', async () => {
  const { email } = await server.addUser()
  const browser = await signInAfterReset(email)
  await browser.client.passwords.changePassword({ body: { currentPassword: given, newPassword: own, confirmPassword: own } })
  server.clock.nowMs += 40 * 86_400_000
  const again = server.browser()
  await again.signIn(email, own)
  expect((await again.client.users.me()).email).toBe(email)
})
