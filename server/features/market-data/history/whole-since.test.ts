// Start of gapless data of a page, where steps of several sizes meet.
import { expect, test } from 'vitest'
import { listStore, minutesBetween } from '#server/testing/candles.ts'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import { resample } from '#shared/candles/resample.ts'
import type { Feed } from '../feed.ts'
import { CandleCache } from '../store/candle-cache.ts'
import { CandleHistory } from './candle-history.ts'

test('before an instant inside a longer candle, its first part is complete only if shorter ones cover it', async () => {
  const nowMs = Date.parse('2026-11-20T06:10:00Z')
  const now = (): number => nowMs
  const store = new CandleCache(listStore(now), { now, monotonic: now })
  const demo: Feed = {
    source: 'demo',
    steps: ['1m'],
    live: 'none',
    history: () => Promise.resolve([]),
    watch: () => () => undefined,
    close: () => Promise.resolve(),
  }
  const history = new CandleHistory({ store, demo, delayMsOf: () => 0, extend: () => Promise.resolve(false), now, monotonic: now })
  const hourStartMs = Date.parse('2026-11-20T05:00:00Z')
  const asOfMs = hourStartMs + 13 * minuteMs
  const minutes = minutesBetween(hourStartMs - 4 * hourMs, nowMs)
  const key = { series: 'btc-usd', source: 'kraken' } as const
  const wholeSinceMs = async (): Promise<number> => {
    const wanted = { ...key, sessionClass: 'crypto', timeframe: '60', toMs: nowMs, limit: 10, asOfMs } as const
    return (await history.candles(wanted)).wholeSinceMs
  }
  const putMinutesFrom = (fromMs: number): Promise<void> =>
    store.append(
      { ...key, step: '1m' },
      minutes.filter(({ timeMs }) => timeMs >= fromMs),
    )

  await store.append({ ...key, step: '1h' }, resample(minutes, 'crypto', '60').slice(0, -1))
  await putMinutesFrom(asOfMs - minuteMs)
  expect(await wholeSinceMs()).toBe(asOfMs - minuteMs)
  await putMinutesFrom(hourStartMs)
  expect(await wholeSinceMs()).toBe(hourStartMs - 4 * hourMs)
})
