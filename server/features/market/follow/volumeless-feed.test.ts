// Series without volume: what a source counts there reaches neither the follower nor the store.
import { expect, it } from 'vitest'
import { minuteMs } from '#shared/base/durations.ts'
import { planSeries } from '../gateway/series-plan.ts'
import { fakeFeed } from './testing/fake-feed.ts'
import { closedMinutes, newClock, noonMs, pass, startFollowing } from './testing/follow-world.ts'

/** What the follower tells of a series whose best source counts volume, with what that source has in its history. */
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
  return { told: closedMinutes(followed), history: await asked }
}

it.each(['minutes', 'trades'] as const)('a pair of currencies has none, though its source counts it in %s', async (live) => {
  const { told, history } = await follow('eur-usd', 'kraken', live)
  expect(told.length).toBeGreaterThan(3)
  expect(history.length).toBeGreaterThan(3)
  for (const candle of [...told, ...history]) expect(candle).toMatchObject({ close: 100, volume: null, takerBuyVolume: null })
})

it('gold that is shown by the price of a token has none either', async () => {
  const { told } = await follow('xau-usd', 'binance', 'minutes')
  expect(told.length).toBeGreaterThan(3)
  for (const { volume } of told) expect(volume).toBeNull()
})

it('a coin keeps it', async () => {
  const { told, history } = await follow('btc-usdt', 'binance', 'minutes')
  expect(told.length).toBeGreaterThan(3)
  for (const { volume, takerBuyVolume } of [...told, ...history]) {
    expect(volume).toBeGreaterThan(0)
    expect(takerBuyVolume).toBe(volume)
  }
})
