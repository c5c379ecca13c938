// An index day whose last values are missing: complete only with all of them or with none.
import { expect, test } from 'vitest'
import { listStore, minutesBetween } from '#server/testing/candles.ts'
import { dayMs } from '#shared/base/durations.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { Feed } from '../feed.ts'
import { CandleCache } from '../store/candle-cache.ts'
import { CandleHistory } from './candle-history.ts'

const at = (wallTime: string) => Date.parse(`${wallTime}+05:30`)
const nowMs = at('2026-11-20T12:00')
const key = { series: 'nifty', source: 'kite', step: '1m' } as const
const noFeed: Feed = {
  source: 'demo',
  steps: ['1m'],
  live: 'none',
  history: () => Promise.resolve([]),
  watch: () => () => undefined,
  close: () => Promise.resolve(),
}

/** Served timestamps if Thursday's minutes end at a given time, and Friday's follow. */
async function servedDays(cutAt: string, timeframe: Timeframe): Promise<string[]> {
  const store = new CandleCache(listStore(), { now: () => nowMs, monotonic: () => nowMs })
  const history = new CandleHistory({
    store,
    demo: noFeed,
    delayMsOf: () => 0,
    extend: () => Promise.resolve(false),
    now: () => nowMs,
    monotonic: () => nowMs,
  })
  for (const [from, to] of [
    ['2026-11-18T09:15', '2026-11-18T15:35'],
    ['2026-11-19T09:15', cutAt],
    ['2026-11-20T09:15', '2026-11-20T12:00'],
  ] as const)
    await store.append(key, minutesBetween(at(from), at(to)), [{ fromMs: at(from), toMs: at(to) }])
  const wanted = { series: 'nifty', source: 'kite', sessionClass: 'nse-index', toMs: nowMs + dayMs, limit: 500 } as const
  const { candles } = await history.candles({ ...wanted, timeframe })
  return candles.map(({ timeMs }) => new Date(timeMs).toISOString().slice(0, 16))
}

test.each([
  ['2026-11-19T15:30', true],
  ['2026-11-19T15:32', false],
  ['2026-11-19T15:34', false],
  ['2026-11-19T15:35', true],
])('a day with minutes until %s is shown: %s', async (cutAt, isShown) => {
  const days = await servedDays(cutAt, '1D')
  expect(days).toEqual(['2026-11-18T00:00', ...(isShown ? ['2026-11-19T00:00'] : []), '2026-11-20T00:00'])
  expect((await servedDays(cutAt, '240')).includes('2026-11-19T07:45')).toBe(isShown)
  expect(await servedDays(cutAt, '1')).toContain('2026-11-19T09:59')
})
