// A view of one series between hub and store, on a fake clock.
import { expect, test } from 'vitest'
import { minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { resample } from '#shared/candles/resample.ts'
import { liveServerText } from '#shared/market-data/text/en.ts'
import type { ServerMessage } from '#shared/market-data/live/contract.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { listStore, minutesBetween } from '#server/testing/candles.ts'
import type { Feed, HistoryStep } from '../feed.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { memoryBus } from '../gateway/market-bus.ts'
import { CandleHistory } from '../history/candle-history.ts'
import { CandleCache } from '../store/candle-cache.ts'
import { BroadcastChannel, type ChannelSubscriber } from './broadcast-channel.ts'
import { SeriesView } from './series-view.ts'

const startMs = Date.parse('2026-11-20T00:00:00Z')
const at = (minutes: number): number => startMs + minutes * minuteMs
const minutesOf = (from: number, to: number): Candle[] => minutesBetween(at(from), at(to))
const series = 'btc-usdt'
const keyOf = (step: HistoryStep) => ({ series, source: 'binance', step }) as const
const label = { mode: 'live', source: 'Binance', delayMinutes: 0, proxy: null } as const
const condition = { source: 'binance', label, sessionClass: 'crypto', isStale: false, reason: null } as const
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
  const hooks: { onRead: () => void | Promise<void> } = { onRead: () => undefined }
  const range: typeof behind.range = async (key, span) => {
    await hooks.onRead()
    return behind.range(key, span)
  }
  const store = new CandleCache({ ...behind, range }, { now, monotonic: () => clock.monotonic() })
  const history = new CandleHistory({
    store,
    demo,
    delayMsOf: () => 0,
    extend: () => Promise.resolve(false),
    now,
    monotonic: () => clock.monotonic(),
  })
  const view = new SeriesView({ series, bus, history, clock, onError: (error) => errors.push(error), timeoutMs: 4_000 })
  const publish = (epoch: string, minutes: readonly Candle[], seq = 1) =>
    hub.publish({ series, epoch, seq, minutes, condition }, { series, epoch, seq, minutes, condition })
  /** Candles of a timeframe as soon as they are loaded. */
  async function candlesOf(timeframe: Timeframe): Promise<readonly Candle[]> {
    const name = { timeframe, adjustment: 'none' } as const
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const leave = view.subscribe(name, { reset: () => resolve(undefined), changed: () => undefined, condition: () => undefined })
    await promise
    const candles = view.topicState(name).topic?.newest(2_000) ?? []
    leave()
    view.forgetIdle()
    expect(errors).toEqual([])
    return candles
  }
  const storeCandles = (step: HistoryStep, timeframe: Timeframe, [from, to]: readonly [number, number]) =>
    behind.append(keyOf(step), resample(minutesOf(from, to), 'crypto', timeframe), [{ fromMs: at(from), toMs: at(to) }])
  return { publish, candlesOf, storeCandles, hooks, view, clock, errors }
}

/** Adds subscribers of one minute; each gets its frames. */
function subscriberOf(view: SeriesView): (id: number) => ServerMessage[] {
  const channel = new BroadcastChannel(view, 'k', { timeframe: '1', adjustment: 'none' })
  return (id) => {
    const frames: ServerMessage[] = []
    const send = (frame: Buffer, rest = Buffer.of()) =>
      void frames.push(JSON.parse(`${frame.toString()}${rest.toString()}`) as ServerMessage)
    const defer = (deferred: ChannelSubscriber) => channel.deliver(deferred)
    const connection = { send, defer, isWritable: () => true, takeCandles: () => true }
    channel.subscribe({ id, bars: 10, connection, seq: undefined, epoch: '' }, undefined)
    return frames
  }
}

test('the candle in which the recent minutes start is the stored one, if its earlier minutes are unknown', async () => {
  const { publish, candlesOf, storeCandles } = world()
  await storeCandles('5m', '5', [0, 375])
  publish('one', minutesOf(362, 380))
  for (const timeframe of ['5', '60', '1D'] as const)
    expect(await candlesOf(timeframe)).toEqual(resample(minutesOf(0, 380), 'crypto', timeframe))
})

test('the candle in which the recent minutes start is left out, if it is not stored either', async () => {
  const { publish, candlesOf, storeCandles } = world()
  await storeCandles('5m', '5', [0, 360])
  publish('one', minutesOf(362, 380))
  const known = resample([...minutesOf(0, 360), ...minutesOf(365, 380)], 'crypto', '5')
  expect(await candlesOf('5')).toEqual(known)
  expect(await candlesOf('60')).toEqual(resample(minutesOf(0, 360), 'crypto', '60'))
})

test('a new epoch of the hub immediately shows what another process has stored in a gap', async () => {
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
  // The view is full, and ten more arrive.
  hooks.onRead = () => publish('one', minutesOf(370, 380), 2)
  expect(await candlesOf('1')).toEqual(minutesOf(0, 380))
})

test('while the store fails, charts keep their candles as old ones; they are current again soon after it answers', async () => {
  const { publish, storeCandles, hooks, view, clock, errors } = world()
  await storeCandles('1m', '1', [0, 375])
  const add = subscriberOf(view)
  const { promise: isSlow, resolve: answer } = Promise.withResolvers<void>()
  hooks.onRead = () => isSlow
  const frames = add(1)
  publish('one', minutesOf(370, 380))
  await expect.poll(() => frames).not.toEqual([])
  await view.whenKnown()
  // Candles that are being read are not missing.
  expect(frames).toMatchObject([{ t: 'cond', condition: { isStale: false } }])
  answer()
  await expect.poll(() => frames.at(-1)).toMatchObject({ t: 'snap', epoch: 'one', condition: { isStale: false } })

  // The gateway starts again while the database is away.
  hooks.onRead = () => {
    throw new Error('the database is away')
  }
  publish('two', minutesOf(370, 381))
  await expect.poll(() => errors.length).toBe(1)
  const unreadable = { isStale: true, reason: liveServerText.unreadable }
  await expect.poll(() => frames.at(-1)).toMatchObject({ t: 'cond', condition: unreadable })
  const newcomer = add(2)
  await expect.poll(() => newcomer.at(-1)).toMatchObject({ t: 'snap', candles: [], condition: unreadable })
  clock.advance(1_000)
  await expect.poll(() => errors.length).toBe(2)

  hooks.onRead = () => undefined
  publish('two', [...minutesOf(381, 382)], 2)
  clock.advance(5_000)
  for (const received of [frames, newcomer]) {
    await expect.poll(() => received.at(-1)).toMatchObject({ t: 'snap', epoch: 'two', seq: 2 })
    expect(received.at(-2)).toMatchObject({ t: 'cond', condition: { isStale: false, reason: null } })
    const { candles } = received.at(-1) as Extract<ServerMessage, { t: 'snap' }>
    expect(candles.map(([timeMs]) => timeMs)).toEqual(minutesOf(372, 382).map(({ timeMs }) => timeMs))
  }
  expect(errors).toHaveLength(2)
  expect(frames.filter((frame) => frame.t === 'snap' && frame.epoch === 'two')).toHaveLength(1)
  clock.advance(60_000)
  expect(errors).toHaveLength(2)
})

test('while the store does not answer after a new epoch, charts are told within five seconds that their candles are old', async () => {
  const { publish, storeCandles, hooks, view, clock, errors } = world()
  await storeCandles('1m', '1', [0, 375])
  const frames = subscriberOf(view)(1)
  publish('one', minutesOf(370, 380))
  await expect.poll(() => frames.at(-1)).toMatchObject({ t: 'snap', epoch: 'one', condition: { isStale: false } })

  const { promise: isSlow, resolve: answer } = Promise.withResolvers<void>()
  hooks.onRead = () => isSlow
  const begun = () => view.topicState({ timeframe: '1', adjustment: 'none' }).epoch
  publish('two', minutesOf(370, 381))
  await expect.poll(begun).toBe('two')
  clock.advance(3_000)
  // The hub starts over before the first read has ended.
  publish('three', minutesOf(370, 381))
  await expect.poll(begun).toBe('three')
  clock.advance(1_500)
  expect(frames.at(-1)).toMatchObject({ t: 'cond', condition: { isStale: true, reason: liveServerText.unreadable } })

  answer()
  await expect.poll(() => frames.at(-1)).toMatchObject({ t: 'snap', epoch: 'three', condition: { isStale: false, reason: null } })
  clock.advance(60_000)
  expect(frames.at(-1)).toMatchObject({ t: 'snap' })
  expect(errors).toEqual([])
})

test('while the store does not answer a correction of older candles, charts are told that theirs are old', async () => {
  const { publish, storeCandles, hooks, view, clock, errors } = world()
  await storeCandles('1m', '1', [0, 375])
  const frames = subscriberOf(view)(1)
  publish('one', minutesOf(370, 380))
  await expect.poll(() => frames.at(-1)).toMatchObject({ t: 'snap', epoch: 'one', condition: { isStale: false } })

  const { promise: isSlow, resolve: answer } = Promise.withResolvers<void>()
  hooks.onRead = () => isSlow
  publish('one', minutesOf(365, 366), 2)
  // Within the usual time of a read they are current.
  clock.advance(3_000)
  expect(frames).toHaveLength(2)
  clock.advance(1_500)
  expect(frames.at(-1)).toMatchObject({ t: 'cond', condition: { isStale: true, reason: liveServerText.unreadable } })

  answer()
  await expect.poll(() => frames.at(-1)).toMatchObject({ t: 'snap', epoch: 'one', condition: { isStale: false, reason: null } })
  clock.advance(60_000)
  expect(frames.at(-1)).toMatchObject({ t: 'snap' })
  expect(errors).toEqual([])
})
