// Minutes built from trades follow the same rules as others: no volume for currency pairs, and nothing under a delay.
import { expect, test } from 'vitest'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { Feed } from '../feed.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { feedWithoutVolume } from '../without-volume.ts'
import { delayedFeed } from './delayed-feed.ts'

const candle = { timeMs: 0, open: 1, high: 1, low: 1, close: 1, volume: 4, takerBuyVolume: 1 }
const feed: Feed = {
  source: 'kraken',
  steps: ['1m'],
  live: 'minutes',
  history: () => Promise.resolve([]),
  olderMinutes: () => Promise.resolve({ candles: [candle], fromMs: 0 }),
  watch: () => () => undefined,
  close: () => Promise.resolve(),
}

test('a currency pair has no volume in them', async () => {
  const found = await feedWithoutVolume(feed).olderMinutes?.({ symbol: 'EUR/USD', fromMs: 0, toMs: minuteMs })
  expect(found).toEqual({ candles: [{ ...candle, volume: null, takerBuyVolume: null }], fromMs: 0 })
})

test.each([10 * minuteMs, 30 * dayMs])('under a delay of %d ms there are none', (delayMs) => {
  expect(delayedFeed(feed, delayMs, manualClock(0)).olderMinutes).toBeUndefined()
  expect(delayedFeed(feed, 0, manualClock(0)).olderMinutes).toBeDefined()
})
