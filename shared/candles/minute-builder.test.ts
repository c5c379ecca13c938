// Minutes from trades and quotes: in order, out of order, and against the trades themselves.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { minuteMs } from '#shared/base/durations.ts'
import { minuteBuilder, type Price } from './minute-builder.ts'

const noonMs = Date.parse('2026-11-20T12:00Z')

/** A trade this many seconds after noon; a taker buy by default. */
function trade(seconds: number, price: number, size: number | null = 1, isTakerBuy: boolean | null = true): Price {
  return { timeMs: noonMs + seconds * 1000, price, size, isTakerBuy }
}

function build(...prices: readonly Price[]) {
  const builder = minuteBuilder()
  return prices.map((price) => builder.add(price))
}

describe('a price that arrives too late', () => {
  it('is older than the minute before the newest', () => {
    expect(build(trade(125, 10), trade(59, 11)).at(-1)).toBeNull()
  })

  it('is ignored', () => {
    expect(build(trade(125, 10), trade(59, 11), trade(126, 12)).at(-1)).toMatchObject({ open: 10, high: 12, low: 10, volume: 2 })
  })
})

describe('a minute', () => {
  it('is built trade by trade', () => {
    expect(build(trade(0, 10, 2), trade(20, 12, 1, false), trade(59.999, 9, 4))).toEqual([
      { timeMs: noonMs, open: 10, high: 10, low: 10, close: 10, volume: 2, takerBuyVolume: 2 },
      { timeMs: noonMs, open: 10, high: 12, low: 10, close: 12, volume: 3, takerBuyVolume: 2 },
      { timeMs: noonMs, open: 10, high: 12, low: 9, close: 9, volume: 7, takerBuyVolume: 6 },
    ])
  })

  it('starts exactly on the minute', () => {
    expect(build(trade(59.999, 10), trade(60, 11)).map((candle) => candle?.timeMs)).toEqual([noonMs, noonMs + minuteMs])
  })

  it('inserts a late trade at its time, in the newest minute and the one before', () => {
    expect(build(trade(10, 10), trade(30, 20), trade(5, 7), trade(20, 15)).at(-1)).toMatchObject({ open: 7, close: 20 })
    expect(build(trade(10, 10), trade(70, 20), trade(50, 7)).at(-1)).toMatchObject({
      timeMs: noonMs,
      open: 10,
      low: 7,
      close: 7,
      volume: 2,
    })
    expect(build(trade(70, 20), trade(50, 7)).at(-1)).toMatchObject({ timeMs: noonMs, open: 7, volume: 1 })
  })

  it('closes with the last arrival of two simultaneous trades', () => {
    expect(build(trade(10, 10), trade(10, 11)).at(-1)).toMatchObject({ open: 10, close: 11 })
  })

  it('has no volume while there are only quotes, and no taker volume once a side is unknown', () => {
    expect(build(trade(1, 10, null, null), trade(2, 11, null, null)).at(-1)).toMatchObject({ volume: null, takerBuyVolume: null })
    expect(build(trade(1, 10, null, null), trade(2, 11, 3)).at(-1)).toMatchObject({ volume: 3, takerBuyVolume: 3 })
    expect(build(trade(1, 10, 3), trade(2, 11, null, null)).at(-1)).toMatchObject({ volume: 3, takerBuyVolume: 3 })
    expect(build(trade(1, 10, 3), trade(2, 11, 2, null)).at(-1)).toMatchObject({ volume: 5, takerBuyVolume: null })
  })
})

it('equals the minute of the sorted trades, whatever the order within two minutes', async () => {
  const prices = fc.array(
    fc.record({
      seconds: fc.integer({ min: 0, max: 119 }),
      price: fc.integer({ min: 1, max: 50 }),
      size: fc.nat(9),
      isTakerBuy: fc.boolean(),
    }),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  await assertProperty(
    fc.property(prices, (rows) => {
      const trades = rows.map(({ seconds, price, size, isTakerBuy }, index) => ({
        ...trade(seconds, price, size, isTakerBuy),
        // Unique times, because simultaneous trades depend on the order of arrival.
        timeMs: noonMs + seconds * 1000 + index,
      }))
      const builder = minuteBuilder()
      const made = new Map(trades.map((each) => [Math.floor(each.timeMs / minuteMs), builder.add(each)]))
      for (const [minute, candle] of made) {
        const own = trades
          .filter(({ timeMs }) => Math.floor(timeMs / minuteMs) === minute)
          .toSorted((one, other) => one.timeMs - other.timeMs)
        const sum = (list: readonly Price[]) => list.reduce((total, { size }) => total + (size ?? 0), 0)
        expect(candle).toEqual({
          timeMs: minute * minuteMs,
          open: own[0]?.price,
          high: Math.max(...own.map(({ price }) => price)),
          low: Math.min(...own.map(({ price }) => price)),
          close: own.at(-1)?.price,
          volume: sum(own),
          takerBuyVolume: sum(own.filter(({ isTakerBuy }) => isTakerBuy)),
        })
      }
    }),
    { numRuns: 300 },
  )
})
