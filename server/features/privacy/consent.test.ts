// Consent through the API: at sign-up, asked for later, withdrawn, given again; and what it opens and closes.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { premiumColumns, testApp, testPassword, type TestApp } from '#server/testing/app.ts'
import { addMember } from '#server/testing/subscriptions.ts'
import { noticeVersion } from '#shared/privacy/notice.ts'

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
    // The rules of the form come first, in their own order.
    [{ phone: '987', consent: { ...consent, isAdult: false } }, 'phone', 'Phone number must be 10 digits'],
    [{ email: '', consent: { ...consent, isAdult: false } }, 'email', 'Please fill in all required fields'],
  ])('with %j is refused', async (change, field, message) => {
    const answer = await signUp({ ...form, ...change })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ message, fields: { [field]: message } })
    expect(await server.database.db.selectFrom('users').selectAll().execute()).toEqual([])
    expect(await records()).toEqual([])
  })

  test.each([
    { consent: true },
    { consent: {} },
    { consent: { ...consent, isAdult: 'yes' } },
    { consent: { noticeVersion: 'x'.repeat(21), isAdult: true } },
  ])('with %j is refused as broken', async (odd) => {
    expect((await signUp({ ...form, ...odd })).statusCode).toBe(400)
  })

  test('with consent writes who, when and which notice, and no address', async () => {
    expect((await signUp({ ...form, consent })).statusCode).toBe(201)
    const [user] = await server.database.db.selectFrom('users').selectAll().execute()
    const at = new Date(server.clock.nowMs)
    expect(await records()).toEqual([
      { id: '1', user_id: user?.id, at, act: 'given', notice_version: noticeVersion, is_adult: true, place: 'sign-up' },
    ])
    const browser = server.browser()
    await browser.signIn(form.email)
    expect(await browser.client.users.me()).not.toHaveProperty('consent')
  })

  test('of a taken email writes no consent', async () => {
    await signUp({ ...form, consent })
    expect((await signUp({ ...form, email: 'RAVI@example.in', consent })).statusCode).toBe(409)
    expect(await records()).toHaveLength(1)
  })

  test('as the specification has it makes the account, which says that consent is missing and closes nothing', async () => {
    expect((await signUp(form)).statusCode).toBe(201)
    expect(await records()).toEqual([])
    const browser = server.browser()
    const answer = await browser.client.auth.signIn({ body: { email: form.email, password: testPassword } })
    expect(answer).toMatchObject({ success: true, data: { user: { consent: 'missing' } } })
    await browser.signIn(form.email)
    expect((await browser.client.users.me()).consent).toBe('missing')
    await server.database.db.updateTable('users').set(premiumColumns).execute()
    expect((await browser.client.market.chartSettings()).success).toBe(true)
    expect((await browser.client.market.chart({ params: { slug: 'eur-usd' } })).data.slug).toBe('eur-usd')
  })
})

describe('on the account page', () => {
  test.each([
    [{ ...consent, isAdult: false }, 'Please confirm that you are 18 or older'],
    [{ ...consent, noticeVersion: '2020-01-01' }, 'The privacy notice has changed. Please reload the page and read it again.'],
  ])('%j is refused', async (body, message) => {
    const { browser } = await addMember(server, { consent_notice: null })
    await expect(browser.client.privacy.giveConsent({ body })).rejects.toMatchObject({ status: 400, message })
    expect(await records()).toEqual([])
  })

  test('a withdrawal wants to be sure', async () => {
    const { browser } = await addMember(server)
    const answer = await browser.send({ method: 'POST', path: '/api/v1/user/privacy/withdraw', body: { isSure: false } })
    expect(answer.statusCode).toBe(400)
    expect(await records()).toEqual([])
  })

  test('an older notice counts as missing; agreeing to the present one is recorded once', async () => {
    const { id, browser } = await addMember(server, { consent_notice: '2025-01-01' })
    expect((await browser.client.privacy.state()).data.consent).toBe('missing')
    expect(await browser.client.privacy.giveConsent({ body: consent })).toEqual({ success: true, message: 'Your consent is recorded' })
    await browser.client.privacy.giveConsent({ body: consent })
    expect(await records()).toMatchObject([{ user_id: id, act: 'given', notice_version: noticeVersion, place: 'account' }])
    expect((await browser.client.privacy.state()).data).toEqual({
      consent: 'given',
      noticeVersion,
      at: new Date(server.clock.nowMs).toISOString(),
      erasedOn: null,
    })
  })

  test('withdrawn closes premium and its charts at once, keeps the own data open, and given again opens them', async () => {
    const { id, browser } = await addMember(server, premiumColumns)
    await browser.client.market.chart({ params: { slug: 'eur-usd' } })
    expect(await browser.client.privacy.withdrawConsent({ body: { isSure: true } })).toEqual({
      success: true,
      message: 'Your consent is withdrawn',
    })
    await browser.client.privacy.withdrawConsent({ body: { isSure: true } })
    expect(await records()).toMatchObject([{ user_id: id, act: 'withdrawn', notice_version: noticeVersion, is_adult: false }])
    expect((await browser.client.users.me()).consent).toBe('withdrawn')
    expect((await browser.client.privacy.state()).data).toMatchObject({ consent: 'withdrawn', erasedOn: '2026-12-20T06:00:00.000Z' })
    await expect(browser.client.market.chart({ params: { slug: 'eur-usd' } })).rejects.toMatchObject({ status: 403 })
    await expect(browser.client.market.chartSettings()).rejects.toMatchObject({ status: 403, code: 'privacy.consent-withdrawn' })
    expect((await browser.send({ method: 'GET', path: '/api/v1/user/privacy/export' })).statusCode).toBe(200)
    await browser.client.privacy.giveConsent({ body: consent })
    expect((await browser.client.market.chartSettings()).success).toBe(true)
    expect((await records()).map((row) => row.act)).toEqual(['withdrawn', 'given'])
  })

  test('an admin is not asked, because the work is the ground', async () => {
    const { browser } = await addMember(server, { role: 'admin', consent_notice: null })
    expect(await browser.client.users.me()).not.toHaveProperty('consent')
  })

  test('twenty withdrawals and agreements at once leave a record that tells the present', async () => {
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
    // Each act changes something: two equal ones never follow each other.
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
])('the database refuses: %s', async (statement) => {
  const { id, browser } = await addMember(server)
  await browser.client.privacy.withdrawConsent({ body: { isSure: true } })
  await server.database.db.insertInto('erasures').values({ user_id: id, at: new Date() }).execute()
  await expect(sql.raw(statement).execute(server.database.db)).rejects.toThrow('are written once')
  expect(await records()).toMatchObject([{ act: 'withdrawn' }])
})
