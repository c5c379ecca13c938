// Currency charts of a fresh installation at a weekend: Kraken's minutes go back twelve hours, but the session ended before.
import { expect, onTestFinished, test } from 'vitest'
import { minuteMs } from '#shared/base/durations.ts'
import { resample } from '#shared/candles/resample.ts'
import { krakenFeed } from '../feeds/kraken-feed.ts'
import { krakenDialect } from '../feeds/testing/fake-kraken-server.ts'
import { marketWorld } from './testing/market-world.ts'

const subject = { dialect: krakenDialect, make: krakenFeed, staleAfterMs: 60_000, slug: 'eur-usd', sessionClass: 'fx' } as const
const sundayMs = Date.parse('2026-11-22T09:00:10Z')
const session = { fromMs: Date.parse('2026-11-19T22:00:00Z'), toMs: Date.parse('2026-11-20T22:00:00Z') }

async function world(startMs: number) {
  const made = await marketWorld(subject, 11, startMs)
  onTestFinished(() => made.close())
  const tradesAsked = () => made.exchange.requests.filter(({ path }) => path === '/0/public/Trades').length
  const minutes = () =>
    made.exchange.truth
      .candles(krakenDialect.symbols[0], '1m')
      .filter(({ timeMs }) => timeMs >= session.fromMs && timeMs < session.toMs)
      .map((candle) => ({ ...candle, takerBuyVolume: null }))
  return { ...made, tradesAsked, minutes }
}

test('the first page of 1m and 3m is the last session, complete', async () => {
  const made = await world(sundayMs)
  const { restCandles, minutes, play, tradesAsked } = made
  await play(5_000)
  expect(await restCandles('1')).toEqual(minutes())
  expect(await restCandles('3')).toEqual(resample(minutes(), 'fx', '3'))
  expect(minutes().length).toBeGreaterThan(40)
  await play(2 * minuteMs)
  const asked = tradesAsked()
  expect(asked).toBeLessThan(8)
  // Stored data is not requested again.
  await play(minuteMs)
  expect(tradesAsked()).toBe(asked)
  expect((await made.reconcile()).get('1')).toBe(minutes().length)
})

test('without a page request the session is stored, and open live charts are notified', async () => {
  const { behind, liveCandles, minutes, play } = await world(sundayMs)
  await play(2 * minuteMs)
  const key = { series: 'eur-usd', source: 'kraken', step: '1m' } as const
  expect(await behind.range(key, session)).toEqual(minutes())
  expect(liveCandles('1')).toEqual(minutes())
  expect(liveCandles('3')).toEqual(resample(minutes(), 'fx', '3'))
})

test('within a session its start is built from trades too', async () => {
  const { restCandles, minutes, play, clock } = await world(Date.parse('2026-11-20T15:00:10Z'))
  await play(2 * minuteMs)
  const closed = (candles: readonly { timeMs: number }[]) => candles.filter(({ timeMs }) => timeMs < clock.now() - 5 * minuteMs)
  expect(closed(await restCandles('1'))).toEqual(closed(minutes()))
})

test('without trades the page is empty, and a later one requests them again', async () => {
  const { exchange, restCandles, minutes, play } = await world(sundayMs)
  exchange.faults.http = ({ path }) =>
    path === '/0/public/Trades' ? { status: 200, body: JSON.stringify({ error: ['EService:Unavailable'] }) } : undefined
  await play(minuteMs)
  expect(await restCandles('1')).toEqual([])
  exchange.faults.http = undefined
  await play(6 * minuteMs)
  expect(await restCandles('1')).toEqual(minutes())
})
