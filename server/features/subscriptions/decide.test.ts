// Deciding on subscriptions through the API: accept, decline, suspend, months, expiry, and their effects.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs } from '#shared/base/durations.ts'
import { noRateLimits } from '#server/http/rate-limiter.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { addMember, expectHistoryToReplay, resetDesk, stateOf, type Member } from '#server/testing/subscriptions.ts'
import { subscriptionsService } from './service.ts'

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

const notPossible = { status: 409, message: 'This is not possible any more, because the status has changed. Please reload.' }

function submit(one = member, type: 'regular' | 'crypto' = 'regular') {
  references += 1
  const utrNo = type === 'regular' ? String(632_400_000_000 + references) : `6324000000${String(references).padStart(8, '0')}`
  return one.browser.client.subscriptions.submit({ body: { type, utrNo } })
}
const decide = (status: boolean, by = admin, id = member.id) => by.browser.client.subscriptions.setStatus({ body: { id, status } })
const changeMonths = (months: unknown, email = member.email) =>
  admin.browser.send({ method: 'POST', path: '/api/v1/admin/change-sub-months', body: { email, months } })
const me = () => member.browser.client.users.me()
const expire = () => subscriptionsService({ db: server.database.db, rateLimiter: noRateLimits, now: () => server.clock.nowMs }).expire()
const audit = () => server.database.db.selectFrom('audit_log').selectAll().where('action', 'like', 'subscription-%').orderBy('id').execute()

describe('accepting', () => {
  test('is rejected for an unknown user and for one without a request', async () => {
    for (const id of [randomUUID(), 'x', ''])
      await expect(decide(true, admin, id)).rejects.toMatchObject({ status: 404, message: 'There is no such user' })
    for (const status of [true, false]) await expect(decide(status)).rejects.toMatchObject(notPossible)
    for (const status of ['true', 1, null]) {
      const response = await admin.browser.send({ method: 'POST', path: '/api/v1/admin/userstatus', body: { id: member.id, status } })
      expect(response.statusCode).toBe(400)
    }
    expect((await stateOf(server, member.id)).history).toEqual([])
  })

  test('starts the months of the plan, whatever end date was sent, and is logged [spec 4.2]', async () => {
    await submit()
    const reply = await admin.browser.client.subscriptions.setStatus({
      body: { id: member.id, status: true, premiumEndDate: '2099-01-01T00:00:00.000Z' },
    })
    expect(reply).toMatchObject({ success: true, statuscode: 200, message: 'Subscription accepted' })
    expect(await me()).toMatchObject({
      isPremium: true,
      status: 'paid',
      premiumStartDate: '2026-11-20T06:00:00.000Z',
      premiumEndDate: '2027-02-20T06:00:00.000Z',
      subscriptionMonths: 3,
    })
    await member.browser.client.chart.settings()
    const { requests } = await stateOf(server, member.id)
    expect(requests).toMatchObject([{ status: 'accepted', decided_by: admin.id, decided_at: new Date(server.clock.nowMs) }])
    expect(await audit()).toMatchObject([
      {
        action: 'subscription-accept',
        actor: admin.email,
        target: member.email,
        target_id: member.id,
        details: { before: { status: 'pending' }, after: { status: 'paid', months: 3 } },
      },
    ])
    await expectHistoryToReplay(server, member.id)
  })

  test('uses months and price at the time of the claim', async () => {
    await submit()
    await server.database.db.updateTable('plans').set({ months: 12 }).where('type', '=', 'regular').execute()
    await decide(true)
    expect(await me()).toMatchObject({ premiumEndDate: '2027-02-20T06:00:00.000Z', subscriptionMonths: 3 })
  })

  test('again returns the first response to the same admin and a conflict to another one; nothing is added', async () => {
    await submit()
    await decide(true)
    expect(await decide(true)).toMatchObject({ success: true, statuscode: 200, message: 'Subscription accepted' })
    await expect(decide(true, secondAdmin)).rejects.toMatchObject({ ...notPossible, code: 'adminDecisions.notPossible' })
    expect(await me()).toMatchObject({ premiumEndDate: '2027-02-20T06:00:00.000Z' })
    expect((await stateOf(server, member.id)).history).toHaveLength(2)
    expect(await audit()).toHaveLength(1)
  })

  test('by one admin twenty times at once is one change', async () => {
    await submit()
    const responses = await Promise.all(Array.from({ length: 20 }, () => decide(true)))
    expect(responses.every((response) => response.message === 'Subscription accepted')).toBe(true)
    const { history, user } = await stateOf(server, member.id)
    expect(history.map((change) => change.command)).toEqual(['submit', 'accept'])
    expect(user.premium_end?.toISOString()).toBe('2027-02-20T06:00:00.000Z')
    expect(await audit()).toHaveLength(1)
  })

  test('by two admins twenty times at once: one wins, the other gets conflicts', async () => {
    await submit()
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => decide(true, index % 2 === 0 ? admin : secondAdmin)))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(10)
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(notPossible)
    expect((await stateOf(server, member.id)).history).toHaveLength(2)
  })

  test('for a user without months is rejected', async () => {
    const empty = await addMember(server, { status: 'cancel' })
    await expect(decide(true, admin, empty.id)).rejects.toMatchObject({
      status: 400,
      message: 'Set the subscription months before accepting',
    })
    await changeMonths(2, empty.email)
    await decide(true, admin, empty.id)
    expect((await stateOf(server, empty.id)).user).toMatchObject({ status: 'paid', premium_end: new Date('2027-01-20T06:00:00.000Z') })
  })
})

describe('a renewal', () => {
  beforeEach(async () => {
    await submit()
    await decide(true)
    server.clock.nowMs += 5 * dayMs
    await member.browser.signIn(member.email)
    await admin.browser.signIn(admin.email)
    await submit(member, 'crypto')
  })

  test('keeps premium while pending, and extends from the end when accepted', async () => {
    expect(await me()).toMatchObject({ status: 'pending', isPremium: true, premiumEndDate: '2027-02-20T06:00:00.000Z' })
    await decide(true)
    expect(await me()).toMatchObject({
      status: 'paid',
      premiumStartDate: '2026-11-20T06:00:00.000Z',
      premiumEndDate: '2027-03-20T06:00:00.000Z',
      subscriptionMonths: 1,
    })
    await expectHistoryToReplay(server, member.id)
  })

  test('that is declined keeps the paid days', async () => {
    expect((await decide(false)).message).toBe('Request declined')
    expect(await me()).toMatchObject({ status: 'paid', isPremium: true, premiumEndDate: '2027-02-20T06:00:00.000Z', subscriptionMonths: 3 })
    await expectHistoryToReplay(server, member.id)
  })

  test('with corrected months moves the end by the difference, so the first term stays paid', async () => {
    await decide(true)
    await changeMonths(4)
    expect(await me()).toMatchObject({ premiumEndDate: '2027-06-20T06:00:00.000Z', subscriptionMonths: 4 })
    await changeMonths(1)
    expect(await me()).toMatchObject({ premiumEndDate: '2027-03-20T06:00:00.000Z', subscriptionMonths: 1 })
  })

  test('accepted in the meantime is not suspended by an admin who declines it', async () => {
    await decide(true)
    await secondAdmin.browser.signIn(secondAdmin.email)
    const late = secondAdmin.browser.client.subscriptions.setStatus({ body: { id: member.id, status: false, from: 'pending' } })
    await expect(late).rejects.toMatchObject(notPossible)
    expect(await me()).toMatchObject({ status: 'paid', isPremium: true })
  })
})

describe('declining and suspending', () => {
  test('a declined request has no effect, and the next one is possible', async () => {
    await submit()
    expect(await decide(false)).toMatchObject({ success: true, statuscode: 200, message: 'Request declined' })
    expect(await decide(false)).toMatchObject({ message: 'Request declined' })
    await expect(decide(false, secondAdmin)).rejects.toMatchObject(notPossible)
    expect(await me()).toMatchObject({ status: 'cancel', isPremium: false, premiumEndDate: null })
    expect((await stateOf(server, member.id)).requests).toMatchObject([{ status: 'declined', decided_by: admin.id }])
    await submit()
    expect(await me()).toMatchObject({ status: 'pending' })
    await expectHistoryToReplay(server, member.id)
  })

  test('a suspension applies to the next call', async () => {
    await submit()
    await decide(true)
    await member.browser.client.chart.settings()
    server.clock.nowMs += 1000
    expect(await decide(false)).toMatchObject({ success: true, statuscode: 200, message: 'Subscription suspended' })
    expect(await decide(false)).toMatchObject({ message: 'Subscription suspended' })
    await expect(member.browser.client.chart.settings()).rejects.toMatchObject({ status: 403, code: 'http.premiumRequired' })
    expect(await me()).toMatchObject({ status: 'cancel', isPremium: false, premiumEndDate: '2026-11-20T06:00:01.000Z' })
    expect((await audit()).map((row) => row.action)).toEqual(['subscription-accept', 'subscription-suspend'])
    await expectHistoryToReplay(server, member.id)
  })

  test('accepting after a suspension starts a new term', async () => {
    await submit()
    await decide(true)
    server.clock.nowMs += dayMs
    await admin.browser.signIn(admin.email)
    await decide(false)
    await decide(true)
    expect((await stateOf(server, member.id)).user).toMatchObject({
      status: 'paid',
      premium_start: new Date('2026-11-21T06:00:00Z'),
      premium_end: new Date('2027-02-21T06:00:00Z'),
    })
  })

  test('accept against decline, eight rounds: each ends in one consistent state', async () => {
    for (let round = 0; round < 8; round += 1) {
      const one = await addMember(server)
      await submit(one)
      const orders = [decide(true, admin, one.id), decide(false, secondAdmin, one.id)]
      await Promise.allSettled(round % 2 === 0 ? orders : orders.toReversed())
      const { user, history } = await stateOf(server, one.id)
      await expectHistoryToReplay(server, one.id)
      const last = history.at(-1)
      expect(user.status).toBe(last?.command === 'accept' ? 'paid' : 'cancel')
      const isRunning = user.premium_end !== null && user.premium_end.getTime() > server.clock.nowMs
      expect(isRunning).toBe(user.status === 'paid')
      expect(history.filter((change) => change.command === 'accept').length).toBeLessThanOrEqual(1)
    }
  })
})

describe('changing the months', () => {
  test.each([
    [undefined, 'Please enter the number of months'],
    [null, 'Please enter the number of months'],
    ['  ', 'Please enter the number of months'],
    [0, 'Please enter a valid number greater than 0'],
    [-1, 'Please enter a valid number greater than 0'],
    ['abc', 'Please enter a valid number greater than 0'],
    [1.5, 'Enter a whole number from 1 to 120'],
    [121, 'Enter a whole number from 1 to 120'],
    ['999', 'Enter a whole number from 1 to 120'],
    ['1e999', 'Please enter a valid number greater than 0'],
  ])('to %j is rejected: %s', async (months, message) => {
    const response = await changeMonths(months)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ message })
    expect((await stateOf(server, member.id)).history).toEqual([])
  })

  test('of an unknown user is rejected', async () => {
    expect((await changeMonths(3, 'nobody@example.in')).json()).toMatchObject({ statuscode: 404, message: 'There is no such user' })
  })

  test('moves the end of a running term, with before and after in history and log', async () => {
    await submit()
    await decide(true)
    const response = await changeMonths('5', ` ${member.email.toUpperCase()}`)
    expect(response.json()).toMatchObject({ success: true, message: 'Subscription months updated successfully' })
    expect(await me()).toMatchObject({ status: 'paid', subscriptionMonths: 5, premiumEndDate: '2027-04-20T06:00:00.000Z' })
    const { data } = await admin.browser.client.subscriptions.userHistory({ params: { id: member.id } })
    expect(data[0]).toMatchObject({
      command: 'months',
      actor: admin.email,
      reason: '3 to 5',
      premiumEndBefore: '2027-02-20T06:00:00.000Z',
      premiumEndAfter: '2027-04-20T06:00:00.000Z',
      months: 5,
    })
    expect((await audit()).at(-1)).toMatchObject({
      action: 'subscription-months',
      target: member.email,
      details: { before: { months: 3 }, after: { months: 5 } },
    })
    await expectHistoryToReplay(server, member.id)
  })

  test('of a user without a term only sets the number', async () => {
    await changeMonths(7)
    expect(await me()).toMatchObject({ status: null, subscriptionMonths: 7, premiumStartDate: null, premiumEndDate: null })
  })
})

describe('expiry', () => {
  test('needs no job: the last millisecond is premium, the next is not', async () => {
    await submit()
    await decide(true)
    server.clock.nowMs = Date.parse('2027-02-20T05:59:59.999Z')
    await member.browser.signIn(member.email)
    expect((await me()).isPremium).toBe(true)
    server.clock.nowMs += 1
    expect((await me()).isPremium).toBe(false)
    await expect(member.browser.client.chart.settings()).rejects.toMatchObject({ status: 403 })
  })

  test('is marked once by any number of processes, and leaves pending renewals to the admin', async () => {
    const waiting = await addMember(server)
    for (const one of [member, waiting]) {
      await submit(one)
      await decide(true, admin, one.id)
    }
    await submit(waiting)
    expect(await expire()).toBe(0)
    server.clock.nowMs = Date.parse('2027-02-20T06:00:00Z')
    const counts = await Promise.all([expire(), expire(), expire(), expire()])
    expect(counts.toSorted((one, other) => one - other)).toEqual([0, 0, 0, 1])
    const { user, history } = await stateOf(server, member.id)
    expect(user).toMatchObject({ status: 'cancel' })
    expect(history.at(-1)).toMatchObject({ command: 'expire', reason: 'expired', actor_id: null })
    expect((await stateOf(server, waiting.id)).user.status).toBe('pending')
    await expectHistoryToReplay(server, member.id)
  })
})

describe('the reason beside the status', () => {
  const reported = async () => {
    const user = await me()
    const [listed] = (await admin.browser.client.admin.users({ query: { search: member.email } })).map(({ status, reason }) => [
      status,
      reason,
    ])
    expect(listed).toEqual([user.status, user.reason])
    return listed
  }

  test('tells expired, suspended and declined apart, and is absent otherwise', async () => {
    expect(await reported()).toEqual([null, undefined])
    await submit()
    expect(await reported()).toEqual(['pending', undefined])
    await decide(false)
    expect(await reported()).toEqual(['cancel', 'declined'])
    await submit()
    expect(await reported()).toEqual(['pending', undefined])
    await decide(true)
    expect(await reported()).toEqual(['paid', undefined])
    await decide(false)
    expect(await reported()).toEqual(['cancel', 'suspended'])
    await decide(true)
    server.clock.nowMs = Date.parse('2027-02-20T06:00:00Z')
    for (const { browser, email } of [member, admin]) await browser.signIn(email)
    expect(await reported()).toEqual(['cancel', 'expired'])
    await expire()
    expect(await reported()).toEqual(['cancel', 'expired'])
  })

  test('an overdue subscription can be accepted before the job has marked it, and not suspended', async () => {
    await submit()
    await decide(true)
    server.clock.nowMs = Date.parse('2027-02-20T06:00:00Z')
    for (const { browser, email } of [member, admin]) await browser.signIn(email)
    await expect(decide(false)).rejects.toMatchObject({ status: 409 })
    expect((await stateOf(server, member.id)).user.status).toBe('paid')
    await decide(true)
    const { user, history } = await stateOf(server, member.id)
    expect(user).toMatchObject({ status: 'paid' })
    expect(history.slice(-2)).toMatchObject([{ command: 'expire', actor_id: null }, { command: 'accept' }])
    expect(await reported()).toEqual(['paid', undefined])
    await expectHistoryToReplay(server, member.id)
  })
})

describe('presentation', () => {
  test('requests with reference data, oldest first; users see Support instead of the admin', async () => {
    await submit()
    server.clock.nowMs += 1000
    const other = await addMember(server, { name: 'Bela Sen' })
    await submit(other, 'crypto')
    const { data } = await admin.browser.client.subscriptions.requests()
    expect(data).toMatchObject([
      { userId: member.id, type: 'regular', price: 2999.5, currency: 'INR', months: 3, rail: 'upi', earlierRequests: 0 },
      { userId: other.id, name: 'Bela Sen', type: 'crypto', price: 49, currency: 'USD', months: 1, rail: 'binance' },
    ])
    await decide(false)
    await submit()
    expect(
      (await admin.browser.client.subscriptions.requests()).data.find((request) => request.userId === member.id)?.earlierRequests,
    ).toBe(1)
    const own = (await member.browser.client.subscriptions.ownHistory()).data
    expect(own.map((change) => [change.command, change.actor])).toEqual([
      ['submit', member.email],
      ['decline', 'support'],
      ['submit', member.email],
    ])
    expect(JSON.stringify(own)).not.toContain(admin.email)
  })
})
