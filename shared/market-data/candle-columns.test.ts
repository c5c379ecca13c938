// Snapshots as columns: exactly the same candles, and rows where that is impossible.
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { columnsOf, rowsOf, type CandleColumns } from './candle-columns.ts'
import type { CandleRow } from './candle-row.ts'

const minuteMs = 60_000

test('a price with more decimals than columns can hold exactly is not put into columns', () => {
  expect(columnsOf([[0, 1.123456789, 2, 1, 2, null, null]])).toBeUndefined()
  expect(columnsOf([[0, 1 / 3, 2, 0.1, 2, null, null]])).toBeUndefined()
  expect(columnsOf([[0, 2 ** 53, 2 ** 53, 1, 1.5, null, null]])).toBeUndefined()
})

test('no candles', () => {
  expect(rowsOf(columnsOf([]) as CandleColumns)).toEqual([])
})

test('candles of a minute, with a gap, cost a few characters each', () => {
  const rows: CandleRow[] = [
    [29_000_000 * minuteMs, 24_510.35, 24_512.1, 24_508.2, 24_511, null, null],
    [29_000_001 * minuteMs, 24_511, 24_513.4, 24_510.05, 24_512.25, null, null],
    [29_000_900 * minuteMs, 24_600, 24_600, 24_600, 24_600, null, null],
  ]
  const columns = columnsOf(rows)
  expect(columns).toEqual({
    d: 2,
    u: minuteMs,
    t: [29_000_000, 1, 1, 1, 899, 1],
    o: [2_451_035, 0, 8_775],
    h: [110, 115, 0],
    l: [215, 95, 0],
    c: [65, 125, 0],
    v: null,
    b: null,
  })
  expect(rowsOf(columns as CandleColumns)).toEqual(rows)
})

test('columns give back the candles they were made of', async () => {
  const price = fc.integer({ min: 1, max: 10_000_000_000 })
  const volume = fc.option(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), { nil: null })
  const candles = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), price, price, price, price, volume, volume), { maxLength: 50 })
  await assertProperty(
    fc.property(candles, fc.integer({ min: 0, max: 6 }), fc.constantFrom(1, minuteMs), (drawn, decimals, unit) => {
      let timeMs = 0
      const rows = drawn.map(([step, open, high, low, close, all, bought]): CandleRow => {
        timeMs += step * unit
        return [
          timeMs,
          ...([open, high, low, close].map((ticks) => ticks / 10 ** decimals) as [number, number, number, number]),
          all,
          bought,
        ]
      })
      expect(rowsOf(JSON.parse(JSON.stringify(columnsOf(rows))) as CandleColumns)).toEqual(rows)
    }),
  )
})
