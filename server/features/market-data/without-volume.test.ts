// Series without volume: a source's volume reaches neither the follower nor the store.
import { expect, it } from 'vitest'
import { minuteMs } from '#shared/base/durations.ts'
import { planSeries } from './gateway/series-plan.ts'
import { fakeFeed } from './failover/testing/fake-feed.ts'
import { closedMinutes, newClock, noonMs, pass, startFollowing } from './failover/testing/follower-fixture.ts'

/** Output of the follower for a series whose best source counts volume, with that source's history. */
async function follow(series: string, source: 'kraken' | 'binance', live: 'minutes' | 'trades') {
  const clock = newClock()
  const feed = fakeFeed({ source, live, clock })
  const plan = planSeries({ feeds: new Map([[source, feed]]), licences: new Map(), demo: undefined, clock }, series, '2026-11-20')
  const [candidate] = plan?.candidates ?? []
  if (candidate === undefined) throw new Error(`${source} does not have ${series}`)
  const trade = () => feed.trade({ timeMs: clock.now(), price: 100, size: 3, isTakerBuy: true })
  await pass(clock, 3 * minuteMs, trade)
  const followed = startFollowing(clock, [{ ...candidate, staleAfterMs: 5000 }])
  await pass(clock, 3 * minuteMs, trade)
  followed.stop()
  const asked = candidate.feed.history({ symbol: 'X', step: '1m', fromMs: noonMs, toMs: noonMs + 5 * minuteMs })
  clock.advance(0)
  return { notified: closedMinutes(followed), history: await asked }
}

it.each(['minutes', 'trades'] as const)('a currency pair has none, though its source counts it in %s', async (live) => {
  const { notified, history } = await follow('eur-usd', 'kraken', live)
  expect(notified.length).toBeGreaterThan(3)
  expect(history.length).toBeGreaterThan(3)
  for (const candle of [...notified, ...history]) expect(candle).toMatchObject({ close: 100, volume: null, takerBuyVolume: null })
})

it('gold priced by a token has none either', async () => {
  const { notified } = await follow('xau-usd', 'binance', 'minutes')
  expect(notified.length).toBeGreaterThan(3)
  for (const { volume } of notified) expect(volume).toBeNull()
})

it('a coin keeps it', async () => {
  const { notified, history } = await follow('btc-usdt', 'binance', 'minutes')
  expect(notified.length).toBeGreaterThan(3)
  for (const { volume, takerBuyVolume } of [...notified, ...history]) {
    expect(volume).toBeGreaterThan(0)
    expect(takerBuyVolume).toBe(volume)
  }
})
