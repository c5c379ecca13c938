// An address that another person signed up with: its owner gets the account by mail, or an admin frees it.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dayMs } from '#shared/base/durations.ts'
import type { NewUser } from '#server/db/tables.ts'
import { premiumColumns, startMs, testApp, testPassword, type TestApp } from '#server/testing/app.ts'
import { addTotp } from '#server/testing/factors.ts'
import { addPlans, expectHistoryToReplay, stateOf } from '#server/testing/subscriptions.ts'

const email = 'owner@example.in'
const next = 'Monsoon-Rain-77'

const servers = { mail: await testApp(), none: await testApp({ hasMailer: false }) }
let server: TestApp = servers.mail
beforeEach(async () => {
  for (const each of Object.values(servers)) await each.reset()
  server = servers.mail
})
afterEach(() => {
  server = servers.mail
})
afterAll(() => Promise.all(Object.values(servers).map((each) => each.close())))

const signUp = (values: object = {}) =>
  server.browser({ address: '192.0.2.9' }).send({
    method: 'POST',
    path: '/api/v1/auth/sign-up',
    body: { name: 'Ravi', email, phone: '9876543210', password: testPassword, confirmPassword: testPassword, ...values },
  })
const users = () => server.database.db.selectFrom('users').where('email', '=', email)
const account = () => users().selectAll().executeTakeFirstOrThrow()
const tokenIn = (mail: { text: string } | undefined) => /#token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
const lastToken = () => tokenIn(server.outbox.mails.at(-1))
const mailsOf = async (count: number) => {
  await expect.poll(() => server.outbox.mails.length).toBe(count)
  return server.outbox.mails
}
const useLink = (token: string) => server.browser().client.passwords.useLink({ body: { token, newPassword: next, confirmPassword: next } })
const setUser = (values: object) => server.database.db.updateTable('users').set(values).where('email', '=', email).execute()

describe('the owner of an address that an unconfirmed account holds', () => {
  test.each(['sign-up', 'reset'])('by %s gets it with the link, and what the stranger set up is gone', async (by) => {
    await signUp({ name: 'WIN at evil.example' })
    await mailsOf(1)
    const stranger = server.browser()
    await stranger.signIn(email, testPassword)
    await addTotp(server, stranger)
    if (by === 'sign-up') {
      const response = await signUp({ name: 'Asha Rao', phone: '9123456789' })
      expect(response.statusCode).toBe(409)
      expect(response.json()).toMatchObject({ code: 'auth.emailWaits', fields: { email: expect.stringContaining('open the link') } })
    } else await server.browser().client.passwords.askForLink({ body: { email } })
    const [first, second] = await mailsOf(2)
    for (const mail of [first, second]) expect(mail?.text).not.toContain('evil')
    expect(second?.text).toContain('It also removes what is set up in the account so far')
    await useLink(lastToken())
    expect(await account()).toMatchObject({
      email_confirmed_at: new Date(startMs),
      second_factor_since: null,
      consent_notice: null,
      ...(by === 'sign-up' ? { name: 'Asha Rao', phone: '9123456789' } : {}),
    })
    expect((await stranger.send({ method: 'GET', path: '/api/v1/user' })).statusCode).toBe(401)
    await expect(server.browser().signIn(email, testPassword)).rejects.toMatchObject({ status: 401 })
    expect(await server.browser().client.auth.signIn({ body: { email, password: next } })).toMatchObject({ success: true })
    const acts = await server.database.db.selectFrom('audit_log').select('action').execute()
    expect(acts.map(({ action }) => action)).toEqual(expect.arrayContaining(['password-changed', 'email-confirmed']))
    expect((await signUp()).json()).toMatchObject({ code: 'auth.emailTaken' })
  })

  test.each([
    ['the link of the later mail', 0],
    ['a link asked for within a day', dayMs - 1],
  ])('gets it also after opening the older mail that confirms the address, by %s', async (_, waitMs) => {
    await signUp()
    const [older] = await mailsOf(1)
    const stranger = server.browser()
    await stranger.signIn(email, testPassword)
    await addTotp(server, stranger)
    await signUp({ name: 'Asha Rao' })
    await mailsOf(2)
    await server.browser().client.email.confirm({ body: { token: tokenIn(older) } })
    server.clock.nowMs += waitMs
    if (waitMs > 0) {
      await server.browser().client.passwords.askForLink({ body: { email } })
      await mailsOf(3)
    }
    expect(server.outbox.mails.at(-1)?.text).toContain('It also removes')
    await useLink(lastToken())
    expect(await account()).toMatchObject({ second_factor_since: null, claimed_at: null, name: waitMs > 0 ? 'Ravi' : 'Asha Rao' })
    expect(await server.browser().client.auth.signIn({ body: { email, password: next } })).toMatchObject({ success: true })
    // Once: what the owner sets up stays.
    const owner = server.browser()
    await owner.signIn(email, next)
    await addTotp(server, owner)
    await server.browser().client.passwords.askForLink({ body: { email } })
    await expect
      .poll(() => server.outbox.mails.filter(({ subject }) => subject.includes('set a new password')).length)
      .toBe(waitMs > 0 ? 3 : 2)
    await useLink(lastToken())
    expect(await account()).toMatchObject({ second_factor_since: expect.any(Date) })
  })

  test.each<[string, Partial<NewUser>]>([
    ['a day after the last claim', { claimed_at: new Date(startMs - dayMs) }],
    ['without a claim', { claimed_at: null }],
    ['with premium', premiumColumns],
    ['of an admin', { role: 'admin' }],
  ])('keeps what is set up in a confirmed account %s', async (_, values) => {
    const { email } = await server.addUser({ claimed_at: new Date(startMs), ...values })
    const owner = server.browser()
    await owner.signIn(email)
    await addTotp(server, owner)
    await server.browser().client.passwords.askForLink({ body: { email } })
    await expect.poll(() => server.outbox.mails.at(-1)?.subject).toContain('set a new password')
    expect(server.outbox.mails.at(-1)?.text).not.toContain('It also removes')
    await useLink(lastToken())
    const row = await server.database.db.selectFrom('users').select('second_factor_since').where('email', '=', email).executeTakeFirst()
    expect(row).toEqual({ second_factor_since: expect.any(Date) })
  })

  test.each<[string, Partial<NewUser>]>([
    ['an admin', { role: 'admin' }],
    ['premium', premiumColumns],
    ['premium in the past', { subscription_months: 1 }],
    ['a confirmed address', { email_confirmed_at: new Date(startMs) }],
  ])('gets no link by sign-up for an account with %s, and none by reset unless it is confirmed', async (_, values) => {
    await server.addUser({ email, email_confirmed_at: null, ...values })
    expect((await signUp()).json()).toMatchObject({ code: 'auth.emailTaken' })
    await server.browser().client.passwords.askForLink({ body: { email } })
    await mailsOf('email_confirmed_at' in values ? 1 : 0)
  })

  test.each(['open', 'declined'])('gets it with the %s request of the stranger, which stays for the admins', async (state) => {
    await addPlans(server)
    await signUp()
    const stranger = server.browser()
    await stranger.signIn(email, testPassword)
    await stranger.client.subscriptions.submit({ body: { type: 'regular', utrNo: '632412345678' } })
    const { id } = await account()
    const admin = await server.signedIn({ role: 'admin' })
    if (state === 'declined') await admin.client.subscriptions.setStatus({ body: { id, status: false } })
    await signUp({ name: 'Asha Rao' })
    await mailsOf(2)
    await useLink(lastToken())
    expect(await account()).toMatchObject({ id, email_confirmed_at: expect.any(Date), name: 'Asha Rao' })
    const row = await server.database.db.selectFrom('audit_log').select('details').where('action', '=', 'email-confirmed').execute()
    expect(row).toEqual([{ details: { handedOver: true, hasOpenRequest: state === 'open' } }])
    const kept = await stateOf(server, id)
    expect(kept.requests).toMatchObject([{ reference: '632412345678', status: state === 'open' ? 'pending' : 'declined' }])
    expect(kept.history).toMatchObject(state === 'open' ? [{ command: 'submit' }] : [{ command: 'submit' }, { command: 'decline' }])
    if (state === 'open') await admin.client.subscriptions.setStatus({ body: { id, status: false } })
    const owner = server.browser()
    await owner.signIn(email, next)
    await owner.client.subscriptions.submit({ body: { type: 'regular', utrNo: '632412345679' } })
    await expectHistoryToReplay(server, id)
  })

  test('cannot use a link for an account that was paid for meanwhile', async () => {
    await signUp()
    await signUp()
    await mailsOf(2)
    await setUser(premiumColumns)
    await expect(useLink(lastToken())).rejects.toMatchObject({ status: 400, fields: { token: expect.anything() } })
    expect(await account()).toMatchObject({ email_confirmed_at: null })
  })

  test('gets three mails in six hours for sign-ups in one network, and is told only of those that were sent', async () => {
    for (let time = 0; time < 4; time += 1) await signUp()
    expect((await signUp()).json()).toMatchObject({ code: 'auth.emailTaken' })
    await mailsOf(4)
    server.clock.nowMs += dayMs / 4
    expect((await signUp()).json()).toMatchObject({ code: 'auth.emailWaits' })
  })
})

describe('an admin', () => {
  const free = (admin: Awaited<ReturnType<TestApp['signedIn']>>, body: object = { email }) =>
    admin.send({ method: 'POST', path: '/api/v1/admin/free-address', body })

  test('is the only one who frees an address, and with a recent password', async () => {
    await signUp()
    expect((await free(server.browser())).statusCode).toBe(401)
    expect((await free(await server.signedIn())).statusCode).toBe(403)
    const admin = await server.signedIn({ role: 'admin' })
    expect((await free(admin, { email: 'nobody@example.in' })).statusCode).toBe(404)
    server.clock.nowMs += 16 * 60_000
    expect((await free(admin)).json()).toMatchObject({ code: 'admin.confirmPassword' })
    expect(await account()).toMatchObject({ email })
  })

  test.each([
    ['confirmed', { email_confirmed_at: new Date(startMs) }],
    ['an admin', { role: 'admin' }],
    ['paid for', premiumColumns],
    ['waiting for a decision', { status: 'pending' }],
  ])('cannot free the address of an account that is %s', async (_, values) => {
    await signUp()
    await setUser(values)
    expect((await free(await server.signedIn({ role: 'admin' }))).json()).toMatchObject({ code: 'admin.addressKept' })
    expect(await account()).toMatchObject({ email })
  })

  test('frees the address where mail is off: the owner signs up, and the log has a row without the address', async () => {
    server = servers.none
    await signUp()
    const { id } = await account()
    const admin = await server.signedIn({ role: 'admin' })
    expect((await free(admin)).json()).toMatchObject({ success: true, message: 'The address is free again' })
    expect((await signUp()).statusCode).toBe(201)
    const rows = await server.database.db.selectFrom('audit_log').selectAll().where('action', '=', 'address-freed').execute()
    expect(rows).toEqual([expect.objectContaining({ target_id: id, target: expect.stringMatching(/^erased-/) })])
  })
})
