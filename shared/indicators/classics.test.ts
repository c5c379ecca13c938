// Standard indicators: by hand, and on 10,000 bars against a library and slow reference formulas.
import { ATR, BollingerBands, EMA, MACD, RSI, SMA, SuperTrend, TradingSignal } from 'trading-signals'
import { describe, expect, test } from 'vitest'
import { studies } from './studies.ts'
import { type Study, type StudyContext } from './lib/study.ts'
import { columnOf, contextOf, expectClose, flatRows } from './testing/contexts.ts'
import { randomContext } from './testing/random-bars.ts'

const none = Number.NaN
const count = 10_000
const market = randomContext({ count, seed: 7 })
const { bars } = market
const closes = [...bars.close]
const candles = closes.map((close, index) => ({
  open: bars.open[index] ?? none,
  high: bars.high[index] ?? none,
  low: bars.low[index] ?? none,
  close,
  volume: bars.volume[index] ?? none,
}))

function run(study: Study, context: StudyContext, given?: object) {
  const state = study.create(given, context)
  state.full()
  return (name: string) => columnOf(state, name, context.bars.length)
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** EMA starting with the mean of the first n, as a recursion. */
function slowEma(values: readonly number[], length: number): number[] {
  const out = values.map(() => none)
  const first = values.findIndex((value) => !Number.isNaN(value)) + length - 1
  for (let index = first; index < values.length; index += 1) {
    const before = out[index - 1] ?? none
    const value = values[index] ?? none
    out[index] = index === first ? mean(values.slice(first - length + 1, first + 1)) : (2 * value + (length - 1) * before) / (length + 1)
  }
  return out
}

describe('by hand', () => {
  const rising = contextOf(flatRows([1, 2, 3, 4, 6]))
  test.each([
    ['sma', { length: 3 }, 'sma', [none, none, 2, 3, 13 / 3]],
    ['ema', { length: 3 }, 'ema', [none, none, 2, 3, 4.5]],
    ['rsi', { length: 2 }, 'rsi', [none, none, 100, 100, 100]],
    ['bollinger', { length: 2, deviations: 2 }, 'upper', [none, 2.5, 3.5, 4.5, 7]],
    ['bollinger', { length: 2, deviations: 2 }, 'lower', [none, 0.5, 1.5, 2.5, 3]],
    ['atr', { length: 2 }, 'atr', [none, 0.5, 0.75, 0.875, 1.4375]],
    ['macd', { fastLength: 1, slowLength: 2, signalLength: 2 }, 'macd', [none, 0.5, 0.5, 0.5, 5 / 6]],
  ] as const)('%s %j gives %s', (id, given, column, expected) => {
    expectClose(run(studies[id], rising, given)(column), expected)
  })

  test('RSI of a fall and a rise', () => {
    // Changes -1, +3, +1 with n = 2: G = 1.5 then 1.25, L = 0.5 then 0.25.
    expectClose(run(studies.rsi, contextOf(flatRows([10, 9, 12, 13])), { length: 2 })('rsi'), [none, none, 75, 100 * (1.25 / 1.5)])
  })

  test('VWAP restarts with the session and skips a bar without volume', () => {
    const rows = [
      [10, 12, 9, 12, 100],
      [12, 15, 12, 15, 300],
      [15, 16, 14, 15, none],
      [20, 20, 20, 20, 5],
    ] as const
    const periods = { dayId: Float64Array.of(1, 1, 1, 2), weekId: Float64Array.of(1, 1, 1, 1), monthId: Float64Array.of(1, 1, 1, 1) }
    expectClose(run(studies.vwap, contextOf(rows, { periods }))('vwap'), [11, (1100 + 4200) / 400, none, 20])
    expectClose(run(studies.vwap, contextOf(rows, { periods }), { anchor: 'week' })('vwap'), [11, 13.25, none, 5400 / 405])
  })

  test('a narrow band at a high price keeps its digits', () => {
    const prices = Array.from({ length: 200 }, (_, index) => 1e7 + (index % 2) * 1e-3 + (index > 100 ? 5e6 : 0))
    const context = contextOf(flatRows(prices))
    const upper = run(studies.bollinger, context)('upper')
    expect((upper[199] ?? none) - (1.5e7 + 5e-4)).toBeCloseTo(1e-3, 7)
  })
})

describe('against trading-signals on 10,000 bars', () => {
  test('SMA', () => {
    const library = new SMA(20)
    expectClose(
      run(studies.sma, market)('sma'),
      closes.map((close) => library.update(close, false) ?? none),
    )
  })

  test('EMA, started with the mean of the first prices like ours', () => {
    const library = new EMA(20)
    library.update(mean(closes.slice(0, 20)), false)
    const tail = closes.slice(20).map((close) => library.update(close, false) ?? none)
    expectClose(run(studies.ema, market)('ema').slice(20), tail)
  })

  test('RSI', () => {
    const library = new RSI(14)
    expectClose(
      run(studies.rsi, market)('rsi'),
      closes.map((close) => library.update(close, false) ?? none),
    )
  })

  test('MACD, after its different start has faded', () => {
    const library = new MACD(new EMA(12), new EMA(26), new EMA(9))
    const results = closes.map((close) => library.update(close, false))
    const ours = run(studies.macd, market)
    expectClose(
      ours('macd'),
      results.map((result) => result?.macd ?? none),
      1000,
    )
    expectClose(
      ours('signal'),
      results.map((result) => result?.signal ?? none),
      1000,
    )
    expectClose(
      ours('histogram'),
      results.map((result) => result?.histogram ?? none),
      1000,
    )
  })

  test('Bollinger', () => {
    const library = new BollingerBands(20, 2)
    const results = closes.map((close) => library.update(close, false))
    const ours = run(studies.bollinger, market)
    for (const name of ['middle', 'upper', 'lower'] as const)
      expectClose(
        ours(name),
        results.map((result) => result?.[name] ?? none),
      )
  })

  test('ATR', () => {
    const library = new ATR(14)
    expectClose(
      run(studies.atr, market)('atr'),
      candles.map((candle) => library.update(candle, false) ?? none),
    )
  })

  test('Supertrend and its direction', () => {
    const library = new SuperTrend({ interval: 10, multiplier: 3 })
    const results = candles.map((candle) => library.update(candle, false))
    const ours = run(studies.supertrend, market)
    expectClose(
      ours('supertrend'),
      results.map((result) => result?.supertrend ?? none),
    )
    const directions = results.map((result) => (result === null ? none : result.trend === TradingSignal.BULLISH ? 1 : -1))
    expectClose(ours('direction'), directions)
    expect(new Set(directions.slice(9))).toEqual(new Set([1, -1]))
  })
})

describe('against slow formulas on 10,000 bars', () => {
  test('EMA and MACD from their first value on', () => {
    expectClose(run(studies.ema, market)('ema'), slowEma(closes, 20))
    const [fast, slow] = [slowEma(closes, 12), slowEma(closes, 26)]
    const difference = fast.map((value, index) => value - (slow[index] ?? none))
    const signal = slowEma(difference, 9)
    expectClose(run(studies.macd, market)('macd'), difference)
    expectClose(run(studies.macd, market)('signal'), signal)
  })

  test('VWAP as sums over each session', () => {
    const expected = closes.map((_, index) => {
      const session = candles.slice(index - (index % 75), index + 1)
      const money = session.reduce((sum, { high, low, close, volume }) => sum + ((high + low + close) * volume) / 3, 0)
      return money / session.reduce((sum, { volume }) => sum + volume, 0)
    })
    expectClose(run(studies.vwap, market)('vwap'), expected)
  })
})
