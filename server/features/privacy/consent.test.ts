// Consent through the API: at sign-up, later, withdrawn, given again; and its effects.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { premiumColumns, testApp, testPassword, type TestApp } from '#server/testing/app.ts'
import { addMember } from '#server/testing/subscriptions.ts'
import { noticeVersion } from '#shared/privacy/notice-version.ts'

let server: TestApp
beforeAll(async () => {
  server = await testApp()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const form = { name: 'Ravi Kumar', email: 'ravi@example.in', phone: '9876543210', password: testPassword, confirmPassword: testPassword }
const consent = { noticeVersion, isAdult: true }
const signUp = (body: unknown) => server.browser().send({ method: 'POST', path: '/api/v1/auth/sign-up', body })
const records = () => server.database.db.selectFrom('consents').selectAll().orderBy('id').execute()

describe('sign-up', () => {
  test.each([
    [{ consent: { ...consent, isAdult: false } }, 'isAdult', 'Please confirm that you are 18 or older'],
    [
      { consent: { ...consent, noticeVersion: '2020-01-01' } },
      'isAgreed',
      'The privacy notice has changed. Please reload the page and read it again.',
    ],
    // The form's own rules are checked first.
    [{ phone: '987', consent: { ...consent, isAdult: false } }, 'phone', 'Phone number must be 10 digits'],
    [{ email: '', consent: { ...consent, isAdult: false } }, 'email', 'Please fill in all required fields'],
  ])('with %j is rejected', async (change, field, message) => {
    const response = await signUp({ ...form, ...change })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ message, fields: { [field]: message } })
    expect(await server.database.db.selectFrom('users').selectAll().execute()).toEqual([])
    expect(await records()).toEqual([])
  })

  test.each([
    { consent: true },
    { consent: {} },
    { consent: { ...consent, isAdult: 'yes' } },
    { consent: { noticeVersion: 'x'.repeat(21), isAdult: true } },
  ])('with %j is rejected as malformed', async (odd) => {
    expect((await signUp({ ...form, ...odd })).statusCode).toBe(400)
  })

  test('with consent records who, when and which notice, and no address', async () => {
    expect((await signUp({ ...form, consent })).statusCode).toBe(201)
    const [user] = await server.database.db.selectFrom('users').selectAll().execute()
    const at = new Date(server.clock.nowMs)
    expect(await records()).toEqual([
      {
        id: expect.any(String) as string,
        user_id: user?.id,
        at,
        act: 'given',
        notice_version: noticeVersion,
        is_adult: true,
        place: 'sign-up',
      },
    ])
    const browser = server.browser()
    await browser.signIn(form.email)
    expect(await browser.client.users.me()).not.toHaveProperty('consent')
  })

  test('with a taken email records no consent', async () => {
    await signUp({ ...form, consent })
    expect((await signUp({ ...form, email: 'RAVI@example.in', consent })).statusCode).toBe(409)
    expect(await records()).toHaveLength(1)
  })

  test('without consent creates the account, which reports the missing consent and restricts nothing', async () => {
    expect((await signUp(form)).statusCode).toBe(201)
    expect(await records()).toEqual([])
    const browser = server.browser()
    const response = await browser.client.auth.signIn({ body: { email: form.email, password: testPassword } })
    expect(response).toMatchObject({ success: true, data: { user: { consent: 'missing' } } })
    await browser.signIn(form.email)
    expect((await browser.client.users.me()).consent).toBe('missing')
    await server.database.db.updateTable('users').set(premiumColumns).execute()
    expect((await browser.client.chart.settings()).success).toBe(true)
    expect((await browser.client.chart.config({ params: { slug: 'eur-usd' } })).data.slug).toBe('eur-usd')
  })
})

describe('on the account page', () => {
  test.each([
    [{ ...consent, isAdult: false }, 'Please confirm that you are 18 or older'],
    [{ ...consent, noticeVersion: '2020-01-01' }, 'The privacy notice has changed. Please reload the page and read it again.'],
  ])('%j is rejected', async (body, message) => {
    const { browser } = await addMember(server, { consent_notice: null })
    await expect(browser.client.privacy.giveConsent({ body })).rejects.toMatchObject({ status: 400, message })
    expect(await records()).toEqual([])
  })

  test('a withdrawal needs a confirmation', async () => {
    const { browser } = await addMember(server)
    const response = await browser.send({ method: 'POST', path: '/api/v1/user/privacy/withdraw', body: { isSure: false } })
    expect(response.statusCode).toBe(400)
    expect(await records()).toEqual([])
  })

  test('an older notice counts as missing; accepting the current one is recorded once', async () => {
    const { id, browser } = await addMember(server, { consent_notice: '2025-01-01' })
    expect((await browser.client.privacy.state()).data.consent).toBe('missing')
    expect(await browser.client.privacy.giveConsent({ body: consent })).toMatchObject({
      success: true,
      message: 'Your consent is recorded',
    })
    await browser.client.privacy.giveConsent({ body: consent })
    expect(await records()).toMatchObject([{ user_id: id, act: 'given', notice_version: noticeVersion, place: 'account' }])
    expect((await browser.client.privacy.state()).data).toEqual({
      consent: 'given',
      noticeVersion,
      at: new Date(server.clock.nowMs).toISOString(),
      erasedOn: null,
    })
  })

  test('a withdrawal ends premium and its charts immediately and keeps access to personal data; a new consent restores it', async () => {
    const { id, browser } = await addMember(server, premiumColumns)
    await browser.client.chart.config({ params: { slug: 'eur-usd' } })
    expect(await browser.client.privacy.withdrawConsent({ body: { isSure: true } })).toMatchObject({
      success: true,
      message: 'Your consent is withdrawn',
    })
    await browser.client.privacy.withdrawConsent({ body: { isSure: true } })
    expect(await records()).toMatchObject([{ user_id: id, act: 'withdrawn', notice_version: noticeVersion, is_adult: false }])
    expect((await browser.client.users.me()).consent).toBe('withdrawn')
    expect((await browser.client.privacy.state()).data).toMatchObject({ consent: 'withdrawn', erasedOn: '2026-12-20T06:00:00.000Z' })
    await expect(browser.client.chart.config({ params: { slug: 'eur-usd' } })).rejects.toMatchObject({ status: 403 })
    await expect(browser.client.chart.settings()).rejects.toMatchObject({ status: 403, code: 'privacy.consentRejected' })
    expect((await browser.send({ method: 'GET', path: '/api/v1/user/privacy/export' })).statusCode).toBe(200)
    await browser.client.privacy.giveConsent({ body: consent })
    expect((await browser.client.chart.settings()).success).toBe(true)
    expect((await records()).map((row) => row.act)).toEqual(['withdrawn', 'given'])
  })

  test('an admin is not asked, because the work is the legal basis', async () => {
    const { browser } = await addMember(server, { role: 'admin', consent_notice: null })
    expect(await browser.client.users.me()).not.toHaveProperty('consent')
  })

  test('twenty concurrent withdrawals and consents leave a record that matches the state', async () => {
    const { id, browser } = await addMember(server)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? browser.client.privacy.withdrawConsent({ body: { isSure: true } })
          : browser.client.privacy.giveConsent({ body: consent }),
      ),
    )
    const acts = (await records()).map((row) => row.act)
    expect(acts[0]).toBe('withdrawn')
    // Each record changes the state: two equal ones never follow each other.
    expect(acts.filter((act, index) => act === acts[index - 1])).toEqual([])
    const user = await server.database.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(user.consent_withdrawn_at === null ? 'given' : 'withdrawn').toBe(acts.at(-1))
  })
})

test.each([
  "update consents set act = 'given'",
  'delete from consents',
  'truncate consents',
  'delete from erasures',
  'update erasures set at = now()',
])('the database rejects: %s', async (statement) => {
  const { id, browser } = await addMember(server)
  await browser.client.privacy.withdrawConsent({ body: { isSure: true } })
  await server.database.db.insertInto('erasures').values({ user_id: id, at: new Date() }).execute()
  await expect(sql.raw(statement).execute(server.database.db)).rejects.toThrow('are written once')
  expect(await records()).toMatchObject([{ act: 'withdrawn' }])
})

test.each(['export', 'withdraw'] as const)('the %s needs a password confirmed in the last 15 minutes', async (act) => {
  const browser = await server.signedIn()
  const call = () =>
    act === 'export'
      ? browser.send({ method: 'GET', path: '/api/v1/user/privacy/export' })
      : browser.send({ method: 'POST', path: '/api/v1/user/privacy/withdraw', body: { isSure: true } })
  server.clock.nowMs += 15 * 60_000 + 1
  expect((await call()).json()).toMatchObject({ statuscode: 403, code: 'admin.confirmPassword' })
  expect((await browser.client.privacy.state()).data.consent).not.toBe('withdrawn')
  await browser.client.passwords.confirm({ body: { password: testPassword } })
  expect((await call()).statusCode).toBe(200)
})
