// Prices of a user's own broker: live for that user only.
import { expect, onTestFinished, test } from 'vitest'
import { minuteMs } from '#shared/base/durations.ts'
import { parseLicences } from '#server/features/market-data/licences.ts'
import { testApp, type TestApp, type TestAppOptions } from '#server/testing/app.ts'
import { addPremium, connectKite, fakeBrokers, kiteApps, loginStateOf, type FakeBrokers } from '#server/testing/brokers.ts'
import { listenForLive, openLive, type Watcher } from '#server/testing/live.ts'
import { addMember, type Member } from '#server/testing/subscriptions.ts'
import { expectNoSecret } from '../feeds/testing/secrets.ts'
import { openAlgoTestKey } from '../feeds/testing/fake-openalgo-server.ts'

interface World {
  readonly server: TestApp
  readonly brokers: FakeBrokers
  readonly url: string
  readonly watch: (member: Member, slug?: string) => Promise<Watcher>
  /** Advances the market and the app's clock. */
  readonly play: (ms: number) => Promise<void>
}

async function start(options: TestAppOptions = {}): Promise<World> {
  const brokers = await fakeBrokers()
  const server = await testApp({ market: { hasDemo: false }, ...options, brokers: brokers.settings })
  const url = await listenForLive(server.app)
  const watchers: Watcher[] = []
  onTestFinished(async () => {
    for (const watcher of watchers) watcher.socket.terminate()
    await server.close()
  })
  return {
    server,
    brokers,
    url,
    async watch(member, slug = 'reliance') {
      const watcher = await openLive(url, member.browser)
      watchers.push(watcher)
      watcher.send({ t: 'sub', id: 1, slug, timeframe: '1', bars: 200 })
      return watcher
    },
    async play(ms) {
      for (let passed = 0; passed < ms; passed += 1000) {
        server.clock.nowMs += 1000
        await Promise.all([brokers.kite.play(1000), brokers.openAlgo.play(1000)])
      }
    },
  }
}

const candlesOf = async ({ browser }: Member, slug = 'reliance') =>
  (await browser.client.marketData.candles({ params: { slug }, query: { timeframe: '1', limit: 500 } })).data

const ownLabel = { mode: 'live', source: 'Zerodha Kite (your account)', delayMinutes: 0, proxy: null }
/** The label of a subscriber's last frame. */
function labelNow({ frames }: Watcher) {
  for (const frame of frames.toReversed()) if ('condition' in frame) return frame.condition.label
  return undefined
}

const nothing = { source: null, label: null, candles: [] }

test('history comes from the broker, is correct, and opens no live connection', async () => {
  const { server, brokers } = await start()
  const asha = await addPremium(server)
  expect(await candlesOf(asha)).toMatchObject(nothing)
  await connectKite(asha, brokers, 'app-of-asha')
  const found = await candlesOf(asha)
  expect(found).toMatchObject({ source: 'kite', label: ownLabel, reason: null })
  const nowMs = server.clock.nowMs
  const truth = brokers.kite.expected('NSE:RELIANCE', nowMs - 3 * 60 * minuteMs, nowMs)
  expect(found.candles.map(([timeMs, , , , close, volume]) => [timeMs, close, volume])).toEqual(
    truth.map(({ timeMs, close, volume }) => [timeMs, close, volume]),
  )
  expect(brokers.kite.dials.total).toBe(0)
  // The shared source is used for what the broker lacks.
  expect(await candlesOf(asha, 'es')).toMatchObject(nothing)
})

test('the live candle is theirs, over one connection to the broker for all their pages, which ends with the last', async () => {
  const { server, brokers, watch, play } = await start()
  const asha = await addPremium(server)
  await connectKite(asha, brokers, 'app-of-asha')
  const [one, other] = [await watch(asha), await watch(asha)]
  expect((await one.next('snap')).condition).toMatchObject({ label: ownLabel, sessionClass: 'nse-equity' })
  await expect.poll(() => brokers.kite.dials.open).toBe(1)
  const update = one.next('upd')
  await play(20_000)
  const { c: candles, k } = await update
  expect(k).toMatch(/^own:reliance:1/)
  const traded = brokers.kite.truth.trades('NSE:RELIANCE').map(({ price }) => price)
  for (const [, , , , close] of candles) expect(traded).toContain(close)
  expect(brokers.kite.dials).toEqual({ total: 1, open: 1 })
  one.close()
  other.close()
  await expect.poll(() => brokers.kite.dials.open, { timeout: 30_000 }).toBe(0)
})

test('users without a connection, free users and other users get none of it', async () => {
  const { server, brokers, watch, play } = await start()
  const [asha, ravi, without] = [await addPremium(server), await addPremium(server), await addPremium(server)]
  const free = await addMember(server)
  await connectKite(asha, brokers, 'app-of-asha')
  const body = { url: brokers.openAlgo.restUrl, apiKey: openAlgoTestKey }
  await ravi.browser.client.brokers.connectOpenAlgo({ body })
  const watchers = { asha: await watch(asha), ravi: await watch(ravi), without: await watch(without), free: await watch(free) }
  expect((await watchers.free.next('end')).code).toBe('http.premiumRequired')
  expect((await watchers.asha.next('snap')).condition.label?.source).toBe('Zerodha Kite (your account)')
  expect((await watchers.ravi.next('snap')).condition.label?.source).toBe('OpenAlgo (your account)')
  expect((await watchers.without.next('snap')).condition.label).toBeNull()
  await Promise.all([watchers.asha.next('upd'), watchers.ravi.next('upd'), play(20_000)])
  expect(watchers.without.frames.filter(({ t }) => t === 'upd')).toEqual([])
  expect(await candlesOf(without)).toMatchObject(nothing)
  // The two brokers have different prices, so candles show their origin.
  for (const [, , high, low] of (await candlesOf(asha)).candles) expect([high < 1700, low > 1200]).toEqual([true, true])
  for (const [, , high, low] of (await candlesOf(ravi)).candles) expect([high < 2300, low > 1800]).toEqual([true, true])
  expect(await free.browser.send({ method: 'GET', path: '/api/v1/market/candles/reliance' })).toMatchObject({ statusCode: 403 })
})

test('the chart configuration has real prices for that user only', async () => {
  const { server, brokers } = await start()
  const [asha, without] = [await addPremium(server), await addPremium(server)]
  await connectKite(asha, brokers, 'app-of-asha')
  const nativeOf = async ({ browser }: Member) => (await browser.client.chart.config({ params: { slug: 'reliance' } })).data.native
  expect([await nativeOf(asha), await nativeOf(without)]).toEqual(['real', 'none'])
})

test('nothing of it is stored', async () => {
  const { server, brokers, watch, play } = await start()
  const asha = await addPremium(server)
  await connectKite(asha, brokers, 'app-of-asha')
  const watcher = await watch(asha)
  await watcher.next('snap')
  await Promise.all([watcher.next('upd'), play(70_000)])
  expect((await candlesOf(asha)).candles.length).toBeGreaterThan(50)
  expect(await server.database.db.selectFrom('candles').selectAll().limit(1).execute()).toEqual([])
})

test('at 06:00 the prices end, on an open page as well, and are back after one renewal', async () => {
  const { server, brokers, watch } = await start()
  const asha = await addPremium(server)
  await connectKite(asha, brokers, 'app-of-asha')
  const watcher = await watch(asha)
  expect((await watcher.next('snap')).condition.label).toEqual(ownLabel)
  server.clock.nowMs = Date.parse('2026-11-21T06:00:00+05:30')
  expect(await candlesOf(asha)).toMatchObject(nothing)
  await expect.poll(() => labelNow(watcher), { timeout: 30_000 }).toBeNull()
  await expect.poll(() => brokers.kite.dials.open, { timeout: 30_000 }).toBe(0)
  const { data } = await asha.browser.client.brokers.renewKite()
  const requestToken = brokers.kiteLogin.signIn('app-of-asha')
  await asha.browser.client.brokers.finishKite({ body: { requestToken, state: loginStateOf(data.loginUrl) } })
  await expect.poll(() => labelNow(watcher), { timeout: 30_000 }).toEqual(ownLabel)
})

test('a revoked key ends them too, and the account page says so', async () => {
  const { server, brokers } = await start()
  const asha = await addPremium(server)
  await connectKite(asha, brokers, 'app-of-asha')
  brokers.kiteLogin.revoke('app-of-asha')
  expect((await candlesOf(asha)).candles).toEqual([])
  const stateOf = async () => (await asha.browser.client.brokers.state()).data.connection
  await expect.poll(async () => (await stateOf())?.state).toBe('error')
  expect((await stateOf())?.message).toContain('no longer accepts')
  await expect.poll(async () => (await candlesOf(asha)).source).toBeNull()
})

test.each(['disconnect', 'suspend'] as const)('%s ends them immediately, on an open page as well', async (how) => {
  const { server, brokers, watch } = await start()
  const asha = await addPremium(server)
  await connectKite(asha, brokers, 'app-of-asha')
  const watcher = await watch(asha)
  expect((await watcher.next('snap')).condition.label).toEqual(ownLabel)
  await expect.poll(() => brokers.kite.dials.open).toBe(1)
  if (how === 'disconnect') {
    await asha.browser.client.brokers.disconnect()
    await expect.poll(() => labelNow(watcher), { timeout: 30_000 }).toBeNull()
    expect(await candlesOf(asha)).toMatchObject(nothing)
  } else {
    const values = { status: 'cancel', premium_end: new Date(server.clock.nowMs) } as const
    await server.database.db.updateTable('users').set(values).where('id', '=', asha.id).execute()
    expect((await watcher.next('end')).code).toBe('http.premiumRequired')
  }
  await expect.poll(() => brokers.kite.dials.open).toBe(0)
})

test('users without a connection keep the shared prices of a licensed source', async () => {
  const licences = parseLicences('nse=licensed:N,kite=licensed:K')
  if (typeof licences === 'string') throw new Error(licences)
  const { server, brokers } = await start({ market: { hasDemo: true, licences } })
  const [asha, ravi] = [await addPremium(server), await addPremium(server)]
  await connectKite(asha, brokers, 'app-of-asha')
  expect((await candlesOf(asha)).label).toEqual(ownLabel)
  expect((await candlesOf(ravi)).label).toMatchObject({ mode: 'demo' })
})

test('no secret is in a reply, a log line, the audit log or the export', async () => {
  const { server, brokers, watch, play } = await start()
  const asha = await addPremium(server)
  const replies: string[] = []
  const send = async (method: string, path: string, body?: object) => {
    const answer = await asha.browser.send({ method, path: `/api/v1${path}`, ...(body !== undefined && { body }) })
    replies.push(answer.body)
    return answer.json<{ data: { loginUrl: string } }>()
  }
  const app = { apiKey: 'app-of-asha', apiSecret: kiteApps['app-of-asha'] }
  const { data } = await send('POST', '/user/broker/kite', app)
  // Only the login page gets the app key, which its user knows anyway.
  replies.length = 0
  const requestToken = brokers.kiteLogin.signIn(app.apiKey)
  await send('POST', '/user/broker/kite/session', { requestToken: 'wrong', state: 'wrong' })
  await send('POST', '/user/broker/kite/session', { requestToken, state: loginStateOf(data.loginUrl) })
  await send('POST', '/user/broker/kite/session', { requestToken, state: loginStateOf(data.loginUrl) })
  await send('GET', '/user/broker')
  await send('GET', '/market/candles/reliance')
  const watcher = await watch(asha)
  await Promise.all([watcher.next('upd'), play(20_000)])
  // Zerodha's response to an unknown token.
  brokers.kiteLogin.revoke(app.apiKey)
  brokers.kite.faults.rejectDialWith = 403
  await brokers.kite.cut()
  await expect.poll(async () => JSON.stringify(await send('GET', '/user/broker')), { timeout: 30_000 }).toContain('error')
  brokers.kite.faults.rejectDialWith = undefined
  await send('DELETE', '/user/broker')
  await send('POST', '/user/broker/openalgo', { url: brokers.openAlgo.restUrl, apiKey: 'a-wrong-openalgo-key' })
  await send('POST', '/user/broker/openalgo', { url: brokers.openAlgo.restUrl, apiKey: openAlgoTestKey })
  await send('GET', '/market/candles/reliance')
  await send('GET', '/user/privacy/export')
  expect(replies.at(-1)).toContain('"broker": "openalgo"')
  const log = await server.database.db.selectFrom('audit_log').selectAll().execute()
  const secrets = [app.apiKey, app.apiSecret, openAlgoTestKey, 'a-wrong-openalgo-key', ...brokers.kiteLogin.tokens]
  expectNoSecret([replies, server.logLines, log, watcher.frames], secrets)
  expect(server.logLines.length).toBeGreaterThan(10)
})
