// A user's own broker over the API: permissions, both ways to connect, the daily login, and what is stored and returned.
import { expect, onTestFinished, test } from 'vitest'
import { secretBox } from '#server/secrets/secret-box.ts'
import { testApp, type Browser, type TestApp, type TestAppOptions } from '#server/testing/app.ts'
import { addPremium, connectKite, fakeBrokers, kiteApps, loginStateOf, type FakeBrokers } from '#server/testing/brokers.ts'
import { addMember } from '#server/testing/subscriptions.ts'
import { openAlgoTestKey } from '#server/features/market-data/feeds/testing/fake-openalgo-server.ts'

const key = 'app-of-asha'
const app = { apiKey: key, apiSecret: kiteApps[key] }

async function start(options: TestAppOptions['brokers'] = {}): Promise<{ server: TestApp; brokers: FakeBrokers }> {
  const brokers = await fakeBrokers()
  const server = await testApp({ brokers: { ...brokers.settings, ...options } })
  onTestFinished(() => server.close())
  return { server, brokers }
}

const changes = [
  ['POST', '/api/v1/user/broker/kite', app],
  ['POST', '/api/v1/user/broker/kite/login', undefined],
  ['POST', '/api/v1/user/broker/kite/session', { requestToken: 'r', state: 's' }],
  ['POST', '/api/v1/user/broker/openalgo', { url: 'https://algo.example.in', apiKey: 'k' }],
] as const

async function call(browser: Browser, [method, path, body]: (typeof changes)[number]): Promise<[status: number, code: string]> {
  const response = await browser.send({ method, path, ...(body !== undefined && { body }) })
  return [response.statusCode, response.json<{ code: string }>().code]
}

const rejectionOf = async (asked: Promise<unknown>): Promise<object> => {
  const [outcome] = await Promise.allSettled([asked])
  if (outcome.status === 'fulfilled') throw new Error('It was not refused')
  const { status, code, fields } = outcome.reason as { status: number; code: string; fields: object }
  return { status, code, ...(Object.keys(fields).length > 0 && { fields: Object.keys(fields) }) }
}

test('anonymous requests get 401, free users get 403 for connecting, and 404 without a connection', async () => {
  const { server } = await start()
  const stranger = server.browser()
  const free = await addMember(server)
  for (const change of changes) {
    expect(await call(stranger, change)).toEqual([401, 'auth.sessionMissing'])
    expect(await call(free.browser, change)).toEqual([403, 'http.premiumRequired'])
  }
  for (const method of ['GET', 'DELETE']) expect((await stranger.send({ method, path: '/api/v1/user/broker' })).statusCode).toBe(401)
  expect(await rejectionOf(free.browser.client.brokers.disconnect())).toEqual({ status: 404, code: 'brokers.notConnected' })
  expect((await free.browser.client.brokers.state()).data).toEqual({
    isOffered: true,
    hasKiteApp: false,
    redirectUrl: 'http://127.0.0.1:3000/account/broker',
    connection: null,
  })
  const { browser } = await addPremium(server)
  expect(await rejectionOf(browser.client.brokers.renewKite())).toEqual({ status: 404, code: 'brokers.notConnected' })
})

test('without an encryption key connecting is disabled, and the state says so', async () => {
  const { server } = await start({ box: undefined })
  const { browser } = await addPremium(server)
  for (const change of changes) expect(await call(browser, change)).toEqual([503, 'brokers.off'])
  expect((await browser.client.brokers.state()).data).toMatchObject({ isOffered: false, connection: null })
})

test('missing or invalid input is reported per field, and nothing is stored', async () => {
  const { server, brokers } = await start()
  const { browser } = await addPremium(server)
  const { client } = browser
  const invalid = (...fields: string[]) => ({
    status: 400,
    code: expect.stringMatching(/^brokers\.(fill|bad|keyRejected|notReached)/),
    fields,
  })
  expect(await rejectionOf(client.brokers.connectKite({ body: { apiSecret: 's' } }))).toEqual(invalid('apiKey'))
  expect(await rejectionOf(client.brokers.connectKite({ body: { apiKey: 'k', apiSecret: ' ' } }))).toEqual(invalid('apiSecret'))
  expect(await rejectionOf(client.brokers.connectOpenAlgo({ body: { apiKey: 'k' } }))).toEqual(invalid('url'))
  const url = brokers.openAlgo.restUrl
  expect(await rejectionOf(client.brokers.connectOpenAlgo({ body: { url } }))).toEqual(invalid('apiKey'))
  expect(await rejectionOf(client.brokers.connectOpenAlgo({ body: { url, apiKey: 'wrong' } }))).toEqual(invalid('apiKey'))
  brokers.openAlgo.faults.http = () => ({ status: 302, headers: { location: 'http://127.0.0.1/' }, body: '' })
  expect(await rejectionOf(client.brokers.connectOpenAlgo({ body: { url, apiKey: openAlgoTestKey } }))).toEqual(invalid('url'))
  const asked = brokers.openAlgo.requests.length
  for (const bad of [
    'algo',
    'http://algo.example.in',
    'https://127.0.0.1',
    'https://[::1]',
    'https://u:p@algo.example.in',
    'https://a.in/?q=1',
    'https://no-such-host.invalid',
    `https://${'a'.repeat(300)}.invalid`,
  ])
    expect(await rejectionOf(client.brokers.connectOpenAlgo({ body: { url: bad, apiKey: 'k' } }))).toEqual(invalid('url'))
  expect(brokers.openAlgo.requests).toHaveLength(asked)
  expect((await client.brokers.state()).data.connection).toBeNull()
})

test('attempts are rate limited: the twenty-first in an hour is rejected', async () => {
  const { server } = await start()
  const { browser } = await addPremium(server)
  for (let time = 0; time < 20; time += 1) await browser.client.brokers.connectKite({ body: app })
  expect(await rejectionOf(browser.client.brokers.connectKite({ body: app }))).toEqual({ status: 429, code: 'brokers.tooMany' })
  server.clock.nowMs += 3_600_000
  await browser.client.brokers.connectKite({ body: app })
})

test('a Zerodha login connects once, in time, in the session that started it, and for its user only', async () => {
  const { server, brokers } = await start()
  const { id, email, browser } = await addPremium(server)
  const { client } = browser
  const { data } = await client.brokers.connectKite({ body: app })
  const url = new URL(data.loginUrl)
  expect(url.origin + url.pathname).toBe('https://kite.test/connect/login')
  expect([url.searchParams.get('v'), url.searchParams.get('api_key')]).toEqual(['3', key])
  expect((await client.brokers.state()).data.connection).toMatchObject({ broker: 'kite', state: 'login', expiresAt: null })

  const state = loginStateOf(data.loginUrl)
  const requestToken = brokers.kiteLogin.signIn(key)
  const finish = (by: Browser, body = { requestToken, state }) => rejectionOf(by.client.brokers.finishKite({ body }))
  const ended = { status: 409, code: 'brokers.loginState' }
  expect(await finish(browser, { requestToken, state: '' })).toEqual(ended)
  expect(await finish(browser, { requestToken, state: 'A'.repeat(43) })).toEqual(ended)
  expect(await finish((await addPremium(server)).browser)).toEqual(ended)
  const elsewhere = server.browser()
  await elsewhere.signIn(email)
  expect(await finish(elsewhere)).toEqual(ended)
  expect(brokers.kite.requests).toEqual([])

  await client.brokers.finishKite({ body: { requestToken, state } })
  expect((await client.brokers.state()).data.connection).toEqual({
    broker: 'kite',
    state: 'connected',
    address: null,
    connectedAt: '2026-11-20T06:00:00.000Z',
    expiresAt: '2026-11-21T00:30:00.000Z',
    message: null,
  })
  expect(await finish(browser)).toEqual(ended)
  expect(await rejectionOf(client.brokers.connectKite({ body: app }))).toEqual({ status: 409, code: 'brokers.alreadyConnected' })
  const body = { url: brokers.openAlgo.restUrl, apiKey: openAlgoTestKey }
  expect(await rejectionOf(client.brokers.connectOpenAlgo({ body }))).toEqual({ status: 409, code: 'brokers.alreadyConnected' })
  const log = await server.database.db.selectFrom('audit_log').select(['action', 'target_id', 'details']).execute()
  expect(log).toEqual([{ action: 'broker-connected', target_id: id, details: { broker: 'kite' } }])
})

test('a login that is late, replaced by a newer one, or rejected by Zerodha does not connect', async () => {
  const { server, brokers } = await start()
  const { client } = (await addPremium(server)).browser
  const begin = async () => loginStateOf((await client.brokers.connectKite({ body: app })).data.loginUrl)
  const finish = (state: string, requestToken = brokers.kiteLogin.signIn(key)) =>
    rejectionOf(client.brokers.finishKite({ body: { requestToken, state } }))
  const [first, second] = [await begin(), await begin()]
  expect(await finish(first)).toEqual({ status: 409, code: 'brokers.loginState' })
  server.clock.nowMs += 10 * 60_000
  expect(await finish(second)).toEqual({ status: 409, code: 'brokers.loginState' })
  expect(await finish(await begin(), 'made-up')).toEqual({ status: 409, code: 'brokers.loginRejected' })
  const wrong = await client.brokers.connectKite({ body: { apiKey: key, apiSecret: 'wrong' } })
  expect(await finish(loginStateOf(wrong.data.loginUrl))).toEqual({ status: 409, code: 'brokers.loginRejected' })
  brokers.kite.faults.http = () => 'cut'
  expect(await finish(await begin())).toEqual({ status: 503, code: 'brokers.unreachable' })
  expect((await client.brokers.state()).data.connection).toMatchObject({ state: 'login' })
})

test('the session ends at 06:00, and one click renews it with the stored keys', async () => {
  const { server, brokers } = await start()
  const member = await addPremium(server)
  const { client } = member.browser
  await connectKite(member, brokers, key)
  server.clock.nowMs = Date.parse('2026-11-21T06:00:00+05:30')
  expect((await client.brokers.state()).data.connection).toMatchObject({ state: 'expired' })
  const { data } = await client.brokers.renewKite()
  expect(new URL(data.loginUrl).searchParams.get('api_key')).toBe(key)
  await client.brokers.finishKite({ body: { requestToken: brokers.kiteLogin.signIn(key), state: loginStateOf(data.loginUrl) } })
  expect((await client.brokers.state()).data.connection).toMatchObject({ state: 'connected', expiresAt: '2026-11-22T00:30:00.000Z' })
  const actions = await server.database.db.selectFrom('audit_log').select('action').orderBy('id').execute()
  expect(actions.map(({ action }) => action)).toEqual(['broker-connected', 'broker-renewed'])
})

test('with an operator app users do not enter keys', async () => {
  const { server, brokers } = await start({ kiteApp: app })
  const { client } = (await addPremium(server)).browser
  const { data } = await client.brokers.connectKite({ body: {} })
  await client.brokers.finishKite({ body: { requestToken: brokers.kiteLogin.signIn(key), state: loginStateOf(data.loginUrl) } })
  expect((await client.brokers.state()).data).toMatchObject({ hasKiteApp: true, connection: { state: 'connected' } })
})

test('an OpenAlgo instance is checked, stored and disconnected', async () => {
  const { server, brokers } = await start()
  const { client } = (await addPremium(server)).browser
  await client.brokers.connectOpenAlgo({ body: { url: ` ${brokers.openAlgo.restUrl}/ `, apiKey: openAlgoTestKey } })
  expect(brokers.openAlgo.requests.map(({ path }) => path)).toEqual(['/api/v1/intervals'])
  expect((await client.brokers.state()).data.connection).toMatchObject({
    broker: 'openalgo',
    state: 'connected',
    address: brokers.openAlgo.restUrl,
    expiresAt: null,
  })
  expect(await rejectionOf(client.brokers.renewKite())).toEqual({ status: 409, code: 'brokers.notKite' })
  await client.brokers.disconnect()
  expect((await client.brokers.state()).data.connection).toBeNull()
  expect(await rejectionOf(client.brokers.disconnect())).toMatchObject({ status: 404 })
  const actions = await server.database.db.selectFrom('audit_log').select('action').orderBy('id').execute()
  expect(actions.map(({ action }) => action)).toEqual(['broker-connected', 'broker-disconnected'])
})

test('stored credentials decrypt only for their account and with their key', async () => {
  const { server, brokers } = await start()
  const [asha, ravi] = [await addPremium(server), await addPremium(server)]
  await connectKite(asha, brokers, key)
  await connectKite(ravi, brokers, 'app-of-ravi')
  const { db } = server.database
  const rows = await db.selectFrom('broker_connections').selectAll().execute()
  for (const { secret } of rows)
    for (const text of [...Object.keys(kiteApps), ...Object.values(kiteApps)]) expect(secret.includes(text)).toBe(false)
  const ofAsha = rows.find(({ user_id }) => user_id === asha.id)
  await db
    .updateTable('broker_connections')
    .set({ secret: ofAsha?.secret ?? Buffer.alloc(0) })
    .where('user_id', '=', ravi.id)
    .execute()
  expect((await ravi.browser.client.brokers.state()).data.connection).toMatchObject({ state: 'error' })
  expect((await asha.browser.client.brokers.state()).data.connection).toMatchObject({ state: 'connected' })
  const other = secretBox(Buffer.alloc(32, 9), { purpose: 'broker connections' })
  const sealed = other.seal('{}', `broker:${asha.id}`)
  await db.updateTable('broker_connections').set({ secret: sealed }).where('user_id', '=', asha.id).execute()
  const { connection } = (await asha.browser.client.brokers.state()).data
  expect(connection).toMatchObject({ state: 'error', message: expect.stringContaining('another server key') as string })
  expect(await rejectionOf(asha.browser.client.brokers.renewKite())).toEqual({ status: 409, code: 'brokers.unreadable' })
  await asha.browser.client.brokers.disconnect()
})
