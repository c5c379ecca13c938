// Claiming a payment through the API: every error with its message, then the effects of a claim.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { addMember, addPlans, expectHistoryToReplay, stateOf, type Member } from '#server/testing/subscriptions.ts'

const utrInvalid =
  'This is not a UTR: UPI and IMPS have 12 digits, NEFT 16 characters, RTGS 22. Look for "UTR" or "UPI Ref No" in your payment app.'
const orderIdInvalid = 'This is not an Order ID: it has 18 or 19 digits, or is the transaction hash of your transfer.'
const planChanged = 'The plan has changed, please reload'
const claim = { type: 'regular', utrNo: '632412345678', Months: 3, price: 2999.5 }

let server: TestApp
let member: Member
beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  await addPlans(server)
  member = await addMember(server)
})
afterAll(() => server.close())

test.each([
  [{ type: '' }, 400, 'Please select a payment option.'],
  [{ type: 'gold' }, 400, 'Please select a payment option.'],
  [{ utrNo: '' }, 400, 'Please fill in UTR No. field.'],
  [{ utrNo: '  ' }, 400, 'Please fill in UTR No. field.'],
  [{ type: 'crypto', utrNo: '' }, 400, 'Please fill in Order ID field.'],
  [{ utrNo: '12345678901' }, 400, utrInvalid],
  [{ utrNo: '<script>alert(1)</script>' }, 400, utrInvalid],
  [{ utrNo: '1'.repeat(10_000) }, 400, utrInvalid],
  [{ type: 'crypto', utrNo: '632412345678' }, 400, orderIdInvalid],
  [{ price: 1 }, 409, planChanged],
  [{ price: '2999.49' }, 409, planChanged],
  [{ price: 'NaN' }, 409, planChanged],
  [{ Months: 120 }, 409, planChanged],
  [{ Months: '3.5' }, 409, planChanged],
  [{ Months: -3 }, 409, planChanged],
])('%j is rejected: %i %s', async (change, status, message) => {
  const response = await member.browser.send({ method: 'POST', path: '/api/v1/user/payment', body: { ...claim, ...change } })
  expect(response.statusCode).toBe(status)
  expect(response.json()).toMatchObject({ success: false, message, error: message, statuscode: status })
  expect(await stateOf(server, member.id)).toMatchObject({ history: [], requests: [], user: { status: null, utr_no: null } })
})

test('without a plan of the type a claim is rejected', async () => {
  await server.database.db.deleteFrom('plans').where('type', '=', 'crypto').execute()
  await expect(member.browser.client.subscriptions.submit({ body: { type: 'crypto', utrNo: '123456789012345678' } })).rejects.toMatchObject(
    { status: 404, message: 'Please select a payment option.' },
  )
})

test.each([
  ['regular', ' 6324 1234 5678 ', '632412345678', 'upi'],
  ['regular', 'hdfcr52026112012345678', 'HDFCR52026112012345678', 'bank'],
  ['crypto', '123456789012345678', '123456789012345678', 'crypto'],
] as const)('a %s claim of %j is one request, projected onto the user', async (type, utrNo, reference, paymentType) => {
  const response = await member.browser.send({ method: 'POST', path: '/api/v1/user/payment', body: { type, utrNo } })
  expect(response.statusCode).toBe(201)
  expect(response.json()).toMatchObject({ success: true, message: 'Your subscription request has been submitted' })
  const me = await member.browser.client.users.me()
  const months = type === 'regular' ? 3 : 1
  expect(me).toMatchObject({
    status: 'pending',
    isPremium: false,
    utrNo: reference,
    paymentType,
    subscriptionMonths: months,
    premiumEndDate: null,
  })
  const { requests } = await stateOf(server, member.id)
  expect(requests).toMatchObject([
    { type, months, price_minor: type === 'regular' ? '299950' : '4900', reference, reference_raw: utrNo.trim(), status: 'pending' },
  ])
  const { data } = await member.browser.client.subscriptions.ownHistory()
  expect(data).toMatchObject([{ command: 'submit', actor: member.email, statusBefore: null, statusAfter: 'pending', months }])
  await expectHistoryToReplay(server, member.id)
})

test('a second claim waits for the decision on the first; the same one again is the same request', async () => {
  const { subscriptions } = member.browser.client
  await subscriptions.submit({ body: claim })
  await subscriptions.submit({ body: { ...claim, utrNo: '6324 1234 5678' } })
  await expect(subscriptions.submit({ body: { ...claim, utrNo: '632499999999' } })).rejects.toMatchObject({
    status: 409,
    message: 'You already have a pending request',
  })
  expect((await stateOf(server, member.id)).requests).toHaveLength(1)
})

test('a reference is claimed once, by any user, in any spelling, even after it was declined', async () => {
  const admin = await addMember(server, { role: 'admin' })
  const other = await addMember(server)
  const used = { status: 409, message: 'This reference has already been used for another request' }
  await member.browser.client.subscriptions.submit({ body: { type: 'regular', utrNo: 'hdfcr52026112012345678' } })
  await expect(
    other.browser.client.subscriptions.submit({ body: { type: 'regular', utrNo: 'HDFC R52026 112012345678' } }),
  ).rejects.toMatchObject(used)
  await admin.browser.client.subscriptions.setStatus({ body: { id: member.id, status: false } })
  await expect(
    member.browser.client.subscriptions.submit({ body: { type: 'regular', utrNo: 'HDFCR52026112012345678' } }),
  ).rejects.toMatchObject(used)
  expect((await stateOf(server, other.id)).user.status).toBeNull()
  await member.browser.client.subscriptions.submit({ body: claim })
  expect((await stateOf(server, member.id)).requests).toHaveLength(2)
})

test('other fields change nothing', async () => {
  await member.browser.send({
    method: 'POST',
    path: '/api/v1/user/payment',
    body: { ...claim, status: 'paid', isPremium: true, premiumEndDate: '2099-01-01T00:00:00Z', userId: 'x', role: 'admin' },
  })
  expect(await member.browser.client.users.me()).toMatchObject({ status: 'pending', isPremium: false, role: 'user', premiumEndDate: null })
})

test('a flood of claims gets 429 with Retry-After, from another address as well; other users are unaffected, and it recovers', async () => {
  const pay = (who: Member, body: object) => who.browser.send({ method: 'POST', path: '/api/v1/user/payment', body })
  const other = await addMember(server)
  const statuses: number[] = []
  for (let time = 0; time < 20; time += 1) statuses.push((await pay(member, { ...claim, price: 1 })).statusCode)
  expect(statuses).toEqual(Array.from({ length: 20 }, () => 409))
  const elsewhere = { ...member, browser: server.browser({ address: '198.51.100.9' }) }
  await elsewhere.browser.signIn(member.email)
  for (const who of [member, elsewhere]) {
    const refused = await pay(who, claim)
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('3600')
    expect(refused.json()).toMatchObject({ success: false, message: 'Too many requests. Please slow down.', statuscode: 429 })
  }
  expect((await stateOf(server, member.id)).requests).toEqual([])
  expect((await pay(other, { ...claim, utrNo: '632499999999' })).statusCode).toBe(201)
  server.clock.nowMs += 3_600_000
  expect((await pay(member, claim)).statusCode).toBe(201)
})

test('a double submit is one request', async () => {
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => member.browser.send({ method: 'POST', path: '/api/v1/user/payment', body: claim })),
  )
  expect(responses.map((response) => response.statusCode)).toEqual(Array.from({ length: 10 }, () => 201))
  const { requests, history } = await stateOf(server, member.id)
  expect([requests.length, history.length]).toEqual([1, 1])
})

test('ten references of one user at once make one pending request', async () => {
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      member.browser.send({ method: 'POST', path: '/api/v1/user/payment', body: { ...claim, utrNo: `63241234567${index}` } }),
    ),
  )
  expect(responses.map((response) => response.statusCode).toSorted((one, other) => one - other)).toEqual([
    201,
    ...Array.from({ length: 9 }, () => 409),
  ])
  expect((await stateOf(server, member.id)).requests).toHaveLength(1)
  await expectHistoryToReplay(server, member.id)
})

test('fifty users who claim one reference at once: one request and 49 clear rejections', async () => {
  const members: Member[] = []
  for (let index = 0; index < 50; index += 1) members.push(await addMember(server))
  const responses = await Promise.all(
    members.map(({ browser }) => browser.send({ method: 'POST', path: '/api/v1/user/payment', body: claim })),
  )
  const refused = responses.filter((response) => response.statusCode === 409)
  expect(responses.filter((response) => response.statusCode === 201)).toHaveLength(1)
  expect(refused).toHaveLength(49)
  for (const response of refused)
    expect(response.json()).toMatchObject({
      message: 'This reference has already been used for another request',
      fields: { utrNo: expect.any(String) as string },
    })
  const { db } = server.database
  expect(await db.selectFrom('payment_requests').select('id').execute()).toHaveLength(1)
  expect(await db.selectFrom('subscription_history').select('id').execute()).toHaveLength(1)
  expect(await db.selectFrom('users').select('id').where('status', '=', 'pending').execute()).toHaveLength(1)
})
