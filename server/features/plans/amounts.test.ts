// Invalid prices and months, through every call that takes one: rejected with a message, and nothing is stored.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type Browser, type TestApp } from '#server/testing/app.ts'
import { qrDataUrl } from '#server/testing/images.ts'
import { addMember, addPlans, stateOf, type Member } from '#server/testing/subscriptions.ts'

let server: TestApp
let admin: Browser
let member: Member
const qr = await qrDataUrl()

beforeAll(async () => {
  server = await testApp()
  await addPlans(server)
  admin = (await addMember(server, { role: 'admin' })).browser
  member = await addMember(server)
})
afterAll(() => server.close())

const stored = async () => {
  const plans = await server.database.db.selectFrom('plans').selectAll().orderBy('type').execute()
  const audit = await server.database.db.selectFrom('audit_log').select('id').where('action', '!=', 'sign-in').execute()
  return JSON.stringify([plans, audit, await stateOf(server, member.id)])
}

/** Sends a body with one raw value, even if it is not a valid JSON number; expects that nothing is stored. */
async function rejectionOf(browser: Browser, method: string, path: string, payload: string): Promise<{ status: number; body: unknown }> {
  const before = await stored()
  const response = await browser.send({ method, path: `/api/v1${path}`, payload, headers: { 'content-type': 'application/json' } })
  expect(await stored()).toBe(before)
  return { status: response.statusCode, body: response.json() }
}

const positivePrice = 'Price must be greater than 0'
const priceStep = 'Price must have at most two decimals and be at most 10,000,000'
const prices = [
  ['0', positivePrice],
  ['-0', positivePrice],
  ['"0"', positivePrice],
  ['-1', positivePrice],
  ['"-2999.50"', positivePrice],
  ['"ten"', positivePrice],
  ['"2,999"', positivePrice],
  ['"२९९९"', positivePrice],
  ['"NaN"', positivePrice],
  ['"-Infinity"', positivePrice],
  ['"Infinity"', positivePrice],
  ['"1e999"', positivePrice],
  ['"0x10"', positivePrice],
  ['"1e1"', positivePrice],
  ['" 5 "', positivePrice],
  ['"+5"', positivePrice],
  ['"５"', positivePrice],
  ['".5"', positivePrice],
  ['"5\\n"', positivePrice],
  ['1e300', priceStep],
  ['10000000.01', priceStep],
  ['9007199254740993', priceStep],
  ['"10000000.01"', priceStep],
  ['0.001', priceStep],
  ['1e-9', priceStep],
  ['"0.000000001"', priceStep],
  ['2999.500000001', priceStep],
  ['"2999.505"', priceStep],
] as const

const positiveMonths = 'Duration must be greater than 0 months'
const monthsRange = 'Duration must be a whole number from 1 to 120 months'
const months = [
  ['0', positiveMonths],
  ['"-1"', positiveMonths],
  ['"three"', positiveMonths],
  ['"३"', positiveMonths],
  ['"NaN"', positiveMonths],
  ['"-Infinity"', positiveMonths],
  ['"Infinity"', positiveMonths],
  ['"1e999"', positiveMonths],
  ['"0x10"', positiveMonths],
  ['"1e1"', positiveMonths],
  ['" 5 "', positiveMonths],
  ['"+5"', positiveMonths],
  ['"５"', positiveMonths],
  ['0.5', monthsRange],
  ['"1.5"', monthsRange],
  ['121', monthsRange],
  ['2147483648', monthsRange],
  ['1e300', monthsRange],
] as const

/** Strings that JavaScript, or a user, might read as the 3 of the plan. */
const resembling = ['"0x3"', '"3e0"', '" 3 "', '"+3"', '"３"']

const planPayload = (field: 'price' | 'month', value: string, head: object) =>
  JSON.stringify({ ...head, month: 3, price: 10, qrcodeUrl: qr, [field]: null }).replace(`"${field}":null`, `"${field}":${value}`)

/** The responses of both ways to write a plan. */
async function planRejections(field: 'price' | 'month', value: string) {
  const { id } = await server.database.db.selectFrom('plans').select('id').where('type', '=', 'crypto').executeTakeFirstOrThrow()
  return [
    await rejectionOf(admin, 'POST', '/admin/create-payment-info', planPayload(field, value, { type: 'crypto' })),
    await rejectionOf(admin, 'PUT', '/admin/update-payment-info', planPayload(field, value, { id })),
  ]
}

test.each(prices)('a price of %s in a plan: %s', async (value, message) => {
  for (const rejection of await planRejections('price', value))
    expect(rejection).toMatchObject({ status: 400, body: { success: false, message, fields: { price: message } } })
})

test.each(months)('%s months in a plan: %s', async (value, message) => {
  for (const rejection of await planRejections('month', value))
    expect(rejection).toMatchObject({ status: 400, body: { success: false, message, fields: { month: message } } })
})

test.each(['price', 'month'] as const)('a number beyond all numbers as %s of a plan is rejected on its field', async (field) => {
  for (const value of ['1e999', '-1e999'])
    for (const { status, body } of await planRejections(field, value)) {
      expect(status).toBe(400)
      expect(Object.keys((body as { fields: object }).fields)).toEqual([field])
    }
})

test.each(['NaN', 'Infinity', '-Infinity', '1_000', '0x10', '.5'])('%s, which is not valid JSON, is rejected everywhere', async (value) => {
  const rejections = [
    ...(await planRejections('price', value)),
    ...(await planRejections('month', value)),
    await rejectionOf(admin, 'POST', '/admin/change-sub-months', `{"email":"${member.email}","months":${value}}`),
    await rejectionOf(member.browser, 'POST', '/user/payment', claimPayload('price', value)),
    await rejectionOf(member.browser, 'POST', '/user/payment', claimPayload('Months', value)),
  ]
  expect(rejections.map(({ status }) => status)).toEqual(rejections.map(() => 400))
})

const outOfRange = ['0.5', '"1.5"', '121', '2147483648', '1e300']

test.each(['0', '-0', '-1', '"two"', '"NaN"', '"Infinity"', '"1e999"', ...outOfRange, ...resembling])(
  '%s as the months of a user is rejected on its field',
  async (value) => {
    const message = outOfRange.includes(value) ? 'Enter a whole number from 1 to 120' : 'Please enter a valid number greater than 0'
    expect(await rejectionOf(admin, 'POST', '/admin/change-sub-months', `{"email":"${member.email}","months":${value}}`)).toMatchObject({
      status: 400,
      body: { success: false, message, fields: { months: message } },
    })
  },
)

const claimPayload = (field: 'price' | 'Months', value: string) => `{"type":"regular","utrNo":"632412345678","${field}":${value}}`

test.each([
  '0',
  '-0',
  '-2999.5',
  '-3',
  '0.5',
  '2999.49',
  '"text"',
  '""',
  '"NaN"',
  '"Infinity"',
  '"1e999"',
  '1e300',
  '"0xBB7"',
  ...resembling,
])('%s as price or months of a claim does not match the plan', async (value) => {
  // Claims are rate limited per user, which is not under test here.
  await server.database.db.deleteFrom('rate_counters').execute()
  for (const field of ['price', 'Months'] as const)
    expect(await rejectionOf(member.browser, 'POST', '/user/payment', claimPayload(field, value))).toMatchObject({
      status: 409,
      body: { success: false, message: 'The plan has changed, please reload' },
    })
})

test('1e999 as price or months of a claim is rejected on its field', async () => {
  for (const field of ['price', 'Months'] as const) {
    const { status, body } = await rejectionOf(member.browser, 'POST', '/user/payment', claimPayload(field, '1e999'))
    expect(status).toBe(400)
    expect(Object.keys((body as { fields: object }).fields)).toEqual([field])
  }
})

test('the same calls succeed with valid amounts', async () => {
  const sent = { email: member.email, months: '4' }
  expect((await admin.send({ method: 'POST', path: '/api/v1/admin/change-sub-months', body: sent })).statusCode).toBe(200)
  const claim = { type: 'regular', utrNo: '632412345678', price: '2999.50', Months: '3' }
  expect((await member.browser.send({ method: 'POST', path: '/api/v1/user/payment', body: claim })).statusCode).toBe(201)
  await server.database.db.deleteFrom('plans').where('type', '=', 'crypto').execute()
  const created = await admin.send({
    method: 'POST',
    path: '/api/v1/admin/create-payment-info',
    payload: planPayload('price', '49.99', { type: 'crypto' }),
    headers: { 'content-type': 'application/json' },
  })
  expect(created.statusCode).toBe(201)
})
