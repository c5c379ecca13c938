// UDF keys through the API: what they do not grant first, then a program that has only a base URL.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { premiumColumns, startMs, testApp, type Browser, type TestApp } from '#server/testing/app.ts'
import { udfProblemSchema } from '#shared/udf/contract.ts'
import type { UdfKey } from '#shared/udf/key-contract.ts'
import { UdfKeyService } from './udf-key-service.ts'

const minuteMs = 60_000
const made = 'K'.repeat(43)

let server: TestApp
let user: { id: string; email: string }
let browser: Browser
beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  user = await server.addUser({ ...premiumColumns, name: 'Asha' })
  browser = await signedIn(user.email)
})
afterAll(() => server.close())

async function signedIn(email: string): Promise<Browser> {
  const one = server.browser()
  await one.signIn(email)
  return one
}

const create = async (name = 'OpenBB', by = browser) => (await by.client.udfKeys.create({ body: { name } })).data
const list = async (): Promise<UdfKey[]> => (await browser.client.udfKeys.list()).data
const get = (path: string, headers: Record<string, string> = {}) => server.browser().send({ method: 'GET', path, headers })
const withKey = (key: string, path: string) => get(`/udf/k/${key}/${path}`)
const premiumSymbol = 'symbols?symbol=BTC/USDT'
const change = (values: object) => server.database.db.updateTable('users').set(values).where('id', '=', user.id).execute()
const acts = async () =>
  (await server.database.db.selectFrom('audit_log').select(['actor', 'action', 'target', 'details']).orderBy('id').execute()).filter(
    ({ action }) => action.startsWith('udf-key'),
  )

describe('creating a key', () => {
  test('needs a session, with a password confirmed in the last 15 minutes', async () => {
    const visitor = server.browser()
    await expect(visitor.client.udfKeys.list()).rejects.toMatchObject({ status: 401 })
    await expect(create('OpenBB', visitor)).rejects.toMatchObject({ status: 401 })
    server.clock.nowMs += 16 * minuteMs
    await expect(create()).rejects.toMatchObject({ status: 403, code: 'admin.confirmPassword' })
    expect(await list()).toEqual([])
    expect(await acts()).toEqual([])
  })

  test.each([
    ['', 'Enter a name.'],
    ['   ', 'Enter a name.'],
    ['a'.repeat(61), 'Use 60 characters or fewer.'],
  ])('needs a name of 1 to 60 characters: %j', async (name, message) => {
    await expect(create(name)).rejects.toMatchObject({ status: 400, fields: { name: message } })
  })

  test('is limited to five, also concurrently', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => create(`Key ${index}`)))
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }): unknown => reason)
    expect(refused).toHaveLength(3)
    for (const reason of refused) expect(reason).toMatchObject({ status: 409, message: 'You can have up to 5 keys. Revoke one first.' })
    expect(await list()).toHaveLength(5)
  })

  test('returns it once; the list has its prefix, and the database its hash', async () => {
    const { id, key } = await create()
    expect(key).toMatch(/^tezi_udf_[\w-]{43}$/)
    const shown = { id, name: 'OpenBB', prefix: key.slice(0, 13), createdAt: new Date(startMs).toISOString(), lastUsedAt: null }
    expect(await list()).toEqual([shown])
    const [row] = await server.database.db.selectFrom('udf_keys').selectAll().execute()
    expect(JSON.stringify(row)).not.toContain(key.slice(13))
    expect(row?.key_hash.includes(key.slice(9))).toBe(false)
    expect(await acts()).toEqual([
      { actor: user.email, action: 'udf-key-created', target: user.email, details: { name: 'OpenBB', prefix: key.slice(0, 13) } },
    ])
    await expect.poll(() => server.outbox.mails).toMatchObject([{ to: user.email, subject: 'Tezi: UDF key created' }])
    expect(server.outbox.mails[0]?.text).not.toContain('tezi_udf_')
  })

  test('under an Idempotency-Key stores no readable key', async () => {
    const call = { method: 'POST', path: '/api/v1/user/udf-keys', body: { name: 'OpenBB' }, headers: { 'idempotency-key': 'once' } }
    expect((await browser.send(call)).statusCode).toBe(201)
    expect(await server.database.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
  })
})

describe('revoking a key', () => {
  test("is not possible for another user's, an unknown and a malformed one", async () => {
    const { id, key } = await create()
    const other = await signedIn((await server.addUser()).email)
    await expect(other.client.udfKeys.revoke({ params: { id } })).rejects.toMatchObject({ status: 404 })
    const unknown = '6f1c1d5e-0b7e-4a51-9f3e-0d6f0a6b1a01'
    await expect(browser.client.udfKeys.revoke({ params: { id: unknown } })).rejects.toMatchObject({ status: 404 })
    await expect(browser.client.udfKeys.revoke({ params: { id: 'x' } })).rejects.toMatchObject({ status: 400 })
    expect((await withKey(key, 'config')).statusCode).toBe(200)
  })

  test('closes it immediately, without a password, and keeps the others', async () => {
    const [first, second] = [await create('First'), await create('Second')]
    server.clock.nowMs += 16 * minuteMs
    expect(await browser.client.udfKeys.revoke({ params: { id: first.id } })).toMatchObject({ success: true, message: 'UDF key revoked' })
    expect([(await withKey(first.key, 'config')).statusCode, (await withKey(second.key, 'config')).statusCode]).toEqual([401, 200])
    expect((await list()).map(({ name }) => name)).toEqual(['Second'])
    expect((await acts()).at(-1)).toMatchObject({ action: 'udf-key-revoked', details: { name: 'First' } })
    await expect(browser.client.udfKeys.revoke({ params: { id: first.id } })).rejects.toMatchObject({ status: 404 })
  })
})

describe('a key', () => {
  test.each(['', 'x', made, `tezi_udf_${made}`, `TEZI_UDF_${made}`, `tezi_udf_${made}A`, 'tezi_udf_', '%00', 'a'.repeat(200)])(
    'that is %j grants nothing',
    async (key) => {
      const answer = await withKey(key, 'config')
      expect([400, 401, 404]).toContain(answer.statusCode)
      expect(answer.body).not.toContain('supports_search')
    },
  )

  test('is rejected in the UDF error format, readable by any origin', async () => {
    const answer = await withKey(`tezi_udf_${made}`, 'history?symbol=NIFTY&resolution=1&to=1')
    expect(answer.statusCode).toBe(401)
    expect(udfProblemSchema.strict().parse(answer.json())).toMatchObject({ s: 'error', errmsg: 'This UDF key is not valid' })
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  test('is not the token or the cookie of a session', async () => {
    const [cookie = ''] = browser.cookies.values()
    for (const secret of [browser.sessionToken ?? '', cookie, `tezi_udf_${browser.sessionToken ?? ''}`])
      expect((await withKey(secret, 'config')).statusCode).toBe(401)
    // Nor do they work next to an invalid key.
    expect((await browser.send({ method: 'GET', path: `/udf/k/tezi_udf_${made}/config` })).statusCode).toBe(401)
  })

  test('is accepted only in the path below /udf/k, for reading only', async () => {
    const { key } = await create()
    const elsewhere: [string, Record<string, string>][] = [
      ['/udf/config', { 'session-token': key, cookie: `tezi_session=${key}` }],
      ['/udf/config', { authorization: `Bearer ${key}` }],
      [`/udf/config?key=${key}`, {}],
      [`/udf/config?token=${key}`, {}],
      [`/udf/${key}/config`, {}],
      [`/api/v1/user?key=${key}`, { 'session-token': key, cookie: `tezi_session=${key}` }],
      [`/api/v1/k/${key}/user`, {}],
      [`/udf/k/${key}/../../../api/v1/user`, {}],
      [`/udf/k/${key}/user`, {}],
    ]
    for (const [path, headers] of elsewhere) expect([401, 404]).toContain((await get(path, headers)).statusCode)
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await server.browser().send({ method, path: `/udf/k/${key}/config` })
      expect([405, 415]).toContain(answer.statusCode)
    }
  })

  test('has the rights of its owner at the time of the request', async () => {
    const { key } = await create()
    const statuses = async () => [(await withKey(key, premiumSymbol)).statusCode, (await withKey(key, 'symbols?symbol=NIFTY')).statusCode]
    expect(await statuses()).toEqual([200, 200])
    await change({ status: 'cancel' })
    expect(await statuses()).toEqual([403, 200])
    await change({ status: 'paid' })
    await change({ consent_withdrawn_at: new Date(startMs) })
    expect(await statuses()).toEqual([403, 200])
    await change({ consent_withdrawn_at: null, password_is_temporary: true })
    expect(await statuses()).toEqual([403, 200])
    await change({ password_is_temporary: false })
    expect(await statuses()).toEqual([200, 200])
    server.clock.nowMs = premiumColumns.premium_end.getTime()
    expect(await statuses()).toEqual([403, 200])
    await server.database.db.deleteFrom('users').where('id', '=', user.id).execute()
    expect(await statuses()).toEqual([401, 401])
  })

  test('is never written to a log, whatever the outcome of the request', async () => {
    const { key } = await create()
    const secret = key.slice(9)
    for (const path of [
      `/udf/k/${key}/config`,
      `/udf/k/${key}/history?symbol=NO&resolution=1&to=1`,
      `/udf/k/${key}/nothing`,
      `/udf/k/${key}`,
      `/udf/${key}/config`,
      `/UDF/K/${key}/config`,
      `//udf//k//${key}/config`,
      `/api/v1/udf/k/${key}/config?x=${key}`,
      `/udf/k/tezi%5Fudf%5F${secret}/nothing`,
      `/udf/k/${secret}/nothing`,
      `/udf/k/${key}/%zz`,
    ])
      await get(path)
    await browser.send({ method: 'POST', path: `/udf/k/${key}/config` })
    server.app.log.error({ err: new Error(`failed at /udf/k/${key}/config`) }, 'request failed')
    const logged = server.logLines.join('')
    expect(logged).toContain('/udf/k/:key/config')
    expect(logged).toContain('[redacted]')
    expect(logged).not.toContain(secret)
    const audit = await server.database.db.selectFrom('audit_log').selectAll().execute()
    expect(JSON.stringify(audit)).not.toContain(secret)
  })

  test('has its own rate limit: a burst, then four a second; another key has its own', async () => {
    let monotonicMs = 0
    const keys = new UdfKeyService({
      db: server.database.db,
      now: () => server.clock.nowMs,
      monotonic: () => monotonicMs,
      mails: { send: () => undefined, run: () => undefined, settle: () => Promise.resolve() },
      brandName: 'Tezi',
      hasRateLimits: true,
      needsAdminFactor: false,
    })
    const [one, other] = [(await create('One')).key, (await create('Other')).key]
    for (let request = 0; request < 120; request += 1) await keys.ownerOf(one)
    await expect(keys.ownerOf(one)).rejects.toMatchObject({ status: 429, details: { retryAfterSeconds: 1 } })
    expect((await keys.ownerOf(other))._id).toBe(user.id)
    monotonicMs += 250
    expect((await keys.ownerOf(one))._id).toBe(user.id)
    await expect(keys.ownerOf(one)).rejects.toMatchObject({ status: 429 })
  })

  test('uses the candle budget of its owner, together with the session', async () => {
    const { key } = await create()
    const path = 'history?symbol=btc-usdt&resolution=1D&from=0&to=1795000000&countback=1000000'
    const answers = [await withKey(key, path)]
    while (answers.at(-1)?.statusCode === 200 && answers.length < 40) answers.push(await withKey(key, path))
    expect(answers.at(-1)?.statusCode).toBe(429)
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await browser.send({ method: 'GET', path: `/udf/${path}` })).statusCode).toBe(429)
  })

  test('shows its last use, at most a minute behind', async () => {
    const { key } = await create()
    await withKey(key, 'time')
    const firstUse = new Date(startMs).toISOString()
    expect((await list())[0]?.lastUsedAt).toBe(firstUse)
    server.clock.nowMs += minuteMs
    await withKey(key, 'time')
    expect((await list())[0]?.lastUsedAt).toBe(firstUse)
    server.clock.nowMs += 1
    await withKey(key, 'time')
    expect((await list())[0]?.lastUsedAt).toBe(new Date(startMs + minuteMs + 1).toISOString())
  })
})

test('a program gets from the configuration to bars with only its base URL', async () => {
  const baseUrl = `/udf/k/${(await create()).key}`
  const page = { origin: 'https://charts.example', 'sec-fetch-site': 'cross-site' }
  const ask = async (path: string) => {
    const answer = await get(`${baseUrl}/${path}`, page)
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, '*'])
    expect(answer.headers).toMatchObject({ 'cross-origin-resource-policy': 'cross-origin', 'cache-control': 'no-store' })
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
    expect(answer.cookies).toEqual([])
    return answer.json<never>()
  }
  const config: { supported_resolutions: string[]; supports_search: boolean } = await ask('config')
  expect(config.supports_search).toBe(true)
  const [found]: { ticker: string }[] = await ask('search?query=btc&type=&exchange=&limit=5')
  const symbol: { ticker: string; supported_resolutions: string[] } = await ask(`symbols?symbol=${found?.ticker}`)
  const nowSeconds: number = await ask('time')
  expect(symbol.supported_resolutions).toContain('60')
  const bars: { s: string; t: number[]; c: number[] } = await ask(
    `history?symbol=${symbol.ticker}&resolution=60&from=${nowSeconds - 36_000}&to=${nowSeconds}&countback=10`,
  )
  expect([bars.s, bars.t.length, bars.c.length]).toEqual(['ok', 10, 10])
  const session = await browser.send({ method: 'GET', path: '/udf/config', headers: page })
  expect(session.headers).not.toHaveProperty('access-control-allow-origin')
})
