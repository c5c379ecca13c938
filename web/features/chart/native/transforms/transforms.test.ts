// Heikin Ashi and Renko: checked by hand, and incremental against full computation.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import { barStore, plainBars, type BarStore } from '../bar-store.ts'
import { heikinAshi } from './heikin-ashi.ts'
import { Renko } from './renko.ts'
import type { ShownBars } from './display-bars.ts'

function rowsOf(closes: readonly number[]): CandleRow[] {
  return closes.map((close, at) => [at * 60_000, close, close + 0.5, close - 0.5, close, 10, null])
}

function storeOf(rows: readonly CandleRow[]): BarStore {
  const store = barStore()
  store.reset(rows)
  return store
}

function textOf({ bars }: ShownBars): string[] {
  return Array.from({ length: bars.length }, (_, at) =>
    [bars.timeMs, bars.open, bars.high, bars.low, bars.close, bars.volume].map((column) => column[at]?.toFixed(6)).join(' '),
  )
}

describe('Heikin Ashi', () => {
  it('averages a candle with the previous one', () => {
    const shown = heikinAshi(
      storeOf([
        [0, 10, 14, 8, 12, null, null],
        [60_000, 12, 16, 11, 15, null, null],
      ]),
    )
    shown.full()
    // First: close (10+14+8+12)/4 = 11, open (10+12)/2 = 11. Second: close 13.5, open 11.
    expect(textOf(shown)).toEqual([
      '0.000000 11.000000 14.000000 8.000000 11.000000 NaN',
      '60000.000000 11.000000 16.000000 11.000000 13.500000 NaN',
    ])
  })
})

/** All bars in one period, as in the first hours of a market. */
const onePeriod = () => 0
const hourOf = (timeMs: number) => Math.floor(timeMs / 3_600_000)

describe('Renko', () => {
  /** Flat candles of range 1 fix the brick size at 1 before the price moves. */
  const calm = Array.from({ length: 20 }, () => 100)
  const bricksOf = (moves: readonly number[]) => {
    const store = storeOf(rowsOf(calm))
    const shown = new Renko(store, 0.5, onePeriod)
    shown.full()
    store.reset(rowsOf([...calm, ...moves]))
    shown.full()
    return Array.from({ length: shown.bars.length }, (_, at) => [shown.bars.open[at], shown.bars.close[at]])
  }

  it.each<readonly [string, number[], number[][]]>([
    ['nothing below one brick', [100.9], []],
    [
      'a brick for each whole one',
      [102.2],
      [
        [100, 101],
        [101, 102],
      ],
    ],
    [
      'no brick back before two have been crossed',
      [102, 100.5],
      [
        [100, 101],
        [101, 102],
      ],
    ],
    [
      'a reversal from the other side of the last brick',
      [102, 100],
      [
        [100, 101],
        [101, 102],
        [101, 100],
      ],
    ],
    ['a fall from the start', [98.5], [[100, 99]]],
  ])('draws %s', (_, moves, bricks) => {
    expect(bricksOf(moves)).toEqual(bricks)
  })

  it('removes a brick of the forming candle, and keeps one of a closed candle', () => {
    const store = storeOf(rowsOf([...calm, 101]))
    const shown = new Renko(store, 0.5, onePeriod)
    shown.full()
    expect(shown.bars.length).toBe(1)
    store.merge([[20 * 60_000, 100, 101, 99, 100.4, 10, null]])
    shown.advance()
    expect(shown.bars.length).toBe(0)
    store.merge([[20 * 60_000, 100, 101, 99, 101, 10, null]])
    store.merge([[21 * 60_000, 101, 101, 99, 100.5, 10, null]])
    shown.advance()
    expect(shown.bars.length).toBe(1)
  })

  it('measures its brick before the current period, and again when a period starts', () => {
    const wild = (at: number): CandleRow => [at * 60_000, 100, 104, 96, 100, 10, null]
    // Two hours of range 1, then one of range 8.
    const rows = [...rowsOf(Array.from({ length: 120 }, () => 100)), ...Array.from({ length: 60 }, (_, at) => wild(120 + at))]
    const store = storeOf(rows)
    const shown = new Renko(store, 0.5, hourOf)
    const heightOf = (close: number, at: number) => {
      store.merge([[at * 60_000, 100, close, 100, close, 10, null]])
      shown.advance()
      return Math.abs((shown.bars.close[0] ?? 0) - (shown.bars.open[0] ?? 0))
    }
    shown.full()
    expect(heightOf(120, 179)).toBe(1)
    store.merge([wild(179)])
    expect(heightOf(120, 180)).toBe(8)
  })

  it('shows the same bricks in a chart opened later in the period', async () => {
    const step = fc.integer({ min: -4, max: 4 })
    await assertProperty(
      fc.property(fc.array(step, { minLength: 300, maxLength: 400 }), fc.integer({ min: 1, max: 50 }), (steps, minutes) => {
        let close = 1_000
        const rows = steps.map((by, at): CandleRow => {
          const open = close
          close += by
          return [at * 60_000, open, Math.max(open, close) + 1, Math.min(open, close) - 1, close, 10, null]
        })
        const before = storeOf(rows.slice(0, rows.length - minutes))
        const kept = new Renko(before, 0.5, hourOf)
        kept.full()
        for (const row of rows.slice(rows.length - minutes)) {
          before.merge([row])
          kept.advance()
        }
        // The first load also starts later.
        const fresh = new Renko(storeOf(rows.slice(minutes)), 0.5, hourOf)
        fresh.full()
        // Its first bricks do not know where the earlier ones ended.
        const fourth = [...new Set(fresh.bars.timeMs.subarray(0, fresh.bars.length))][4] ?? Number.POSITIVE_INFINITY
        const settled = textOf(fresh).filter((_, at) => (fresh.bars.timeMs[at] as number) >= fourth)
        expect(textOf(kept).slice(kept.bars.length - settled.length)).toEqual(settled)
      }),
    )
  })
})

describe('every style', () => {
  const price = fc.integer({ min: 80, max: 120 })
  const makers = {
    plain: plainBars,
    heikinAshi,
    renko: (store: BarStore) => new Renko(store, 0.5, onePeriod),
    renkoByHours: (store: BarStore) => new Renko(store, 0.5, hourOf),
  }
  it.each(Object.entries(makers))('%s gives the same result bar by bar and all at once', async (_, make) => {
    await assertProperty(
      fc.property(fc.array(price, { minLength: 3, maxLength: 60 }), fc.integer({ min: 2, max: 30 }), (closes, first) => {
        const rows = rowsOf(closes)
        const start = rows.slice(0, Math.min(first, rows.length))
        const store = storeOf(start)
        const shown = make(store)
        shown.full()
        for (const row of rows.slice(start.length)) {
          // Each candle is first updated with another close before it gets its own.
          store.merge([[row[0], row[1], row[2] + 3, row[3], row[4] + 3, 5, null]])
          shown.advance()
          store.merge([row])
          shown.advance()
        }
        const grown = textOf(shown)
        shown.full()
        expect(grown).toEqual(textOf(shown))
      }),
    )
  })
})
