// History that a study needs is loaded automatically, as far as it exists.
import { expect, test } from 'vitest'
import { findInstrument } from '#shared/instruments/instruments.ts'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import type { LiveListener } from '#web/features/market-data/live-listener.ts'
import type { CandleSource, BackfillRequest } from '#web/features/market-data/candle-source.ts'
import { ChartFeed } from './chart-feed.ts'
import { ChartModel } from './chart-model.ts'

const minuteMs = 60_000
const nowMs = Date.parse('2026-11-20T00:00Z')
const rows = (toMs: number, count: number, close = 10): CandleRow[] =>
  Array.from({ length: count }, (_, index) => [toMs - (count - index) * minuteMs, 10, 11, 9, close, 1, null])
const settle = () => new Promise<void>((resolve) => void setTimeout(resolve, 0))

/** A server with at most `perPage` candles a page and `left` before the first ones of the first snapshot. */
function world(left: number, perPage: number) {
  const instrument = findInstrument('btc-usdt')
  if (instrument === undefined) throw new Error('no instrument')
  const asked: BackfillRequest[] = []
  const starts: boolean[] = []
  let listener: LiveListener | undefined
  let originMs: number | undefined
  let isFailing = false
  let gate: Promise<void> = Promise.resolve()
  let close = 10
  const source: CandleSource = {
    open(_request, given) {
      listener = given
      return () => undefined
    },
    async older(request) {
      asked.push(request)
      await gate
      if (isFailing) throw new Error('the page does not come')
      const remaining = (request.toMs - (originMs ?? request.toMs)) / minuteMs
      const count = Math.max(0, Math.min(perPage, request.limit, remaining))
      return { candles: rows(request.toMs, count, close), hasOlder: remaining > count, startsAtMs: null }
    },
    clockOffsetMs: () => 0,
  }
  const ignore = () => undefined
  const model = new ChartModel(instrument, '1', 'candles')
  const feed = new ChartFeed({
    request: { slug: 'btc-usdt', timeframe: '1' },
    source,
    model,
    onReplace: (replace) => void replace(),
    onUpdate: ignore,
    onOlder: ignore,
    onStart: (isStart) => void starts.push(isStart),
    onCondition: ignore,
    onConnected: ignore,
    onEnded: ignore,
  })
  feed.open()
  const snapshot = (count: number, source = 'Binance', endMs = nowMs) => {
    originMs ??= nowMs - (count + left) * minuteMs
    const firstMs = endMs - count * minuteMs
    listener?.snapshot({
      candles: rows(endMs, count, close),
      hasOlder: firstMs > originMs,
      startsAtMs: firstMs > originMs ? null : firstMs,
      condition: { label: { mode: 'live', source, delayMinutes: 0, proxy: null }, sessionClass: 'crypto', isStale: false, reason: null },
    })
  }
  return {
    asked,
    feed,
    model,
    snapshot,
    starts,
    fail: () => (isFailing = true),
    /** Holds all pages back, until the returned function is called. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    /** All candles of the server close at this price from now on. */
    correct: (price: number) => (close = price),
    stamps: () => [...model.store.bars.timeMs.subarray(0, model.store.bars.length)],
    closes: () => [...new Set(model.store.bars.close.subarray(0, model.store.bars.length))],
  }
}

test('pages are loaded until there are enough, whether requested before or after the first candles', async () => {
  for (const isBefore of [true, false]) {
    const { asked, feed, model, snapshot } = world(10_000, 60)
    if (isBefore) feed.want(1_581)
    snapshot(1_500)
    if (!isBefore) feed.want(1_581)
    await settle()
    expect([asked.length, model.store.bars.length]).toEqual([2, 1_620])
    feed.want(1_600)
    await settle()
    expect(asked).toHaveLength(2)
  }
})

test('missing history is not requested again and again', async () => {
  const { asked, feed, model, snapshot } = world(20, 60)
  feed.want(1_581)
  snapshot(1_500)
  await settle()
  expect([asked.length, model.store.bars.length]).toEqual([1, 1_520])
  feed.stop()
})

test('history is reloaded when all candles are replaced while a page is in flight', async () => {
  const { asked, feed, model, snapshot } = world(10_000, 100)
  feed.want(1_581)
  snapshot(1_500)
  snapshot(1_500)
  await settle()
  expect([asked.length, model.store.bars.length]).toEqual([2, 1_600])
})

test('the first bar is the start of the data when the source has no older ones', async () => {
  const short = world(0, 60)
  short.snapshot(20)
  expect(short.starts).toEqual([true])

  const long = world(100, 60)
  long.snapshot(20)
  long.feed.want(1_000)
  await settle()
  expect(long.starts).toEqual([false, false, true])
  // A snapshot keeps the older candles.
  long.snapshot(20)
  await settle()
  expect(long.starts.at(-1)).toBe(true)
})

test('a new snapshot of the same source keeps the older candles, and loads them again', async () => {
  const { asked, closes, correct, feed, snapshot, stamps } = world(10_000, 3_500)
  snapshot(1_500)
  await feed.reach(nowMs - 8_000 * minuteMs)
  const before = stamps()
  expect(before).toHaveLength(8_500)
  correct(10.5)
  snapshot(1_500)
  expect(stamps()).toEqual(before)
  expect(closes()).toEqual([10, 10.5])
  await settle()
  expect(stamps()).toEqual(before)
  expect(closes()).toEqual([10.5])
  expect(asked.slice(-2).map(({ limit }) => limit)).toEqual([5_000, 3_500])
})

test('older candles that the server no longer has go away', async () => {
  const { feed, model, snapshot, starts } = world(2_000, 5_000)
  snapshot(1_500)
  await feed.reach(0)
  expect(model.store.bars.length).toBe(3_500)
  model.prepend(rows(model.store.bars.timeMs[0] ?? 0, 300))
  snapshot(1_500)
  await settle()
  expect(model.store.bars.length).toBe(3_500)
  expect(starts.at(-1)).toBe(true)
})

test('a snapshot after a long disconnection fills the time between', async () => {
  const { feed, snapshot, stamps } = world(10_000, 5_000)
  snapshot(1_500)
  await feed.reach(nowMs - 3_000 * minuteMs)
  const before = stamps()
  snapshot(1_500, 'Binance', nowMs + 6_000 * minuteMs)
  await settle()
  expect(stamps()).toEqual([...before, ...rows(nowMs + 6_000 * minuteMs, 6_000).map(([timeMs]) => timeMs)])
})

test('older candles of another source are not kept', async () => {
  const { feed, model, snapshot } = world(10_000, 5_000)
  snapshot(1_500)
  await feed.reach(nowMs - 3_000 * minuteMs)
  snapshot(1_500, 'Kraken')
  expect(model.store.bars.length).toBe(1_500)
})

test('a second snapshot while the older candles load again does not lose them', async () => {
  const { closes, correct, feed, hold, snapshot, stamps } = world(10_000, 5_000)
  snapshot(1_500)
  await feed.reach(nowMs - 3_000 * minuteMs)
  const before = stamps()
  const release = hold()
  snapshot(1_500)
  correct(10.5)
  release()
  snapshot(1_500)
  await settle()
  expect(stamps()).toEqual(before)
  expect(closes()).toEqual([10.5])
})

test('older pages are loaded until the chart reaches back to a time or history ends', async () => {
  const { feed, model, snapshot } = world(12_000, 5_000)
  snapshot(1_500)
  const minutesAgo = (count: number) => nowMs - count * minuteMs
  expect(await feed.reach(minutesAgo(1_500))).toBe(true)
  expect(model.store.bars.length).toBe(1_500)
  expect(await feed.reach(minutesAgo(7_000))).toBe(true)
  expect(model.store.bars.length).toBe(11_500)
  expect(await feed.reach(minutesAgo(20_000))).toBe(true)
  expect(model.store.bars.length).toBe(13_500)
})

test('a time is not reached after an error or a stop', async () => {
  const failing = world(12_000, 5_000)
  failing.snapshot(1_500)
  failing.fail()
  expect(await failing.feed.reach(0)).toBe(false)
  const stopped = world(12_000, 5_000)
  stopped.snapshot(1_500)
  const reached = stopped.feed.reach(0)
  stopped.feed.stop()
  expect(await reached).toBe(false)
})
