// The admin's list of users, its export, the overview and the audit log, through the API.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { addManyUsers } from '#server/testing/many-users.ts'
import { userFields } from '#server/testing/user-fields.ts'

let server: TestApp
let admin: Browser
let adminId: string

beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  const { id, email } = await server.addUser({
    role: 'admin',
    name: 'Chief',
    email: 'chief@example.in',
    created_at: new Date('2026-01-01T00:00:00Z'),
  })
  adminId = id
  admin = server.browser()
  await admin.signIn(email, testPassword)
})
afterAll(() => server.close())

const at = (text: string) => new Date(text)

/** Five users; created in this order, one a day. */
async function addFive(): Promise<void> {
  const people = [
    {
      name: 'Asha Rao',
      email: 'asha@example.in',
      premium_start: at('2026-10-01T10:00:00Z'),
      premium_end: at('2026-12-01T10:00:00Z'),
      status: 'paid',
      subscription_months: 2,
      utr_no: '628212345678',
      payment_type: 'upi',
    },
    {
      name: 'Bela_Sen',
      email: 'bela@example.in',
      premium_start: at('2026-09-30T18:30:00Z'),
      premium_end: at('2026-10-30T18:30:00Z'),
      status: 'cancel',
      subscription_months: 1,
    },
    { name: '100% Chand', email: 'chand@example.in' },
    { name: 'आशा देवी', email: 'devi@example.in', status: 'pending', utr_no: 'HDFCR52026112012345678' },
    {
      name: '=HYPERLINK("x")',
      email: 'evil@example.in',
      premium_start: at('2026-10-01T18:29:59.999Z'),
      premium_end: at('2026-11-24T00:00:00Z'),
      status: 'paid',
    },
  ] as const
  for (const [index, person] of people.entries()) await server.addUser({ ...person, created_at: new Date(Date.UTC(2026, 9, index + 1)) })
}

const names = (users: { email: string }[]) => users.map((user) => user.email.split('@')[0])
const list = async (query: Parameters<Browser['client']['admin']['users']>[0]['query']) => names(await admin.client.admin.users({ query }))

describe('the list', () => {
  beforeEach(addFive)

  test.each([
    ['page=0', 'page'],
    ['page=1.5', 'page'],
    ['page=x', 'page'],
    ['page=', 'page'],
    ['page=0x1', 'page'],
    ['page=1e0', 'page'],
    ['page=%201', 'page'],
    ['page=%2B1', 'page'],
    ['page=%EF%BC%91', 'page'],
    ['page=1&page=2', 'page'],
    ['perPage=0', 'perPage'],
    ['perPage=501', 'perPage'],
    ['sort=name', 'sort'],
    ['from=yesterday', 'from'],
    ['to=2026-02-30', 'to'],
    [`search=${'x'.repeat(101)}`, 'search'],
    ['from=2026-10-02&to=2026-10-01', 'to'],
  ])('%s is rejected', async (query, field) => {
    const response = await admin.send({ method: 'GET', path: `/api/v1/admin?${query}` })
    expect(response.statusCode).toBe(400)
    expect(Object.keys(response.json<{ fields: object }>().fields)).toEqual([field])
  })

  test('a reversed range of days says so at its end, also in the export', async () => {
    for (const path of ['/api/v1/admin', '/api/v1/admin/users.csv']) {
      const response = await admin.send({ method: 'GET', path: `${path}?from=2026-10-02&to=2026-10-01` })
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ fields: { to: 'The end date is before the start date' } })
    }
  })

  test('shows admins as premium, whatever became of their subscription', async () => {
    await server.addUser({ role: 'admin', email: 'lapsed@example.in', status: 'paid', premium_end: at('2026-01-01T00:00:00Z') })
    const users = await admin.client.admin.users({ query: {} })
    expect(users.filter(({ role }) => role === 'admin').map(({ isPremium }) => isPremium)).toEqual([true, true])
    expect((await admin.client.users.me()).isPremium).toBe(true)
  })

  test('shows who has two-factor sign-in, which only then can be reset', async () => {
    const { email } = await server.addUser({ email: 'guarded@example.in', second_factor_since: at('2026-10-09T00:00:00Z') })
    for (const query of [{ search: email }, { search: email, page: 1 }, {}]) {
      const users = await admin.client.admin.users({ query })
      expect(users.filter(({ hasSecondFactor }) => hasSecondFactor === true).map((user) => user.email)).toEqual([email])
    }
    expect((await admin.send({ method: 'GET', path: '/api/v1/admin?search=bela' })).json()).toEqual([
      expect.not.objectContaining({ hasSecondFactor: expect.anything() as unknown }),
    ])
  })

  test('is an array of all users, newest first, with the total and without secrets', async () => {
    const response = await admin.send({ method: 'GET', path: '/api/v1/admin' })
    expect(response.headers['x-total-count']).toBe('6')
    const users = response.json<Record<string, unknown>[]>()
    expect(users.map((user) => user['name'])).toEqual(['=HYPERLINK("x")', 'आशा देवी', '100% Chand', 'Bela_Sen', 'Asha Rao', 'Chief'])
    expect(Object.keys(users[0] ?? {}).toSorted()).toEqual(userFields)
    expect(users[4]).toMatchObject({ isPremium: true, status: 'paid', utrNo: '628212345678', premiumEndDate: '2026-12-01T10:00:00.000Z' })
    expect(users[3]).toMatchObject({ isPremium: false, status: 'cancel' })
    expect((await admin.send({ method: 'GET', path: '/api/v1/admin?search=zzzq' })).body).toBe('[]')
  })

  test.each(['', 'sort=asc', 'sort=desc', 'search=sharma', 'search=a', 'from=2026-01-01'])(
    'is streamed without a page, with the bytes of its pages in one array (%s)',
    async (query) => {
      await addManyUsers(server.database.db, { count: 1_203, domain: 'example.in', hasPaid: true })
      const get = (page: string) => admin.send({ method: 'GET', path: `/api/v1/admin?${query}${page}` })
      const pages = await Promise.all([1, 2, 3].map((page) => get(`&perPage=500&page=${page}`)))
      const inner = pages.map(({ body }) => body.slice(1, -1)).filter((text) => text !== '')
      const whole = await get('')
      expect(whole.body).toBe(`[${inner.join(',')}]`)
      expect(whole.headers['content-type']).toBe(pages[0]?.headers['content-type'])
      expect(whole.headers['x-total-count']).toBe(pages[0]?.headers['x-total-count'])
    },
  )

  test('is paged; 13 per page by default', async () => {
    expect(await list({ page: 1, perPage: 2 })).toEqual(['evil', 'devi'])
    expect(await list({ page: 2, perPage: 2 })).toEqual(['chand', 'bela'])
    expect(await list({ page: 4, perPage: 2 })).toEqual([])
    expect(await list({ page: 1_000_000, perPage: 500 })).toEqual([])
    for (let index = 0; index < 10; index += 1) await server.addUser()
    const response = await admin.send({ method: 'GET', path: '/api/v1/admin?page=1' })
    expect(response.json<unknown[]>()).toHaveLength(13)
    expect(response.headers['x-total-count']).toBe('16')
  })

  test('is searched by a substring of name, email or reference, in any case and script', async () => {
    expect(await list({ search: 'sha r' })).toEqual(['asha'])
    expect(await list({ search: 'BELA@' })).toEqual(['bela'])
    expect(await list({ search: '82123' })).toEqual(['asha'])
    expect(await list({ search: 'hdfcr' })).toEqual(['devi'])
    expect(await list({ search: ' देवी ' })).toEqual(['devi'])
    expect(await list({ search: '6282 1234 5678' })).toEqual(['asha'])
    expect(await list({ search: ' 6282\u00a01234 ' })).toEqual(['asha'])
    expect(await list({ search: '628212345678' })).toEqual(['asha'])
    expect(await list({ search: 'hdfcr5 20261120 12345678' })).toEqual(['devi'])
    expect(await list({ search: '6282 1234 9999' })).toEqual([])
    expect(await list({ search: 'nobody' })).toEqual([])
    expect(await list({ search: '' })).toHaveLength(6)
  })

  test('treats wildcards, quotes and backslashes literally', async () => {
    expect(await list({ search: '%' })).toEqual(['chand'])
    expect(await list({ search: '_' })).toEqual(['bela'])
    expect(await list({ search: '\\' })).toEqual([])
    expect(await list({ search: "' or 1=1 --" })).toEqual([])
    expect(await list({ search: '("x")' })).toEqual(['evil'])
  })

  test('is sorted by the start of premium, users without one at the end', async () => {
    expect(await list({ sort: 'asc' })).toEqual(['bela', 'asha', 'evil', ...(await list({ sort: 'asc' })).slice(3)])
    expect((await list({ sort: 'desc' })).slice(0, 3)).toEqual(['evil', 'asha', 'bela'])
    const paged = [...(await list({ sort: 'asc', page: 1, perPage: 4 })), ...(await list({ sort: 'asc', page: 2, perPage: 4 }))]
    expect(paged).toEqual(await list({ sort: 'asc' }))
  })

  test('is filtered by days of India', async () => {
    expect(await list({ from: '2026-10-01', to: '2026-10-01', sort: 'asc' })).toEqual(['bela', 'asha', 'evil'])
    expect(await list({ from: '2026-10-02' })).toEqual([])
    expect(await list({ to: '2026-09-30' })).toEqual([])
    expect(await list({ from: '2026-10-01', search: 'asha' })).toEqual(['asha'])
    const response = await admin.send({ method: 'GET', path: '/api/v1/admin?from=2026-10-01&perPage=1' })
    expect(response.headers['x-total-count']).toBe('3')
  })
})

describe('the export', () => {
  const csv = (query = '') => admin.send({ method: 'GET', path: `/api/v1/admin/users.csv${query}` })

  test('applies the filter, is spreadsheet-safe, and is logged', async () => {
    await addFive()
    const response = await csv('?from=2026-10-01&sort=asc')
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(response.headers['content-disposition']).toBe('attachment; filename="users.csv"')
    expect(response.headers['cache-control']).toContain('no-store')
    expect(response.body.split('\r\n')).toEqual([
      '\uFEFFName,Email,Phone,Premium,Status,Premium start,Months,Premium end,Payment type,UTR no',
      'Bela_Sen,bela@example.in,9876543210,regular,cancel,2026-09-30T18:30:00.000Z,1,2026-10-30T18:30:00.000Z,N/A,N/A',
      'Asha Rao,asha@example.in,9876543210,premium,paid,2026-10-01T10:00:00.000Z,2,2026-12-01T10:00:00.000Z,UPI,628212345678',
      '"\'=HYPERLINK(""x"")",evil@example.in,9876543210,premium,paid,2026-10-01T18:29:59.999Z,0,2026-11-24T00:00:00.000Z,N/A,N/A',
      '',
    ])
    const row = await server.database.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'users-exported')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ actor_id: adminId, details: { filter: { from: '2026-10-01', sort: 'asc' } } })
    expect((await csv('?sort=x')).statusCode).toBe(400)
  })

  test.each(['', '?sort=asc', '?sort=desc'])('of more than one batch contains every user once (%s)', async (query) => {
    // Sub-millisecond times, and equal times, are the hard cases of keyset paging.
    const { db } = server.database
    const people = Array.from({ length: 2300 }, (_, index) => ({
      name: `User ${index}`,
      email: `user-${index}@example.in`,
      phone: '9876543210',
      password_hash: 'none',
      created_at: new Date(Date.UTC(2026, 0, 1 + (index % 3))),
      premium_start: index % 4 === 0 ? null : new Date(Date.UTC(2026, 0, 1, 0, 0, 0, index % 5)),
    }))
    await db.insertInto('users').values(people).execute()
    const lines = (await csv(query)).body.trimEnd().split('\r\n').slice(1)
    expect(lines).toHaveLength(2301)
    expect(new Set(lines).size).toBe(2301)
  })
})

test('the overview counts users and adds up accepted payments by month and currency', async () => {
  await addFive()
  const { db } = server.database
  const { id } = await server.addUser({ status: 'pending', premium_end: at('2027-01-01T00:00:00Z') })
  const pay = (type: 'regular' | 'crypto', price_minor: number, decided: string, status: 'accepted' | 'declined' = 'accepted') =>
    db
      .insertInto('payment_requests')
      .values({
        user_id: id,
        type,
        months: 1,
        price_minor,
        rail: 'upi',
        reference_raw: 'x',
        reference: `${type}${price_minor}${decided}`,
        status,
        created_at: at(decided),
        decided_at: at(decided),
      })
      .execute()
  await pay('regular', 99_950, '2026-11-01T00:00:00Z')
  await pay('regular', 100, '2026-10-31T18:30:00Z')
  await pay('regular', 200, '2026-10-31T18:29:59Z')
  await pay('crypto', 4_999, '2026-11-10T00:00:00Z')
  await pay('regular', 7_000, '2025-11-30T18:30:00Z')
  await pay('regular', 9_000, '2025-11-30T18:29:59Z')
  await pay('regular', 5_000, '2026-11-10T00:00:00Z', 'declined')
  const { data } = await admin.client.admin.overview()
  expect(data).toMatchObject({ users: 7, premium: 3, pending: 2, expiringIn7Days: 1 })
  expect(data.revenue).toHaveLength(12)
  expect(data.revenue[0]).toEqual({ month: '2025-12', inr: 70, usd: 0 })
  expect(data.revenue.at(-2)).toEqual({ month: '2026-10', inr: 2, usd: 0 })
  expect(data.revenue.at(-1)).toEqual({ month: '2026-11', inr: 1000.5, usd: 49.99 })
})

describe('the log', () => {
  test('is listed newest first, 50 at a time', async () => {
    const entry = { at: at('2026-11-20T06:00:00Z'), actor: 'chief@example.in', action: 'sign-in', target: 'chief@example.in' }
    const entries = Array.from({ length: 61 }, () => ({ ...entry, address: '', details: '{}' }))
    await server.database.db.insertInto('audit_log').values(entries).execute()
    const first = (await admin.client.audit.list({ query: { action: 'all' } })).data
    expect(first).toHaveLength(50)
    const second = (await admin.client.audit.list({ query: { action: 'all', before: first.at(-1)?.id ?? '' } })).data
    expect(second).toHaveLength(12)
    const ids = [...first, ...second].map((row) => Number(row.id))
    expect(ids).toEqual(ids.toSorted((one, other) => other - one))
    await expect(admin.client.audit.list({ query: { before: '1 or 1=1' } })).rejects.toMatchObject({ status: 400 })
  })

  test('contains sign-ins, failed ones without the typed unknown email, and denied admin routes', async () => {
    const { id, email } = await server.addUser()
    const free = server.browser({ address: '198.51.100.9' })
    await expect(free.signIn(email, 'wrong-password')).rejects.toMatchObject({ status: 401 })
    await expect(free.signIn('my-secret@example.in', 'wrong-password')).rejects.toMatchObject({ status: 401 })
    await free.signIn(email, testPassword)
    await expect(free.client.admin.overview()).rejects.toMatchObject({ status: 403 })
    await expect(server.browser().client.admin.overview()).rejects.toMatchObject({ status: 401 })
    const { data } = await admin.client.audit.list({ query: { action: 'all' } })
    expect(data.slice(0, 4)).toMatchObject([
      { action: 'access-refused', actor: email, target: 'GET /admin/overview', address: '198.51.100.9' },
      { action: 'sign-in', actor: email, target: email },
      { action: 'sign-in-failed', actor: 'nobody', target: 'unknown account' },
      { action: 'sign-in-failed', actor: 'nobody', target: email },
    ])
    expect(JSON.stringify(data)).not.toContain('my-secret')
    const rows = await server.database.db
      .selectFrom('audit_log')
      .select('target_id')
      .where('action', '=', 'sign-in-failed')
      .orderBy('id')
      .execute()
    expect(rows.map((row) => row.target_id)).toEqual([id, null])
  })

  test('is not filled by one user who probes all day', async () => {
    const free = await server.signedIn()
    for (let time = 0; time < 35; time += 1) await free.send({ method: 'GET', path: '/api/v1/admin' })
    const rows = await server.database.db.selectFrom('audit_log').select('id').where('action', '=', 'access-refused').execute()
    expect(rows).toHaveLength(30)
  })
})
