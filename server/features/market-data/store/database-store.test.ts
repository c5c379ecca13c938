// Stored candles: append only, unique timestamps, latest revision wins, with concurrent appends.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { minuteMs } from '#shared/base/durations.ts'
import type { Database } from '#server/db/database.ts'
import { freshDatabase } from '#server/testing/database.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { CandleKey, CandleStore } from './candle-store.ts'
import { databaseStore } from './database-store.ts'

let database: Database
let store: CandleStore
const nowMs = Date.parse('2026-11-20T06:00:00Z')
beforeAll(async () => {
  database = await freshDatabase()
  store = databaseStore({ db: database.db, now: () => nowMs })
})
afterAll(() => database.close())

const everything = { fromMs: 0, toMs: Infinity }
const keyOf = (series: string): CandleKey => ({ series, source: 'binance', step: '1m' })

function candleAt(minute: number, close = 100): Candle {
  return { timeMs: minute * minuteMs, open: 100, high: close + 1, low: 99, close, volume: 5, takerBuyVolume: 2 }
}

test('an invalid candle is left out, and the others of its batch are stored', async () => {
  const key = keyOf('refused')
  const invalid = [{ high: 50 }, { low: 0 }, { open: NaN }, { close: Infinity }, { volume: -1 }]
  await store.append(key, [candleAt(1), ...invalid.map((change, index) => ({ ...candleAt(2 + index), ...change })), candleAt(9)])
  expect(await store.range(key, everything)).toEqual([candleAt(1), candleAt(9)])
  await store.append(key, [{ ...candleAt(10), low: 500 }])
  expect(await store.bounds(key)).toEqual({ firstMs: minuteMs, lastMs: 9 * minuteMs })
})

test('the database allows no update, delete or truncate of candles', async () => {
  await store.append(keyOf('kept'), [candleAt(1)])
  const { db } = database
  await expect(sql`update candles set close = 1`.execute(db)).rejects.toThrow('written once')
  await expect(sql`delete from candles`.execute(db)).rejects.toThrow('written once')
  await expect(sql`truncate candles`.execute(db)).rejects.toThrow('written once')
  expect(await store.range(keyOf('kept'), everything)).toEqual([candleAt(1)])
})

test('candles come back exactly, ascending, within the range and the limit', async () => {
  const key = keyOf('exact')
  const odd: Candle = { ...candleAt(7), open: 0.1 + 0.2, close: 0.1, low: 1e-9, volume: null, takerBuyVolume: null }
  await store.append(key, [candleAt(9), odd, candleAt(8)])
  await store.append(key, [])
  expect(await store.range(key, everything)).toEqual([odd, candleAt(8), candleAt(9)])
  expect(await store.range(key, { fromMs: 8 * minuteMs, toMs: 9 * minuteMs })).toEqual([candleAt(8)])
  expect(await store.range(key, { ...everything, limit: 2 })).toEqual([candleAt(8), candleAt(9)])
  expect(await store.bounds(key)).toEqual({ firstMs: 7 * minuteMs, lastMs: 9 * minuteMs })
})

test('sources and steps are never mixed', async () => {
  const key = keyOf('apart')
  await store.append(key, [candleAt(1)])
  expect(await store.range({ ...key, source: 'kraken' }, everything)).toEqual([])
  expect(await store.range({ ...key, step: '1h' }, everything)).toEqual([])
  expect(await store.range({ ...key, series: 'apart-too' }, everything)).toEqual([])
})

test('a duplicate adds nothing, another value a revision that is read from then on', async () => {
  const key = keyOf('corrected')
  await store.append(key, [candleAt(1), candleAt(2)])
  await store.append(key, [candleAt(2), candleAt(1, 107)])
  await store.append(key, [candleAt(1, 107), candleAt(1, 108)])
  expect(await store.range(key, everything)).toEqual([candleAt(1, 108), candleAt(2)])
  expect(await store.range(key, { ...everything, limit: 2 })).toHaveLength(2)
  const rows = await database.db.selectFrom('candles').select(['time', 'revision', 'close']).where('series', '=', 'corrected').execute()
  expect(rows.map(({ time, revision, close }) => `${Number(time) / minuteMs} ${revision} ${close}`).toSorted()).toEqual([
    '1 0 100',
    '1 1 107',
    '1 2 108',
    '2 0 100',
  ])
})

test('a volume that becomes known is a correction', async () => {
  const key = keyOf('volume')
  await store.append(key, [{ ...candleAt(1), takerBuyVolume: null }])
  await store.append(key, [candleAt(1)])
  expect(await store.range(key, everything)).toEqual([candleAt(1)])
})

test('differently rounded sums and a missing taker volume are not corrections', async () => {
  const key = keyOf('unsaid')
  const known = { ...candleAt(1), volume: 0.1 + 0.2, takerBuyVolume: 0.1 }
  await store.append(key, [known])
  await store.append(key, [{ ...known, takerBuyVolume: null }])
  await store.append(key, [{ ...known, volume: 0.3, takerBuyVolume: null }])
  expect(await store.range(key, everything)).toEqual([known])
  for (const other of [{ takerBuyVolume: 0.2 }, { volume: 0.31, takerBuyVolume: null }, { volume: null, takerBuyVolume: null }]) {
    await store.append(key, [{ ...known, ...other }])
    expect(await store.range(key, everything)).toEqual([{ ...known, ...other }])
  }
})

test('several covered spans are merged with the stored ones in one write', async () => {
  const key = keyOf('covered')
  const spansOf = (...spans: readonly (readonly [number, number])[]) =>
    spans.map(([from, to]) => ({ fromMs: from * minuteMs, toMs: to * minuteMs }))
  await store.append(key, [], spansOf([0, 5], [20, 25], [30, 35], [90, 95]))
  await store.append(key, [candleAt(5)], spansOf([5, 10], [22, 28], [35, 35], [40, 50], [60, 70]))
  expect((await store.coverage(key))['1m']).toEqual(spansOf([0, 10], [20, 28], [30, 35], [40, 50], [60, 70], [90, 95]))
})

test('more than one batch is stored completely', async () => {
  const key = keyOf('many')
  const candles = Array.from({ length: 12_001 }, (_, minute) => candleAt(minute, 100 + (minute % 7)))
  await store.append(key, candles.toReversed())
  expect(await store.range(key, everything)).toEqual(candles)
})

test('two parallel appends of overlapping bars leave each timestamp once, with one of the values', async () => {
  let run = 0
  const stretch = fc.array(fc.record({ minute: fc.integer({ min: 0, max: 30 }), close: fc.constantFrom(100, 101, 102) }), { maxLength: 40 })
  await assertProperty(
    fc.asyncProperty(stretch, stretch, async (one, other) => {
      run += 1
      const key = keyOf(`parallel-${run}`)
      const [first, second] = [one, other].map((rows) => rows.map(({ minute, close }) => candleAt(minute, close))) as [Candle[], Candle[]]
      await Promise.all([store.append(key, first), store.append(key, second), store.append(key, first)])
      const stored = await store.range(key, everything)
      expect(stored.map(({ timeMs }) => timeMs)).toEqual(
        [...new Set([...first, ...second].map(({ timeMs }) => timeMs))].toSorted((a, b) => a - b),
      )
      // The last row of an append counts; the later append wins.
      const last = (candles: Candle[], timeMs: number) => candles.findLast((candle) => candle.timeMs === timeMs)
      for (const candle of stored) expect([last(first, candle.timeMs), last(second, candle.timeMs)]).toContainEqual(candle)
    }),
    { numRuns: 40 },
  )
})

test('concurrent corrections all become revisions', async () => {
  const key = keyOf('race')
  await Promise.all(Array.from({ length: 8 }, (_, index) => store.append(key, [candleAt(1, 100 + index)])))
  const rows = await database.db.selectFrom('candles').select(['revision', 'close']).where('series', '=', 'race').execute()
  expect(rows.map(({ revision }) => revision).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  const newest = rows.toSorted((one, other) => other.revision - one.revision)[0]
  expect((await store.range(key, everything))[0]?.close).toBe(newest?.close)
})
