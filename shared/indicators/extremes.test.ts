// Every study on extreme data: no volume, constant or jumping prices, gaps, a single bar.
import { describe, expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { studies } from './studies.ts'
import { type StudyContext, type StudyState } from './lib/study.ts'
import { type StudyId } from './lib/study-ids.ts'
import { columnOf, contextOf, expectClose, expectSameShown, flatRows } from './testing/contexts.ts'

type Row = Parameters<typeof contextOf>[0][number]

const all = Object.values(studies)
const none = Number.NaN
const slack = 1e-9

/** Inputs with a value after a few bars. */
const short: Partial<Record<StudyId, object>> = {
  sma: { length: 3 },
  ema: { length: 3 },
  rsi: { length: 2 },
  macd: { fastLength: 2, slowLength: 3, signalLength: 2 },
  bollinger: { length: 3 },
  atr: { length: 2 },
  supertrend: { length: 2, multiplier: 1 },
  blockPressure: { length: 3 },
  zigZag: { deviationPercent: 0.1, legs: 4 },
  renkoSRvolume: { atrLength: 2 },
  pricePercentageShadedCandel: { window: 20 },
}

const volumes = fc.constantFrom(0, 0, 1, 0.000_001, 12_345, 1e12, none)
/** The next close: unchanged, moved a little, ten times as high or low, wide, or without prices. */
const moves = fc.record({
  kind: fc.constantFrom('still', 'still', 'move', 'move', 'move', 'jump up', 'jump down', 'wide', 'hole'),
  share: fc.double({ min: -0.01, max: 0.01, noNaN: true }),
  volume: volumes,
  takerShare: fc.constantFrom(0, 0.5, 1, none),
})
const markets = fc.record({
  start: fc.constantFrom(1e-8, 0.05, 100, 24_000, 1e9),
  bars: fc.array(moves, { minLength: 1, maxLength: 80 }),
  hasVolume: fc.boolean(),
  hasPeriods: fc.boolean(),
})
type Market = typeof markets extends fc.Arbitrary<infer M> ? M : never

function rowsOf({ start, bars }: Market): Row[] {
  let price: number = start
  return bars.map(({ kind, share, volume, takerShare }) => {
    if (kind === 'hole') return [none, none, none, none, volume, none]
    const open = kind === 'jump up' ? Math.min(price * 10, 1e10) : kind === 'jump down' ? Math.max(price / 10, 1e-9) : price
    const close = kind === 'still' ? open : open * (1 + share)
    const wick = kind === 'wide' ? open * 0.05 : 0
    price = close
    return [open, Math.max(open, close) + wick, Math.min(open, close) - wick, close, volume, volume * takerShare]
  })
}

function contextFor(market: Market): StudyContext {
  const rows = rowsOf(market)
  const ids = (per: number) => Float64Array.from(rows, (_, index) => Math.floor(index / per))
  const periods = { dayId: ids(7), weekId: ids(20), monthId: ids(40) }
  return contextOf(rows, { hasVolume: market.hasVolume, tickSize: 0.05, ...(market.hasPeriods ? { periods } : {}) })
}

function fullOf(id: StudyId, context: StudyContext): (name: string) => number[] {
  const state = studies[id].create(short[id], context)
  state.full()
  return (name) => columnOf(state, name, context.bars.length)
}

/** Expects all known values to lie between the limits. */
function expectWithin(values: readonly number[], limits: readonly [low: number, high: number]): void {
  const outside = values.filter((value) => value < limits[0] || value > limits[1])
  expect(outside).toEqual([])
}

/** Expects every output value to be finite or missing. */
function expectNothingEndless({ columns, levels, points }: StudyState, length: number): void {
  for (const column of Object.values(columns)) for (const value of column.subarray(0, length)) expect(Math.abs(value)).not.toBe(Infinity)
  for (const price of levels?.price.subarray(0, levels.count) ?? []) expect(Number.isFinite(price)).toBe(true)
  for (const price of points?.price.subarray(0, points.count) ?? []) expect(Number.isFinite(price)).toBe(true)
}

describe('any market', () => {
  test.each(all)('$id shows no infinite value, and after each bar equals a full computation', async (study) => {
    const property = (market: Market) => {
      const context = contextFor(market)
      const length = context.bars.length
      context.bars.length = 0
      const state = study.create(short[study.id], context)
      state.full()
      for (let index = 0; index < length; index += 1) {
        const close = context.bars.close[index] as number
        context.bars.length = index + 1
        // A tick during the bar, at its low, and then the final bar.
        context.bars.close[index] = context.bars.low[index] as number
        state.append()
        context.bars.close[index] = close
        state.replaceLast()
        const fresh = study.create(short[study.id], context)
        fresh.full()
        expectSameShown(state, fresh, index + 1)
      }
      expectNothingEndless(state, length)
    }
    await assertProperty(fc.property(markets, property), { numRuns: 40 })
  })

  test('every value keeps its limits', async () => {
    const property = (market: Market) => {
      const context = contextFor(market)
      const { high, low, length } = context.bars
      expectWithin(fullOf('rsi', context)('rsi'), [0, 100])
      expectWithin(fullOf('atr', context)('atr'), [0, Number.MAX_VALUE])
      expectWithin(fullOf('blockPressure', context)('pressure'), [-100 - slack, 100 + slack])
      expectWithin(fullOf('blockPressure', context)('blocks'), [0, 10])
      expectWithin(fullOf('pricePercentageShadedCandel', context)('alpha'), [0.15, 1])
      const highest = Math.max(...[...high.subarray(0, length)].filter((value) => !Number.isNaN(value)))
      const lowest = Math.min(...[...low.subarray(0, length)].filter((value) => !Number.isNaN(value)))
      const inside = [lowest * (1 - slack), highest * (1 + slack)] as const
      for (const [id, name] of [
        ['sma', 'sma'],
        ['ema', 'ema'],
        ['bollinger', 'middle'],
        ['vwap', 'vwap'],
      ] as const) {
        expectWithin(fullOf(id, context)(name), inside)
      }
      const bands = fullOf('bollinger', context)
      const [upper, lower, middle] = [bands('upper'), bands('lower'), bands('middle')]
      // Bands exist wherever the middle does, however narrow.
      expect(upper.map(Number.isNaN)).toEqual(middle.map(Number.isNaN))
      expectWithin(
        upper.map((value, index) => value - (lower[index] ?? none)),
        [0, Number.MAX_VALUE],
      )
      const delta = fullOf('volumeDelta', context)
      const closes = delta('close')
      expectWithin(
        delta('high').map((value, index) => value - Math.max(0, closes[index] ?? none)),
        [0, Number.MAX_VALUE],
      )
      expectWithin(
        delta('low').map((value, index) => value - Math.min(0, closes[index] ?? none)),
        [-Number.MAX_VALUE, 0],
      )
    }
    await assertProperty(fc.property(markets, property), { numRuns: 300 })
  })
})

describe('constant prices', () => {
  test.each([1e-8, 0.1, 24_000.05, 1e9])('at %d: averages equal the price, ranges are 0, and no value is missing', (price) => {
    const context = contextOf(
      flatRows(
        Array.from({ length: 200 }, () => price),
        10,
      ),
    )
    const tail = (id: StudyId, name: string) => fullOf(id, context)(name).slice(10)
    const same = (value: number) => Array.from({ length: 190 }, () => value)
    for (const [id, name] of [
      ['sma', 'sma'],
      ['ema', 'ema'],
      ['bollinger', 'middle'],
      ['bollinger', 'upper'],
      ['bollinger', 'lower'],
    ] as const) {
      expectClose(
        tail(id, name).map((value) => value / price),
        same(1),
      )
    }
    for (const [id, name] of [
      ['atr', 'atr'],
      ['macd', 'macd'],
      ['macd', 'signal'],
      ['blockPressure', 'pressure'],
    ] as const) {
      expectClose(
        tail(id, name).map((value) => value / price),
        same(0),
      )
    }
    expectClose(tail('rsi', 'rsi'), same(100))
    expectClose(tail('blockPressure', 'blocks'), same(5))
    expectClose(tail('pricePercentageShadedCandel', 'direction'), same(0))
    expectClose(tail('pricePercentageShadedCandel', 'alpha'), same(1))
    expectClose(
      tail('supertrend', 'supertrend').map((value) => value / price),
      same(1),
    )
  })
})

describe('bars without volume', () => {
  test('have no weighted value, and later bars have one again', () => {
    const rows: Row[] = Array.from({ length: 12 }, (_, index) => [100, 101, 99, 100.5, index < 6 ? 0 : 7, none])
    const ids = new Float64Array(12).fill(1)
    const context = contextOf(rows, { periods: { dayId: ids, weekId: ids, monthId: ids } })
    for (const [id, name] of [
      ['vwap', 'vwap'],
      ['blockPressure', 'pressure'],
    ] as const) {
      const isMissing = fullOf(id, context)(name).map(Number.isNaN)
      expect(isMissing.slice(2, 6)).toEqual([true, true, true, true])
      expect(isMissing.slice(6)).toEqual([false, false, false, false, false, false])
    }
    expectClose(fullOf('volumeDelta', context)('close').slice(0, 6), [0, 0, 0, 0, 0, 0])
  })
})

describe('gaps', () => {
  test.each(['sma', 'bollinger', 'blockPressure'] as const)('%s has no value while a gap is in its window, and not longer', (id) => {
    const rows: Row[] = Array.from({ length: 14 }, (_, index) =>
      index === 5 ? [none, none, none, none, none, none] : [100, 101, 99, 100 + index / 10, 5, none],
    )
    const name = { sma: 'sma', bollinger: 'upper', blockPressure: 'pressure' }[id]
    const isMissing = fullOf(id, contextOf(rows))(name).map(Number.isNaN)
    expect(isMissing.flatMap((missing, index) => (missing ? [index] : []))).toEqual([0, 1, 5, 6, 7])
  })

  test.each(['ema', 'rsi', 'atr', 'macd', 'supertrend'] as const)('%s skips a gap as if it did not exist', (id) => {
    const whole: Row[] = Array.from({ length: 20 }, (_, index) => [100 + index, 103 + index, 98, 101 + ((index * 7) % 5), 5, none])
    const holed = whole.toSpliced(9, 0, [none, none, none, none, none, none])
    const name = id
    const shown = fullOf(id, contextOf(holed))(name)
    expect(shown[9]).toBeNaN()
    expectClose(shown.toSpliced(9, 1), fullOf(id, contextOf(whole))(name))
  })
})
