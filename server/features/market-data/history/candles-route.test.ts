// The candles of an instrument through the API: access, format, and labels.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { premiumColumns, testApp, type Browser, type TestApp } from '#server/testing/app.ts'
import { minutesBetween } from '#server/testing/candles.ts'
import { resample } from '#shared/candles/resample.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import { liveServerText } from '#shared/market-data/text/en.ts'
import type { Feed, HistoryStep } from '../feed.ts'
import { parseLicences, type Licences } from '../licences.ts'

let server: TestApp
let premium: Browser
let free: Browser
beforeAll(async () => {
  server = await testApp()
  premium = await server.signedIn(premiumColumns)
  free = await server.signedIn()
})
afterAll(() => server.close())

const get = (browser: Browser, path: string) => browser.send({ method: 'GET', path: `/api/v1/market/candles/${path}` })

test('anonymous users, free users and unknown slugs are rejected', async () => {
  expect((await get(server.browser(), 'nifty')).statusCode).toBe(401)
  expect((await get(free, 'btc-usdt')).json()).toMatchObject({ statuscode: 403, code: 'http.premiumRequired' })
  expect((await get(premium, 'no-such')).json()).toMatchObject({ statuscode: 404, code: 'instruments.unknown' })
})

test.each([
  'timeframe=2',
  'timeframe=',
  'limit=0',
  'limit=5001',
  'limit=1.5',
  'limit=x',
  'to=-1',
  'to=1e18',
  'to=NaN',
  'timeframe=1&timeframe=5',
])('a query such as %s is rejected', async (query) => {
  expect((await get(free, `nifty?${query}`)).statusCode).toBe(400)
})

test('generated candles are always labelled DEMO, and are the newest ones', async () => {
  const { data } = await free.client.marketData.candles({ params: { slug: 'nifty' }, query: { timeframe: '5', limit: 50 } })
  expect(data).toMatchObject({ series: 'nifty', source: 'demo', label: { mode: 'demo' }, hasOlder: true, nowMs: server.clock.nowMs })
  expect(data.candles).toHaveLength(50)
  expect(data.candles.at(-1)?.[0]).toBe(Math.floor((server.clock.nowMs - minuteMs) / (5 * minuteMs)) * 5 * minuteMs)
  expect(data.candles.map(([timeMs]) => timeMs)).toEqual(data.candles.map((_, index) => (data.candles[0]?.[0] ?? 0) + index * 5 * minuteMs))
})

test('pages join without a duplicate, and two names of one instrument have the same prices', async () => {
  const ask = async (slug: string, to: number | undefined, limit: number) =>
    (await premium.client.marketData.candles({ params: { slug }, query: { timeframe: '60', limit, ...(to === undefined ? {} : { to }) } }))
      .data
  const whole = await ask('nifty', undefined, 30)
  const older = await ask('nifty50', whole.candles[10]?.[0], 10)
  expect(older.series).toBe('nifty')
  expect(older.candles).toEqual(whole.candles.slice(0, 10))
})

test('the first page of a source reports when its candles start', async () => {
  const ask = async (query: { timeframe: '1M'; limit: number; to?: number }) =>
    (await premium.client.marketData.candles({ params: { slug: 'nifty' }, query })).data
  const whole = await ask({ timeframe: '1M', limit: 5_000 })
  expect(whole).toMatchObject({ hasOlder: false, startsAtMs: whole.candles[0]?.[0] })
  expect(await ask({ timeframe: '1M', limit: 2 })).toMatchObject({ hasOlder: true, startsAtMs: null })
  expect(await ask({ timeframe: '1M', limit: 5, to: whole.candles[0]?.[0] ?? 0 })).toMatchObject({ candles: [], startsAtMs: null })
})

test('nothing of the demo is ever stored', async () => {
  await premium.client.marketData.candles({ params: { slug: 'btc-usdt' }, query: { limit: 5_000 } })
  expect(await server.database.db.selectFrom('candles').select('series').execute()).toEqual([])
})

test('without a source there are no candles, but a reason', async () => {
  const bare = await testApp({ market: { hasDemo: false } })
  try {
    const browser = await bare.signedIn()
    const { data } = await browser.client.marketData.candles({ params: { slug: 'nifty' }, query: {} })
    expect(data).toMatchObject({ source: null, label: null, candles: [], hasOlder: false })
    expect(data.reason).toMatch(/\w/)
    expect(data).not.toHaveProperty('startsAtMs')
  } finally {
    await bare.close()
  }
})

test.each(['', 'nse=edu-30d:N'])('an exchange and a broker show nothing unless both are licensed, with the reason: %j', async (text) => {
  const bare = await testApp({ market: { hasDemo: false, feeds: new Map([['kite', niftyFeed]] as const), licences: licencesOf(text) } })
  try {
    const browser = await bare.signedIn()
    const { data } = await browser.client.marketData.candles({ params: { slug: 'nifty' }, query: { timeframe: '1D' } })
    expect(data).toMatchObject({ source: null, label: null, candles: [], reason: liveServerText.needsLicence })
  } finally {
    await bare.close()
  }
})

test('an education agreement shows thirty days old data, labelled as such', async () => {
  const licences = licencesOf('nse=edu-30d:NSE/EDU/3,kite=licensed:K')
  const market = { hasDemo: false, feeds: new Map([['kite', niftyFeed]] as const), licences }
  const school = await testApp({ market })
  try {
    const browser = await school.signedIn()
    // A feed without live prices never triggers the hub; the call itself backfills.
    const { data } = await browser.client.marketData.candles({ params: { slug: 'nifty' }, query: { timeframe: '1', limit: 200 } })
    expect(data).toMatchObject({ source: 'kite', label: { mode: 'education' } })
    expect(data.candles.length).toBeGreaterThan(0)
    const newestMs = data.candles.at(-1)?.[0] ?? Infinity
    expect(newestMs + minuteMs).toBeLessThanOrEqual(data.nowMs - 30 * dayMs)
  } finally {
    await school.close()
  }
})

test('under a contract the stored candles are live, and the response equals the store', async () => {
  const licences = licencesOf('nse=licensed:NSE/2026/17,kite=licensed:K')
  const live = await testApp({ market: { hasDemo: false, feeds: new Map([['kite', niftyFeed]] as const), licences } })
  try {
    const { nowMs } = live.clock
    const browser = await live.signedIn()
    const { data } = await browser.client.marketData.candles({ params: { slug: 'nifty' }, query: { timeframe: '15', limit: 5 } })
    const expected = resample(niftyMinutes(nowMs - 10 * dayMs, nowMs), 'nse-index', '15').slice(-5)
    expect(data.label).toMatchObject({ mode: 'live' })
    // An index has no volume, whatever its source counts.
    expect(data.candles).toEqual(expected.map(({ timeMs, open, high, low, close }) => [timeMs, open, high, low, close, null, null]))
  } finally {
    await live.close()
  }
})

function licencesOf(text: string): Licences {
  const licences = parseLicences(text)
  if (typeof licences === 'string') throw new Error(licences)
  return licences
}

function niftyMinutes(fromMs: number, toMs: number) {
  return minutesBetween(fromMs, toMs).filter(({ timeMs }) => isTradingMinute('nse-index', timeMs))
}

/** A source with 40 days of history and no stream. */
const niftyFeed: Feed = {
  source: 'kite',
  steps: ['1m', '1h', '1D'],
  live: 'minutes',
  history: ({ step, fromMs, toMs }) => {
    const nowMs = server.clock.nowMs
    const minutes = niftyMinutes(nowMs - 40 * dayMs, nowMs)
    const all = step === '1m' ? minutes : resample(minutes, 'nse-index', largerOf(step)).slice(0, -1)
    return Promise.resolve(all.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs))
  },
  watch: (_symbol, sink) => {
    const timer = setImmediate(() => sink.state({ kind: 'live' }))
    return () => clearImmediate(timer)
  },
  close: () => Promise.resolve(),
}

function largerOf(step: Exclude<HistoryStep, '1m'>): '60' | '1D' {
  return step === '1h' ? '60' : '1D'
}
