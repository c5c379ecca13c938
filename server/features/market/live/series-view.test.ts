// A view of one series between hub and store, on a clock that the test moves.
import { expect, test } from 'vitest'
import { minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import { resample } from '#shared/market/candles/resample.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { listStore, minutesBetween } from '#server/testing/candles.ts'
import type { Feed, HistoryStep } from '../feed.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { memoryBus } from '../gateway/bus-memory.ts'
import { candleHistory } from '../history/candle-history.ts'
import { memoryCandles } from '../store/memory-candles.ts'
import { seriesView } from './series-view.ts'

const startMs = Date.parse('2026-11-20T00:00:00Z')
const at = (minutes: number): number => startMs + minutes * minuteMs
const minutesOf = (from: number, to: number): Candle[] => minutesBetween(at(from), at(to))
const series = 'btc-usdt'
const keyOf = (step: HistoryStep) => ({ series, source: 'binance', step }) as const
const condition = { source: 'binance', label: null, sessionClass: 'crypto', isStale: false, reason: null } as const
const demo: Feed = {
  source: 'demo',
  steps: [],
  live: 'none',
  history: () => Promise.reject(new Error('the demo was asked')),
  watch: () => () => undefined,
  close: () => Promise.resolve(),
}

/** Six hours and twenty minutes after the start. */
function world() {
  const clock = manualClock(at(380))
  const now = () => clock.now()
  const behind = listStore(now)
  const { bus, hub } = memoryBus()
  const errors: unknown[] = []
  const hooks = { onRead: (): void => undefined }
  const range: typeof behind.range = (key, span) => {
    hooks.onRead()
    return behind.range(key, span)
  }
  const store = memoryCandles({ ...behind, range }, { now, monotonic: () => clock.monotonic() })
  const history = candleHistory({
    store,
    demo,
    policyOf: () => ({ holdBackMs: 0 }),
    extend: () => Promise.resolve(false),
    now,
    monotonic: () => clock.monotonic(),
  })
  const view = seriesView({ series, bus, history, clock, onError: (error) => errors.push(error), patienceMs: 4_000 })
  const publish = (epoch: string, minutes: readonly Candle[], seq = 1) =>
    hub.publish({ series, epoch, seq, minutes, condition }, { series, epoch, seq, minutes, condition })
  /** Candles of a timeframe as soon as they are there. */
  async function candlesOf(timeframe: Timeframe): Promise<readonly Candle[]> {
    const name = { timeframe, adjustment: 'none' } as const
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const leave = view.watch(name, { reset: () => resolve(undefined), changed: () => undefined, condition: () => undefined })
    await promise
    const candles = view.look(name).topic?.newest(2_000) ?? []
    leave()
    view.forgetIdle()
    expect(errors).toEqual([])
    return candles
  }
  const storeCandles = (step: HistoryStep, timeframe: Timeframe, [from, to]: readonly [number, number]) =>
    behind.append(keyOf(step), resample(minutesOf(from, to), 'crypto', timeframe), { fromMs: at(from), toMs: at(to) })
  return { publish, candlesOf, storeCandles, hooks }
}

test('a candle in which the recent minutes begin is the stored one, where its earlier minutes are not known', async () => {
  const { publish, candlesOf, storeCandles } = world()
  await storeCandles('5m', '5', [0, 375])
  publish('one', minutesOf(362, 380))
  for (const timeframe of ['5', '60', '1D'] as const)
    expect(await candlesOf(timeframe)).toEqual(resample(minutesOf(0, 380), 'crypto', timeframe))
})

test('a candle in which the recent minutes begin is left out, where it is not stored either', async () => {
  const { publish, candlesOf, storeCandles } = world()
  await storeCandles('5m', '5', [0, 360])
  publish('one', minutesOf(362, 380))
  const known = resample([...minutesOf(0, 360), ...minutesOf(365, 380)], 'crypto', '5')
  expect(await candlesOf('5')).toEqual(known)
  expect(await candlesOf('60')).toEqual(resample(minutesOf(0, 360), 'crypto', '60'))
})

test('a new epoch of the hub shows at once what another process has stored in a hole', async () => {
  const { publish, candlesOf, storeCandles } = world()
  await storeCandles('1m', '1', [0, 100])
  await storeCandles('1m', '1', [120, 375])
  publish('one', minutesOf(370, 380))
  expect(await candlesOf('1')).toEqual([...minutesOf(0, 100), ...minutesOf(120, 380)])
  await storeCandles('1m', '1', [100, 120])
  publish('two', minutesOf(370, 380))
  expect(await candlesOf('1')).toEqual(minutesOf(0, 380))
})

test('minutes that came and went while the store was read are not lost', async () => {
  const { publish, candlesOf, storeCandles, hooks } = world()
  await storeCandles('1m', '1', [0, 130])
  publish('one', minutesOf(130, 370))
  // As many as the view keeps are there, and ten more come.
  hooks.onRead = () => publish('one', minutesOf(370, 380), 2)
  expect(await candlesOf('1')).toEqual(minutesOf(0, 380))
})
