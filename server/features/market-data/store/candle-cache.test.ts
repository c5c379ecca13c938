// Cached candles: the same results as the store, fewer reads, and bounds.
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { minuteMs } from '#shared/base/durations.ts'
import { listStore } from '#server/testing/candles.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { CandleKey } from './candle-store.ts'
import { CandleCache, type CandleChange } from './candle-cache.ts'

const startMs = Date.parse('2026-11-20T06:00:00Z')
const key: CandleKey = { series: 'btc-usdt', source: 'binance', step: '1m' }

/** Minutes are relative to an hour before the clock's start. */
const stampOf = (minute: number): number => startMs - 60 * minuteMs + minute * minuteMs
const candleAt = (minute: number, close = 100): Candle => ({
  timeMs: stampOf(minute),
  open: 100,
  high: 200,
  low: 50,
  close,
  volume: minute % 3 === 0 ? null : minute,
  takerBuyVolume: null,
})

function world(options: { perKeyMax?: number; totalMax?: number } = {}) {
  const clock = { nowMs: startMs }
  const store = listStore(() => clock.nowMs)
  const memory = new CandleCache(store, { now: () => clock.nowMs, monotonic: () => clock.nowMs, ...options })
  const changes: CandleChange[] = []
  memory.onChange((change) => changes.push(change))
  return { clock, store, memory, changes }
}

test('candles rejected by the store are not cached either', async () => {
  const { store, memory, changes } = world()
  await memory.range(key, { fromMs: stampOf(0), toMs: Infinity })
  store.failNext(new Error('the disk is full'))
  await expect(memory.append(key, [candleAt(1)])).rejects.toThrow('the disk is full')
  expect(await memory.range(key, { fromMs: stampOf(0), toMs: Infinity })).toEqual([])
  expect(changes).toEqual([])
  await memory.append(key, [candleAt(1)])
  expect(await memory.range(key, { fromMs: stampOf(0), toMs: Infinity })).toEqual([candleAt(1)])
})

test('a cached range is returned without the store, appended candles included', async () => {
  const { store, memory } = world()
  await store.append(key, [candleAt(1), candleAt(2), candleAt(3)])
  await memory.range(key, { fromMs: stampOf(0), toMs: Infinity })
  await memory.append(key, [candleAt(5), candleAt(4)])
  const asked = store.reads()
  expect(await memory.range(key, { fromMs: stampOf(2), toMs: stampOf(5) })).toEqual([candleAt(2), candleAt(3), candleAt(4)])
  expect(await memory.range(key, { fromMs: -Infinity, toMs: Infinity, limit: 2 })).toEqual([candleAt(4), candleAt(5)])
  expect(store.reads()).toBe(asked)
})

test('candles stored by another process show after two seconds, a late correction after five minutes, and both on recheck', async () => {
  const { clock, store, memory, changes } = world()
  clock.nowMs += 300 * minuteMs
  await store.append(key, [candleAt(1), candleAt(350)])
  const all = { fromMs: stampOf(0), toMs: Infinity }
  await memory.range(key, all)
  clock.nowMs += 61_000
  await store.append(key, [candleAt(351), candleAt(2)])
  expect(await memory.range(key, all)).toEqual([candleAt(1), candleAt(350), candleAt(351)])
  expect(changes).toEqual([{ key, fromMs: stampOf(351), toMs: stampOf(351) }])
  clock.nowMs += 5 * minuteMs
  expect(await memory.range(key, all)).toEqual([candleAt(1), candleAt(2), candleAt(350), candleAt(351)])
  await store.append(key, [candleAt(3)])
  await memory.recheck(key)
  expect(changes.at(-1)).toEqual({ key, fromMs: stampOf(3), toMs: stampOf(3) })
  expect(await memory.range(key, all)).toContainEqual(candleAt(3))
})

test('no-op corrections change nothing in the cache, as in the store', async () => {
  const { memory, changes } = world()
  const all = { fromMs: stampOf(0), toMs: Infinity }
  const known = { ...candleAt(1), volume: 0.1 + 0.2, takerBuyVolume: 0.1 }
  await memory.range(key, all)
  await memory.append(key, [known])
  await memory.append(key, [{ ...known, volume: 0.3, takerBuyVolume: null }])
  expect(await memory.range(key, all)).toEqual([known])
  expect(changes).toHaveLength(1)
  await memory.append(key, [{ ...known, close: 101, takerBuyVolume: null }])
  expect(await memory.range(key, all)).toEqual([{ ...known, close: 101, takerBuyVolume: null }])
  expect(changes).toHaveLength(2)
})

test('the cache is bounded per key and in total, and results stay complete', async () => {
  const { clock, store, memory } = world({ perKeyMax: 80, totalMax: 100 })
  const candles = Array.from({ length: 180 }, (_, minute) => candleAt(minute - 60))
  const other: CandleKey = { ...key, series: 'eth-usdt' }
  for (const each of [key, other]) await store.append(each, candles.slice(0, 60))
  for (const each of [key, other]) await memory.range(each, { fromMs: stampOf(-10), toMs: Infinity })
  clock.nowMs += 60 * minuteMs
  for (const each of [key, other]) await memory.append(each, candles.slice(60))
  for (const fromMs of [stampOf(-60), stampOf(-10), stampOf(60)]) {
    for (const each of [key, other]) {
      expect(await memory.range(each, { fromMs, toMs: Infinity })).toEqual(candles.filter(({ timeMs }) => timeMs >= fromMs))
    }
  }
  const asked = store.reads()
  await memory.range(other, { fromMs: stampOf(60), toMs: Infinity })
  expect(store.reads()).toBe(asked)
  await memory.range(other, { fromMs: stampOf(-60), toMs: Infinity })
  expect(store.reads()).toBe(asked + 1)
})

const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom('append', 'elsewhere'),
    minutes: fc.array(fc.tuple(fc.integer({ min: 0, max: 59 }), fc.nat(3))),
  }),
  fc.record({
    kind: fc.constant('range'),
    from: fc.integer({ min: -20, max: 60 }),
    to: fc.integer({ min: -20, max: 70 }),
    limit: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('wait'), seconds: fc.constantFrom(1, 3, 400) }),
)

test('for any order of appends and reads, the cache equals the store once it has refreshed', async () => {
  await assertProperty(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { clock, store, memory } = world({ perKeyMax: 70, totalMax: 1_000 })
      for (const each of steps) {
        if ('minutes' in each) {
          const candles = each.minutes.map(([minute, close]) => candleAt(minute, 100 + close))
          if (each.kind === 'append') await memory.append(key, candles)
          else await store.append(key, candles)
          if (each.kind === 'elsewhere') await memory.recheck(key)
        } else if ('seconds' in each) clock.nowMs += each.seconds * 1_000
        else {
          const span = { fromMs: stampOf(each.from), toMs: stampOf(each.to), ...(each.limit === undefined ? {} : { limit: each.limit }) }
          expect(await memory.range(key, span)).toEqual(await store.range(key, span))
        }
      }
    }),
    { numRuns: 300 },
  )
})
