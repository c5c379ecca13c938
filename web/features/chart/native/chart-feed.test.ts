// History that a study needs is loaded automatically, as far as it exists.
import { expect, test } from 'vitest'
import { findInstrument } from '#shared/instruments/instruments.ts'
import type { CandleRow } from '#shared/market-data/live.ts'
import type { LiveListener } from '#web/features/market-data/live-listener.ts'
import type { CandleSource, BackfillRequest } from '#web/features/market-data/candle-source.ts'
import { ChartFeed } from './chart-feed.ts'
import { ChartModel } from './chart-model.ts'

const minuteMs = 60_000
const nowMs = Date.parse('2026-11-20T00:00Z')
const rows = (toMs: number, count: number): CandleRow[] =>
  Array.from({ length: count }, (_, index) => [toMs - (count - index) * minuteMs, 10, 11, 9, 10, 1, null])
const settle = () => new Promise<void>((resolve) => void setTimeout(resolve, 0))

/** A server with at most `perPage` candles a page and `left` before the first ones. */
function world(left: number, perPage: number) {
  const instrument = findInstrument('btc-usdt')
  if (instrument === undefined) throw new Error('no instrument')
  const asked: BackfillRequest[] = []
  const starts: boolean[] = []
  let listener: LiveListener | undefined
  let remaining = left
  let isFailing = false
  const source: CandleSource = {
    open(_request, given) {
      listener = given
      return () => undefined
    },
    older(request) {
      asked.push(request)
      if (isFailing) return Promise.reject(new Error('the page does not come'))
      const count = Math.min(perPage, request.limit, remaining)
      remaining -= count
      return Promise.resolve({ candles: rows(request.toMs, count), hasOlder: remaining > 0, startsAtMs: null })
    },
    clockOffsetMs: () => 0,
  }
  const ignore = () => undefined
  const model = new ChartModel(instrument, '1', 'candles')
  const feed = new ChartFeed({
    request: { slug: 'btc-usdt', timeframe: '1' },
    source,
    model,
    onReset: ignore,
    onUpdate: ignore,
    onOlder: ignore,
    onStart: (isStart) => void starts.push(isStart),
    onCondition: ignore,
    onConnected: ignore,
    onEnded: ignore,
  })
  feed.open()
  const snapshot = (count: number) =>
    listener?.snapshot({
      candles: rows(nowMs, count),
      hasOlder: left > 0,
      startsAtMs: left > 0 ? null : nowMs - count * minuteMs,
      condition: { label: null, sessionClass: 'crypto', isStale: false, reason: null },
    })
  return { asked, feed, model, snapshot, starts, fail: () => (isFailing = true) }
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
  // A snapshot replaces all candles, including the older ones.
  long.snapshot(20)
  expect(long.starts.at(-1)).toBe(false)
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
