// Adjusted prices end to end: what the API and live clients get for one share before and after its bonus issue.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { premiumColumns, testApp, type Browser, type TestApp } from '#server/testing/app.ts'
import { listenForLive, openLive } from '#server/testing/live.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { resample } from '#shared/candles/resample.ts'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import type { Feed, FeedSink } from './feed.ts'
import { parseLicences } from './licences.ts'

/** RELIANCE: 1:1 bonus on Monday 28 October 2024. */
const exDateMs = Date.parse('2024-10-28T00:00:00Z')
const fridayMs = Date.parse('2024-10-25T06:00:00Z')
const mondayMs = Date.parse('2024-10-28T03:46:30Z')

let server: TestApp
let premium: Browser
let sink: FeedSink | undefined

const minuteAt = (timeMs: number): Candle => {
  const price = timeMs < exDateMs ? 2_655.7 : 1_327.85
  return { timeMs, open: price, high: price, low: price, close: price, volume: 10, takerBuyVolume: null }
}

/** Unadjusted, as in an exchange file. */
const feed: Feed = {
  source: 'csv',
  steps: ['1m', '1h', '1D'],
  live: 'minutes',
  history({ step, fromMs, toMs }) {
    const endMs = Math.floor(server.clock.nowMs / minuteMs) * minuteMs
    const stamps = Array.from({ length: (5 * dayMs) / minuteMs }, (_, index) => endMs - (index + 1) * minuteMs).toReversed()
    const minutes = stamps.filter((timeMs) => isTradingMinute('nse-equity', timeMs)).map(minuteAt)
    const all = step === '1m' ? minutes : resample(minutes, 'nse-equity', step === '1h' ? '60' : '1D').slice(0, -1)
    return Promise.resolve(all.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs))
  },
  watch(_symbol, listener) {
    sink = listener
    const timer = setImmediate(() => listener.state({ kind: 'live' }))
    return () => clearImmediate(timer)
  },
  close: () => Promise.resolve(),
}

beforeAll(async () => {
  const licences = parseLicences('nse=licensed:NSE/2026/17')
  if (typeof licences === 'string') throw new Error(licences)
  server = await testApp({ market: { hasDemo: false, feeds: new Map([['csv', feed]] as const), licences } })
  server.clock.nowMs = fridayMs
  premium = await server.signedIn(premiumColumns)
})
afterAll(() => server.close())

const closesOf = async (adjustment?: Adjustment) => {
  const query = { timeframe: '1D', limit: 3, ...(adjustment === undefined ? {} : { adjustment }) } as const
  const { data } = await premium.client.marketData.candles({ params: { slug: 'reliance' }, query })
  return { closes: data.candles.map((row) => row[4]), adjustment: data.adjustment }
}

test('an unknown choice is rejected', async () => {
  expect((await premium.send({ method: 'GET', path: '/api/v1/market/candles/reliance?adjustment=dividends' })).statusCode).toBe(400)
})

test('a live client gets a new snapshot when an ex-date begins, and updates after it', async () => {
  const watcher = await openLive(await listenForLive(server.app), premium)
  try {
    watcher.send({ t: 'sub', id: 1, slug: 'reliance', timeframe: '1D', bars: 3 })
    watcher.send({ t: 'sub', id: 2, slug: 'reliance', timeframe: '1D', bars: 3, adjustment: 'none' })
    const before = [await watcher.next('snap'), await watcher.next('snap')]
    for (const { candles } of before) expect(candles.at(-1)?.[4]).toBe(2_655.7)
    expect(new Set(before.map(({ k }) => k)).size).toBe(2)
    server.clock.nowMs = mondayMs
    // History confirms a jump this large.
    for (const ms of [0, 1, 2]) sink?.minute(minuteAt(Date.parse('2024-10-28T03:45:00Z') + (ms > 1 ? minuteMs : 0)), ms === 1)
    const again = await watcher.next('snap')
    expect(again.id).toBe(1)
    const earlier = again.candles.filter(([timeMs]) => timeMs < exDateMs)
    expect(earlier.length).toBeGreaterThan(0)
    expect(new Set(earlier.map((row) => row[4]))).toEqual(new Set([1_327.85]))
  } finally {
    watcher.socket.terminate()
  }
})

test('candle requests return split-adjusted, unadjusted or fully adjusted prices', async () => {
  server.clock.nowMs = mondayMs
  const before = (closes: readonly number[]) => closes.slice(0, 2)
  const byDefault = await closesOf()
  expect({ ...byDefault, closes: before(byDefault.closes) }).toEqual({ closes: [1_327.85, 1_327.85], adjustment: 'splits' })
  expect(before((await closesOf('none')).closes)).toEqual([2_655.7, 2_655.7])
  // The demerger is outside this range, but the response names the requested adjustment.
  expect(await closesOf('all')).toEqual({ closes: byDefault.closes, adjustment: 'all' })
})
