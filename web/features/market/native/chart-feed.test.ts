// Older candles that a study needs are loaded by themselves, as far as there are any.
import { expect, test } from 'vitest'
import { findInstrument } from '#shared/market/instruments.ts'
import type { CandleRow } from '#shared/market/live.ts'
import type { LiveListener } from '../live/live-socket.ts'
import type { CandleSource, OlderWish } from './candle-source.ts'
import { chartFeed } from './chart-feed.ts'
import { chartModel } from './chart-model.ts'

const minuteMs = 60_000
const nowMs = Date.parse('2026-11-20T00:00Z')
const rows = (toMs: number, count: number): CandleRow[] =>
  Array.from({ length: count }, (_, index) => [toMs - (count - index) * minuteMs, 10, 11, 9, 10, 1, null])
const settle = () => new Promise<void>((resolve) => void setTimeout(resolve, 0))

/** A server that gives at most `perPage` candles a page and has `left` before the first ones. */
function world(left: number, perPage: number) {
  const instrument = findInstrument('btc-usdt')
  if (instrument === undefined) throw new Error('no instrument')
  const asked: OlderWish[] = []
  const starts: boolean[] = []
  let listener: LiveListener | undefined
  let remaining = left
  const source: CandleSource = {
    open(_wish, given) {
      listener = given
      return () => undefined
    },
    older(wish) {
      asked.push(wish)
      const count = Math.min(perPage, wish.limit, remaining)
      remaining -= count
      return Promise.resolve({ candles: rows(wish.toMs, count), hasOlder: remaining > 0, startsAtMs: null })
    },
    clockOffsetMs: () => 0,
  }
  const ignore = () => undefined
  const model = chartModel(instrument, '1', 'candles')
  const feed = chartFeed({
    wish: { slug: 'btc-usdt', timeframe: '1' },
    source,
    model,
    onData: ignore,
    onOlder: ignore,
    onStart: (isStart) => void starts.push(isStart),
    onCondition: ignore,
    onConnected: ignore,
    onEnded: ignore,
  })
  const snapshot = (count: number) =>
    listener?.snapshot({
      candles: rows(nowMs, count),
      hasOlder: left > 0,
      startsAtMs: left > 0 ? null : nowMs - count * minuteMs,
      condition: { label: null, sessionClass: 'crypto', isStale: false, reason: null },
    })
  return { asked, feed, model, snapshot, starts }
}

test('pages are loaded until there are enough, whether they are wanted before or after the first candles', async () => {
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

test('what there is not is not asked for again and again', async () => {
  const { asked, feed, model, snapshot } = world(20, 60)
  feed.want(1_581)
  snapshot(1_500)
  await settle()
  expect([asked.length, model.store.bars.length]).toEqual([1, 1_520])
  feed.stop()
})

test('candles that were all replaced while a page came are filled up again', async () => {
  const { asked, feed, model, snapshot } = world(10_000, 100)
  feed.want(1_581)
  snapshot(1_500)
  snapshot(1_500)
  await settle()
  expect([asked.length, model.store.bars.length]).toEqual([2, 1_600])
})

test('the first bar is the beginning once the source has no older ones', async () => {
  const short = world(0, 60)
  short.snapshot(20)
  expect(short.starts).toEqual([true])

  const long = world(100, 60)
  long.snapshot(20)
  long.feed.want(1_000)
  await settle()
  expect(long.starts).toEqual([false, false, true])
  // All candles anew: the older ones are gone.
  long.snapshot(20)
  expect(long.starts.at(-1)).toBe(false)
})
