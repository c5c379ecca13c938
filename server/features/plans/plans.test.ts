// Plans through the API: access, every validation error with its message, and what is stored and logged.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { dataUrlOf, pngFile, qrDataUrl, upiText } from '#server/testing/images.ts'

let server: TestApp
let admin: Browser
let adminUser: { id: string; email: string }
const qr = await qrDataUrl()
const otherQr = await qrDataUrl('upi://pay?pa=other@okaxis&pn=Other')

beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  adminUser = await server.addUser({ role: 'admin' })
  admin = server.browser()
  await admin.signIn(adminUser.email)
})
afterAll(() => server.close())

const regular = { type: 'regular', month: 3, price: '2999.50', qrcodeUrl: qr } as const
const plansNow = async () => (await admin.client.plans.list()).data
const auditNow = () => server.database.db.selectFrom('audit_log').selectAll().where('action', 'like', 'plan-%').orderBy('id').execute()

test.each([
  [{ month: '' }, 'All fields are required'],
  [{ price: ' ' }, 'All fields are required'],
  [{ qrcodeUrl: '' }, 'All fields are required'],
  [{ price: 0 }, 'Price must be greater than 0'],
  [{ price: -5 }, 'Price must be greater than 0'],
  [{ price: 'free' }, 'Price must be greater than 0'],
  [{ price: 'NaN' }, 'Price must be greater than 0'],
  [{ price: 0.001 }, 'Price must have at most two decimals and be at most 10,000,000'],
  [{ price: '1e400' }, 'Price must be greater than 0'],
  [{ month: 0 }, 'Duration must be greater than 0 months'],
  [{ month: -1 }, 'Duration must be greater than 0 months'],
  [{ month: 'three' }, 'Duration must be greater than 0 months'],
  [{ month: 1.5 }, 'Duration must be a whole number from 1 to 120 months'],
  [{ month: 121 }, 'Duration must be a whole number from 1 to 120 months'],
  [{ qrcodeUrl: 'https://example.com/qr.png' }, 'Invalid file type. Only JPEG, PNG, GIF, and WebP images are allowed.'],
  [{ qrcodeUrl: 'data:image/png;base64,AAAA' }, 'Invalid image file'],
  [
    { qrcodeUrl: dataUrlOf(pngFile(1025, 1, Buffer.alloc(1026)), 'png') },
    'Image dimensions too large. Maximum dimensions allowed are 1024x1024 pixels',
  ],
  [
    { qrcodeUrl: `data:image/png;base64,${'A'.repeat(1_500_000)}` },
    'Image is still too large after compression. Please select a smaller image.',
  ],
])('a plan with %j is rejected: %s', async (change, message) => {
  await expect(admin.client.plans.create({ body: { ...regular, ...change } })).rejects.toMatchObject({ status: 400, message })
  expect(await plansNow()).toEqual([])
})

test.each([[{ type: 'gold' }], [{ price: null }], [{ price: [1] }], [{ month: { n: 1 } }], [{ qrcodeUrl: 5 }]])(
  'a body with %j is rejected',
  async (change) => {
    const response = await admin.send({ method: 'POST', path: '/api/v1/admin/create-payment-info', body: { ...regular, ...change } })
    expect(response.statusCode).toBe(400)
  },
)

test('a body over the limit is rejected before it is read', async () => {
  await expect(
    admin.client.plans.create({ body: { ...regular, qrcodeUrl: `data:image/png;base64,${'A'.repeat(2_200_000)}` } }),
  ).rejects.toMatchObject({ status: 413 })
})

test('a plan is created, shown to every signed-in user, and logged', async () => {
  const reply = await admin.client.plans.create({ body: regular })
  expect(reply).toMatchObject({ success: true, message: 'Payment info created successfully' })
  await admin.client.plans.create({
    body: { type: 'crypto', month: '1', price: 49.99, qrcodeUrl: await qrDataUrl('tron:TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE') },
  })
  const free = await server.signedIn()
  const { data } = await free.client.plans.list()
  expect(data).toMatchObject([
    { type: 'regular', month: 3, price: 2999.5, payee: upiText, version: 1, updatedAt: '2026-11-20T06:00:00.000Z' },
    { type: 'crypto', month: 1, price: 49.99, payee: 'tron:TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', version: 1 },
  ])
  expect(data[0]?.qrcodeUrl).toMatch(/^data:image\/png;base64,/)
  expect(JSON.stringify(data)).not.toContain(adminUser.email)
  const [row] = await auditNow()
  expect(row).toMatchObject({
    action: 'plan-created',
    actor: adminUser.email,
    actor_id: adminUser.id,
    target: 'regular plan',
    target_id: data[0]?._id,
    address: '203.0.113.7',
    details: {
      before: null,
      after: {
        months: 3,
        price: 2999.5,
        payee: upiText,
        image: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        version: 1,
      },
    },
  })
  expect(JSON.stringify(row)).not.toContain('base64')
  expect(server.logLines.join('')).not.toContain('base64,')
})

const wallet = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
const cryptoPlan = { type: 'crypto', month: 1, price: 49, qrcodeUrl: await qrDataUrl(wallet), network: 'trc20', address: wallet } as const

test.each([
  [{ network: 'doge' }, 'network', undefined],
  [{ network: null }, 'network', 'Choose the network of this address'],
  [{ address: ' ' }, 'address', 'Enter the address on this network'],
  [{ network: 'bep20' }, 'address', 'This is not an address of the chosen network'],
  [{ address: `${wallet}x` }, 'address', 'This is not an address of the chosen network'],
  [{ address: `${wallet.slice(0, -1)}F` }, 'address', 'The QR code pays another address. Check both before you save.'],
  [{ type: 'regular' }, 'network', 'Only a crypto plan has a network'],
])('a crypto plan with %j is rejected at %s: %s', async (change, field, sentence) => {
  const response = await admin.send({ method: 'POST', path: '/api/v1/admin/create-payment-info', body: { ...cryptoPlan, ...change } })
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ fields: { [field]: sentence ?? (expect.any(String) as string) } })
  expect(await plansNow()).toEqual([])
})

test('the network and the address of the crypto plan are shown to buyers, kept by a change without them, and logged', async () => {
  await admin.client.plans.create({ body: { ...cryptoPlan, address: ` ${wallet} ` } })
  const [created] = await plansNow()
  expect(created).toMatchObject({ network: 'trc20', address: wallet })
  const { network: _, address: __, ...asSpecified } = cryptoPlan
  const change = (body: object) =>
    admin.send({ method: 'PUT', path: '/api/v1/admin/update-payment-info', body: { ...asSpecified, id: created?._id, ...body } })
  expect((await change({ price: 50 })).statusCode).toBe(200)
  expect((await plansNow())[0]).toMatchObject({ price: 50, network: 'trc20', address: wallet })
  expect((await change({ qrcodeUrl: otherQr, network: 'erc20', address: '0x55d398326f99059fF775485246999027B3197955' })).statusCode).toBe(
    200,
  )
  expect((await plansNow())[0]).toMatchObject({ network: 'erc20' })
  expect((await change({ network: null, address: null })).statusCode).toBe(200)
  expect((await plansNow())[0]).toMatchObject({ network: null, address: null })
  expect((await auditNow()).map(({ details }) => details)).toMatchObject([
    { after: { network: 'trc20', address: wallet } },
    { before: { network: 'trc20' }, after: { network: 'trc20' } },
    { before: { network: 'trc20' }, after: { network: 'erc20' } },
    { before: { network: 'erc20' } },
  ])
})

test('one plan of each type [spec 5.7]', async () => {
  await admin.client.plans.create({ body: regular })
  const message = 'A regular payment plan already exists. You can only have one regular plan at a time.'
  await expect(admin.client.plans.create({ body: regular })).rejects.toMatchObject({ status: 409, message, fields: { type: message } })
  await admin.client.plans.create({ body: { ...regular, type: 'crypto' } })
  await expect(admin.client.plans.create({ body: { ...regular, type: 'crypto' } })).rejects.toMatchObject({
    message: 'A crypto payment plan already exists. You can only have one crypto plan at a time.',
  })
})

test('twenty parallel creations create one plan and one log row', async () => {
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => admin.client.plans.create({ body: regular })))
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as { status: number }).status] : []))
  expect(refused).toEqual(Array.from({ length: 19 }, () => 409))
  expect(await plansNow()).toHaveLength(1)
  expect(await auditNow()).toHaveLength(1)
})

test('an edit is rejected for an unknown plan, another type and an old version', async () => {
  await admin.client.plans.create({ body: regular })
  const [plan] = await plansNow()
  const edit = { id: plan?._id ?? '', month: 6, price: 4999, qrcodeUrl: otherQr }
  for (const id of [randomUUID(), 'x']) {
    await expect(admin.client.plans.update({ body: { ...edit, id } })).rejects.toMatchObject({
      status: 404,
      message: 'This plan does not exist any more. Please reload.',
    })
  }
  await expect(admin.client.plans.update({ body: { ...edit, type: 'crypto' } })).rejects.toMatchObject({
    status: 400,
    message: 'The type of a plan cannot be changed',
  })
  await expect(admin.client.plans.update({ body: { ...edit, version: 2 } })).rejects.toMatchObject({
    status: 409,
    message: 'Another admin has changed this plan. Please reload.',
  })
  await expect(admin.client.plans.update({ body: { ...edit, price: 0 } })).rejects.toMatchObject({
    status: 400,
    message: 'Price must be greater than 0',
  })
  expect(await plansNow()).toEqual([plan])
})

test('an edit replaces the values, increments the version and logs both sides', async () => {
  await admin.client.plans.create({ body: regular })
  const [plan] = await plansNow()
  server.clock.nowMs += 60_000
  const reply = await admin.client.plans.update({
    body: { id: plan?._id ?? '', type: 'regular', version: 1, month: 6, price: 4999, qrcodeUrl: otherQr },
  })
  expect(reply).toMatchObject({ success: true, message: 'Payment info updated successfully' })
  expect(await plansNow()).toMatchObject([
    {
      _id: plan?._id,
      month: 6,
      price: 4999,
      payee: 'upi://pay?pa=other@okaxis&pn=Other',
      version: 2,
      updatedAt: '2026-11-20T06:01:00.000Z',
    },
  ])
  const [, row] = await auditNow()
  expect(row).toMatchObject({
    action: 'plan-updated',
    details: {
      before: { months: 3, payee: upiText, version: 1 },
      after: { months: 6, payee: 'upi://pay?pa=other@okaxis&pn=Other', version: 2 },
    },
  })
  const details = row?.details as { before: { image: string }; after: { image: string } }
  expect(details.before.image).not.toBe(details.after.image)
  expect((await admin.client.plans.lastChange()).data).toEqual({
    at: '2026-11-20T06:01:00.000Z',
    actor: adminUser.email,
    action: 'plan-updated',
  })
})

test('the stored image sent back is kept byte for byte', async () => {
  await admin.client.plans.create({ body: regular })
  const [plan] = await plansNow()
  await admin.client.plans.update({ body: { id: plan?._id ?? '', month: 4, price: 1, qrcodeUrl: plan?.qrcodeUrl ?? '' } })
  expect((await plansNow())[0]).toMatchObject({ qrcodeUrl: plan?.qrcodeUrl, payee: plan?.payee, month: 4 })
})

test('of two admins who edit the same version one gets a conflict', async () => {
  await admin.client.plans.create({ body: regular })
  const [plan] = await plansNow()
  const edits = [5, 7].map((month) =>
    admin.client.plans.update({ body: { id: plan?._id ?? '', version: 1, month, price: 10, qrcodeUrl: qr } }),
  )
  const results = await Promise.allSettled(edits)
  expect(
    results
      .map((result) => (result.status === 'rejected' ? (result.reason as { status: number }).status : 200))
      .toSorted((one, other) => one - other),
  ).toEqual([200, 409])
  expect((await plansNow())[0]?.version).toBe(2)
  expect(await auditNow()).toHaveLength(2)
})

test('a plan is removed once, and its type is free again', async () => {
  expect((await admin.client.plans.lastChange()).data).toBeNull()
  await admin.client.plans.create({ body: regular })
  const [plan] = await plansNow()
  const reply = await admin.client.plans.remove({ params: { id: plan?._id ?? '' } })
  expect(reply).toMatchObject({ success: true, message: 'Payment info deleted successfully' })
  await expect(admin.client.plans.remove({ params: { id: plan?._id ?? '' } })).rejects.toMatchObject({
    status: 404,
    message: 'This plan does not exist any more. Please reload.',
  })
  expect(await plansNow()).toEqual([])
  expect((await auditNow()).map((row) => row.action)).toEqual(['plan-created', 'plan-deleted'])
  await admin.client.plans.create({ body: regular })
})

test('an image is read as a save would', async () => {
  const { data } = await admin.client.plans.readImage({ body: { qrcodeUrl: await qrDataUrl(upiText, 'jpeg') } })
  expect(data.payee).toBe(upiText)
  expect(data.qrcodeUrl).toMatch(/^data:image\/png;base64,/)
  expect(
    (await admin.client.plans.readImage({ body: { qrcodeUrl: dataUrlOf(pngFile(50, 50, Buffer.alloc(2550)), 'png') } })).data.payee,
  ).toBeNull()
  await expect(admin.client.plans.readImage({ body: { qrcodeUrl: 'data:image/svg+xml;base64,AAAA' } })).rejects.toMatchObject({
    status: 400,
    message: 'Invalid file type. Only JPEG, PNG, GIF, and WebP images are allowed.',
  })
})

test('changes need a password confirmed in the last 15 minutes, reading does not', async () => {
  await admin.client.plans.create({ body: regular })
  const [plan] = await plansNow()
  const id = plan?._id ?? ''
  server.clock.nowMs += 15 * 60_000 + 1
  const acts = [
    () => admin.client.plans.create({ body: { ...regular, type: 'crypto' } }),
    () => admin.client.plans.update({ body: { id, month: 1, price: 1, qrcodeUrl: qr } }),
    () => admin.client.plans.remove({ params: { id } }),
  ]
  for (const act of acts)
    await expect(act()).rejects.toMatchObject({
      status: 403,
      code: 'admin.confirmPassword',
      message: 'Please confirm your password to continue',
    })
  expect(await plansNow()).toEqual([plan])
  await admin.client.passwords.confirm({ body: { password: testPassword } })
  for (const act of acts) await act()
  expect((await plansNow()).map((left) => left.type)).toEqual(['crypto'])
})
