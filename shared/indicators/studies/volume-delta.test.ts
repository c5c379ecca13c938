// Volume Delta: each source by hand, their precedence, and the running sum against a slow reference.
import { describe, expect, test } from 'vitest'
import { knownTimeframes } from '#shared/candles/timeframe.ts'
import { createBarColumns } from '../lib/bar-columns.ts'
import { type Intrabars } from '../lib/study.ts'
import { columnOf, contextOf, expectClose } from '../testing/contexts.ts'
import { intrabarsPerBar, randomContext } from '../testing/random-bars.ts'
import { intrabarTimeframe, volumeDelta } from './volume-delta.ts'

const none = Number.NaN
type Part = readonly [open: number, close: number, volume: number, takerBuyVolume?: number]

function intrabarsOf(parts: readonly Part[], firstIndex: readonly number[]): Intrabars {
  const bars = createBarColumns(parts.length)
  for (const [index, [open, close, volume, takerBuyVolume = none]] of parts.entries()) {
    bars.open[index] = open
    bars.close[index] = close
    bars.volume[index] = volume
    bars.takerBuyVolume[index] = takerBuyVolume
  }
  bars.length = parts.length
  return { bars, firstIndex: Int32Array.from(firstIndex) }
}

function candles(context: ReturnType<typeof contextOf>): number[][] {
  const state = volumeDelta.create({}, context)
  state.full()
  const columns = ['high', 'low', 'close', 'provenance'].map((name) => columnOf(state, name, context.bars.length))
  return columnOf(state, 'close', context.bars.length).map((_, index) => columns.map((column) => column[index] ?? none))
}

describe('the bar itself', () => {
  test.each([
    ['without volume', [10, 12, 9, 11], [none, none, none, none]],
    ['with taker volume: 2V - v', [10, 12, 9, 11, 100, 60], [20, 0, 20, 0]],
    ['sold more than bought', [10, 12, 9, 11, 100, 10], [0, -80, -80, 0]],
    ['by its shape', [10, 12, 8, 11, 100], [50, 0, 50, 2]],
    ['closed at its low', [10, 12, 8, 8, 100], [0, -100, -100, 2]],
    ['without a range', [10, 10, 10, 10, 100], [0, 0, 0, 2]],
    ['with a volume of zero', [10, 12, 8, 11, 0], [0, 0, 0, 2]],
  ] as const)('%s', (_, row, expected) => {
    expect(candles(contextOf([row]))).toEqual([[...expected]])
  })
})

describe('intrabars', () => {
  const row = [10, 12, 8, 11, 100] as const

  test('count by sign; an equal one by the previous close, and if that is equal too by the previous sign', () => {
    const parts: Part[] = [
      [10, 10, 7],
      [10, 11, 10],
      [12, 11, 30],
      [11, 11, 5],
      [12, 12, 4],
      [12, 12, 3],
    ]
    // 0, +10, -30, -5 (previous sign), +4 (above the previous close), +3 (previous sign).
    expect(candles(contextOf([row], { intrabars: intrabarsOf(parts, [0]) }))).toEqual([[10, -25, -18, 1]])
  })

  test('carry the sign over to the next chart bar, whose sum restarts', () => {
    const parts: Part[] = [
      [10, 9, 10],
      [9, 9, 20],
      [9, 9, 5],
    ]
    expect(candles(contextOf([row, row], { intrabars: intrabarsOf(parts, [0, 2]) }))).toEqual([
      [0, -30, -30, 1],
      [0, -5, -5, 1],
    ])
  })

  test('with taker volume take precedence over everything else', () => {
    const parts: Part[] = [
      [10, 9, 10, 9],
      [9, 8, 20, 1],
    ]
    expect(candles(contextOf([[10, 12, 8, 11, 30, 10]], { intrabars: intrabarsOf(parts, [0]) }))).toEqual([[8, -10, -10, 0]])
  })

  test('are replaced by the taker volume of the bar, and by its shape if their volume is unknown', () => {
    const intrabars = intrabarsOf([[10, 9, 10]], [0])
    expect(candles(contextOf([[10, 12, 8, 11, 30, 20]], { intrabars }))).toEqual([[10, 0, 10, 0]])
    expect(candles(contextOf([row], { intrabars: intrabarsOf([[10, 9, none]], [0]) }))).toEqual([[50, 0, 50, 2]])
  })

  test('are only used if there are any', () => {
    const intrabars = intrabarsOf([[10, 9, 10]], [0, 0])
    expect(candles(contextOf([row, row], { intrabars })).map((candle) => candle[3])).toEqual([2, 1])
  })
})

test.each([
  ['taker volume', true, 0],
  ['signs', false, 1],
])('the running sum over 10,000 bars by %s equals the slow reference', (_, hasTaker, provenance) => {
  const context = randomContext({ count: 10_000, seed: 11, hasTaker })
  const { open, close, volume, takerBuyVolume } = context.intrabars.bars
  let sign = 0
  const parts = [...close].map((value, index) => {
    const own = Math.sign(value - (open[index] ?? none))
    sign = own || Math.sign(value - (close[index - 1] ?? value)) || sign
    return hasTaker ? 2 * (takerBuyVolume[index] ?? none) - (volume[index] ?? none) : sign * (volume[index] ?? none)
  })
  const paths = Array.from({ length: 10_000 }, (_, index) => {
    const path = [0]
    for (const part of parts.slice(index * intrabarsPerBar, (index + 1) * intrabarsPerBar)) path.push((path.at(-1) ?? none) + part)
    return path
  })
  const ours = candles(context)
  expectClose(
    ours.map((candle) => candle[0] ?? none),
    paths.map((path) => Math.max(...path)),
  )
  expectClose(
    ours.map((candle) => candle[1] ?? none),
    paths.map((path) => Math.min(...path)),
  )
  expectClose(
    ours.map((candle) => candle[2] ?? none),
    paths.map((path) => path.at(-1) ?? none),
  )
  expect(new Set(ours.map((candle) => candle[3]))).toEqual(new Set([provenance]))
})

test('the provenance is that of the latest bar', () => {
  const context = contextOf([
    [10, 12, 9, 11, 100, 60],
    [10, 12, 9, 11, 100],
  ])
  const state = volumeDelta.create({}, context)
  state.full()
  expect(state.provenance).toBe('bar-shape')
})

test('the intrabar timeframes are 1m within the day, none at 1m, 5m for a day and 1h above', () => {
  expect(knownTimeframes.map((timeframe) => intrabarTimeframe(timeframe))).toEqual([
    undefined,
    '1',
    '1',
    '1',
    '1',
    '1',
    '1',
    '1',
    '5',
    '60',
    '60',
  ])
})
