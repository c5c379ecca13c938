// Minutes built from Kraken's trades: paging, trades of one order across pages, and the limit on calls.
import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import { FeedError } from '../feed.ts'
import { minutesOfTrades, type LoadTrades } from './kraken-feed.ts'

type Query = Parameters<LoadTrades>[0]

const toMs = Date.parse('2026-11-20T22:00:00Z')

type Row = readonly [number, number, number, string, string, string, number]

/** Trades every `everyMs`, `together` of them at once, as Kraken pages them. */
function source(everyMs: number, together = 1, spanMs = 24 * hourMs) {
  const asked: Query[] = []
  const rows: Row[] = []
  for (let ms = toMs - spanMs; ms < toMs + hourMs; ms += everyMs)
    for (let k = 0; k < together; k += 1) rows.push([100 + (rows.length % 50), 0.5, ms / 1000, 'b', 'm', '', rows.length])
  const nanos = (one: Row): bigint => BigInt(Math.round(one[2] * 1000)) * 1_000_000n
  return {
    asked,
    rows,
    ask: (query: Query) => {
      asked.push(query)
      const from = rows.findIndex((one) => nanos(one) > query.since)
      const page = from < 0 ? [] : rows.slice(from, from + query.count)
      const newest = page.at(-1)
      const last = `${newest === undefined ? query.since : nanos(newest)}`
      return Promise.resolve({ result: { ZEURZUSD: page.map((one) => one.map(Number)), last } })
    },
  }
}

const sum = (values: readonly (number | null)[]): number => values.reduce<number>((total, value) => total + (value ?? 0), 0)

test.each([
  [60_000, 1, 'a quiet pair'],
  [9_000, 1, 'a pair with more than one page in two hours'],
  [20_000, 7, 'orders of several trades, which pages cut'],
])('trades every %d ms, %d at once: %s', async (everyMs, together) => {
  const { ask, rows, asked } = source(everyMs, together)
  const fromMs = toMs - 24 * hourMs
  const found = await minutesOfTrades({ symbol: 'EUR/USD', fromMs, toMs }, ask)
  expect(found.fromMs).toBe(fromMs)
  const within = rows.filter(([, , seconds]) => seconds * 1000 < toMs)
  expect(sum(found.candles.map(({ volume }) => volume))).toBe(sum(within.map(([, volume]) => volume)))
  const stamps = found.candles.map(({ timeMs }) => timeMs)
  expect(stamps).toEqual([...new Set(within.map(([, , seconds]) => Math.floor((seconds * 1000) / minuteMs) * minuteMs))])
  const first = within.filter(([, , seconds]) => seconds * 1000 < fromMs + minuteMs).map(([price]) => price)
  expect(found.candles[0]).toMatchObject({
    open: first[0],
    high: Math.max(...first),
    low: Math.min(...first),
    close: first.at(-1),
    takerBuyVolume: null,
  })
  expect(asked.length).toBeLessThanOrEqual(40)
})

test('a quiet day takes four calls', async () => {
  const { ask, asked } = source(600_000)
  await minutesOfTrades({ symbol: 'EUR/USD', fromMs: toMs - 24 * hourMs, toMs }, ask)
  expect(asked).toHaveLength(4)
})

test('a busy pair stops after forty calls with the newest hours, which are complete', async () => {
  const { ask, rows, asked } = source(500, 1, 8 * hourMs)
  const found = await minutesOfTrades({ symbol: 'XBT/USD', fromMs: toMs - 24 * hourMs, toMs }, ask)
  expect(asked).toHaveLength(40)
  expect(found.fromMs).toBe(toMs - 4 * hourMs)
  const within = rows.filter(([, , seconds]) => seconds * 1000 < toMs && seconds * 1000 >= found.fromMs)
  expect(sum(found.candles.map(({ volume }) => volume))).toBe(within.length / 2)
})

test('minutes before an error are kept; an error of the first call is thrown', async () => {
  const { ask, asked } = source(60_000)
  const request = { symbol: 'EUR/USD', fromMs: toMs - 24 * hourMs, toMs }
  const failing = (allowed: number) => (query: Query) =>
    asked.length < allowed ? ask(query) : Promise.reject(new FeedError('limited', 'no more for now'))
  expect((await minutesOfTrades(request, failing(2))).fromMs).toBe(toMs - 6 * hourMs)
  await expect(minutesOfTrades(request, failing(0))).rejects.toThrow('no more for now')
})

test('a page that does not advance ends the loop', async () => {
  const { ask } = source(300, 1, hourMs)
  const stuck = async (query: Query) => ({ result: { ...(await ask(query)).result, last: `${query.since}` } })
  await expect(minutesOfTrades({ symbol: 'EUR/USD', fromMs: toMs - hourMs, toMs }, stuck)).rejects.toThrow('repeats')
})
