// Undo of decisions, and the choice between the rest of a term and a new one, through the API.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { expectHistoryToReplay, resetDesk, stateOf, type Member } from '#server/testing/subscriptions.ts'

let server: TestApp
let member: Member
let admin: Member
let secondAdmin: Member
let references = 0

beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  ;({ member, admin, secondAdmin } = await resetDesk(server))
})
afterAll(() => server.close())

const changedSince = { status: 409, message: 'This cannot be undone any more, because the subscription has changed since.' }

function submit() {
  references += 1
  return member.browser.client.subscriptions.submit({ body: { type: 'regular', utrNo: String(632_500_000_000 + references) } })
}
async function decide(status: boolean, term?: 'rest' | 'new'): Promise<string> {
  const reply = await admin.browser.client.subscriptions.setStatus({ body: { id: member.id, status, term } })
  return reply.change ?? ''
}
const undo = (change: string, by = admin, id = member.id) => by.browser.client.subscriptions.undo({ params: { id }, body: { change } })
const preview = async (months?: number) =>
  (await admin.browser.client.subscriptions.term({ params: { id: member.id }, query: months === undefined ? {} : { months } })).data
const audit = () => server.database.db.selectFrom('audit_log').selectAll().where('action', '=', 'subscription-undo').execute()

/** What an undo has to restore. */
async function facts() {
  const { user, requests } = await stateOf(server, member.id)
  return { user, requests }
}
async function wait(ms: number): Promise<void> {
  server.clock.nowMs += ms
  for (const { browser, email } of [member, admin, secondAdmin]) await browser.signIn(email)
}

describe('an undo', () => {
  test('is refused to visitors, users, and without a recent password', async () => {
    await submit()
    const change = await decide(true)
    const call = { method: 'POST', path: `/api/v1/admin/users/${member.id}/undo`, body: { change } } as const
    expect((await server.browser().send(call)).statusCode).toBe(401)
    expect((await member.browser.send(call)).statusCode).toBe(403)
    server.clock.nowMs += 16 * minuteMs
    await expect(undo(change)).rejects.toMatchObject({ status: 403, code: 'admin.confirmPassword' })
    for (const bad of ['', 'x', '1'.repeat(19)]) await expect(undo(bad)).rejects.toMatchObject({ status: 400 })
    await expect(undo(change, admin, 'x')).rejects.toMatchObject({ status: 400 })
    await admin.browser.signIn(admin.email)
    await expect(undo(change, admin, randomUUID())).rejects.toMatchObject({ status: 404, message: 'There is no such user' })
    expect((await stateOf(server, member.id)).user.status).toBe('paid')
  })

  test('is refused once anything has changed since, and for anything but a decision', async () => {
    await submit()
    const { history } = await stateOf(server, member.id)
    await expect(undo(history[0]?.id ?? '')).rejects.toMatchObject(changedSince)
    await expect(undo('999999')).rejects.toMatchObject(changedSince)
    const change = await decide(true)
    await admin.browser.send({ method: 'POST', path: '/api/v1/admin/change-sub-months', body: { email: member.email, months: 4 } })
    const before = await facts()
    await expect(undo(change)).rejects.toMatchObject(changedSince)
    const months = (await stateOf(server, member.id)).history.at(-1)?.id ?? ''
    await expect(undo(months)).rejects.toMatchObject(changedSince)
    expect(await facts()).toEqual(before)
    await decide(false)
    const suspended = await facts()
    await expect(undo(change)).rejects.toMatchObject(changedSince)
    expect(await facts()).toEqual(suspended)
    expect(await audit()).toEqual([])
  })

  test('is refused after an hour', async () => {
    await submit()
    const change = await decide(true)
    await wait(hourMs + 1)
    await expect(undo(change)).rejects.toMatchObject({
      status: 409,
      message: 'This cannot be undone any more. An undo is possible for one hour.',
    })
    expect((await stateOf(server, member.id)).history).toHaveLength(2)
  })

  test('of an acceptance makes the request wait again, with an audited row that names the decision', async () => {
    await submit()
    const before = await facts()
    const change = await decide(true)
    await wait(hourMs)
    expect(await undo(change, secondAdmin)).toMatchObject({ success: true, message: 'Undone. Everything is as it was before.' })
    expect(await facts()).toEqual(before)
    expect((await member.browser.client.users.me()).isPremium).toBe(false)
    expect((await admin.browser.client.subscriptions.requests()).data).toHaveLength(1)
    expect(await audit()).toMatchObject([
      { actor: secondAdmin.email, target: member.email, details: { undoes: change, decision: 'accept', after: { status: 'pending' } } },
    ])
    const { data } = await admin.browser.client.subscriptions.userHistory({ params: { id: member.id } })
    expect(data[0]).toMatchObject({ command: 'undo', undoes: change, actor: secondAdmin.email, undoUntil: null })
    await expectHistoryToReplay(server, member.id)
    await decide(true)
    expect((await stateOf(server, member.id)).user.status).toBe('paid')
  })

  test('of a suspension restores the exact end, and of a declined renewal the request and its months', async () => {
    await submit()
    await decide(true)
    await wait(12 * dayMs + 7)
    const paid = await facts()
    const suspension = await decide(false)
    expect((await member.browser.client.users.me()).isPremium).toBe(false)
    await wait(30 * minuteMs)
    await undo(suspension)
    expect(await facts()).toEqual(paid)
    expect(await member.browser.client.users.me()).toMatchObject({ isPremium: true, premiumEndDate: '2027-02-20T06:00:00.000Z' })

    await member.browser.client.subscriptions.submit({ body: { type: 'crypto', utrNo: '632400000012345678' } })
    const renewal = await facts()
    await undo(await decide(false))
    expect(await facts()).toEqual(renewal)
    await decide(true)
    expect(await member.browser.client.users.me()).toMatchObject({ premiumEndDate: '2027-03-20T06:00:00.000Z', subscriptionMonths: 1 })
    await expectHistoryToReplay(server, member.id)
  })

  test('of an accepted renewal forgets its months: declined afterwards, the term keeps its own', async () => {
    await submit()
    await decide(true)
    await member.browser.client.subscriptions.submit({ body: { type: 'crypto', utrNo: '632400000012345679' } })
    await undo(await decide(true))
    await decide(false)
    expect(await member.browser.client.users.me()).toMatchObject({
      status: 'paid',
      subscriptionMonths: 3,
      premiumEndDate: '2027-02-20T06:00:00.000Z',
    })
  })

  test('twenty times at once is one change; the second admin is refused', async () => {
    await submit()
    const change = await decide(true)
    const responses = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => undo(change, index === 0 ? secondAdmin : admin)))
    const refused = responses.filter((response) => response.status === 'rejected')
    expect([1, 19]).toContain(refused.length)
    for (const { reason } of refused) expect(reason).toMatchObject(changedSince)
    expect((await stateOf(server, member.id)).history.map(({ command }) => command)).toEqual(['submit', 'accept', 'undo'])
    expect(await audit()).toHaveLength(1)
  })

  test('is offered in the history of an admin for an hour, for the newest decision only, and never to the user', async () => {
    const offers = async () =>
      (await admin.browser.client.subscriptions.userHistory({ params: { id: member.id } })).data.map(({ undoUntil }) => undoUntil)
    await submit()
    expect(await offers()).toEqual([null])
    await decide(true)
    server.clock.nowMs += 1000
    await decide(false)
    expect(await offers()).toEqual(['2026-11-20T07:00:01.000Z', null, null])
    const own = (await member.browser.client.subscriptions.ownHistory()).data
    expect(own.map(({ undoUntil }) => undoUntil)).toEqual([null, null, null])
  })
})

describe('accepting after a suspension', () => {
  test('without days left is refused for the rest', async () => {
    await submit()
    await expect(decide(true, 'rest')).rejects.toMatchObject({ status: 409, message: 'Nothing is left of the earlier term' })
    await decide(true)
    server.clock.nowMs = Date.parse('2027-02-20T06:00:00Z')
    await wait(0)
    await server.database.db.updateTable('users').set({ status: 'cancel' }).where('id', '=', member.id).execute()
    await expect(decide(true, 'rest')).rejects.toMatchObject({ status: 409, message: 'Nothing is left of the earlier term' })
    expect(await preview()).toMatchObject({ restEnd: null, newEnd: '2027-05-20T06:00:00.000Z', isReferenceUsed: true })
  })

  test('grants the rest of the term or a new one, as its preview says, and no payment is counted twice', async () => {
    await submit()
    expect(await preview()).toMatchObject({ status: 'pending', newEnd: '2027-02-20T06:00:00.000Z', restEnd: null, isReferenceUsed: false })
    await decide(true)
    await wait(10 * dayMs)
    await decide(false)
    await wait(30 * dayMs)
    // 82 of 92 days are left.
    const seen = await preview()
    expect(seen).toMatchObject({
      status: 'cancel',
      months: 3,
      premiumEnd: null,
      restEnd: '2027-03-22T06:00:00.000Z',
      newEnd: '2027-03-30T06:00:00.000Z',
      monthsEnd: null,
      isReferenceUsed: true,
    })
    const before = await facts()
    const rest = await decide(true, 'rest')
    const after = await facts()
    expect(after.user).toMatchObject({ status: 'paid', premium_end: new Date(seen.restEnd ?? 0), subscription_months: 3 })
    expect(after.requests).toEqual(before.requests)
    await undo(rest)
    expect(await facts()).toEqual(before)
    await decide(true, 'new')
    expect((await facts()).user.premium_end).toEqual(new Date(seen.newEnd ?? 0))
    expect((await stateOf(server, member.id)).history.at(-1)?.reason).toBe('new term, no new payment')
    await expectHistoryToReplay(server, member.id)
  })

  test('the rest of a term decides no declined renewal', async () => {
    await submit()
    await decide(true)
    server.clock.nowMs += 1000
    await submit()
    await decide(false)
    await decide(false)
    await decide(true, 'rest')
    expect((await facts()).requests.map(({ status }) => status)).toEqual(['accepted', 'declined'])
  })
})

describe('the preview of a term', () => {
  test('is refused to visitors and users, for unknown users and impossible months', async () => {
    const path = `/api/v1/admin/users/${member.id}/term`
    expect((await server.browser().send({ method: 'GET', path })).statusCode).toBe(401)
    expect((await member.browser.send({ method: 'GET', path })).statusCode).toBe(403)
    expect((await admin.browser.send({ method: 'GET', path: `/api/v1/admin/users/${randomUUID()}/term` })).statusCode).toBe(404)
    for (const months of ['0', '121', '1.5', 'x'])
      expect((await admin.browser.send({ method: 'GET', path: `${path}?months=${months}` })).statusCode).toBe(400)
  })

  test('says where other months end, also for renewals and for a pending request', async () => {
    expect(await preview()).toMatchObject({ status: null, months: 0, newEnd: null, monthsEnd: null, reference: null })
    await submit()
    expect(await preview(1)).toMatchObject({ newEnd: '2026-12-20T06:00:00.000Z', monthsEnd: null })
    await decide(true)
    expect(await preview(5)).toMatchObject({ premiumEnd: '2027-02-20T06:00:00.000Z', monthsEnd: '2027-04-20T06:00:00.000Z' })
    server.clock.nowMs += 1000
    await submit()
    await decide(true)
    const seen = await preview(4)
    expect(seen.monthsEnd).toBe('2027-06-20T06:00:00.000Z')
    await admin.browser.send({ method: 'POST', path: '/api/v1/admin/change-sub-months', body: { email: member.email, months: 4 } })
    expect((await facts()).user.premium_end?.toISOString()).toBe(seen.monthsEnd)
  })
})
