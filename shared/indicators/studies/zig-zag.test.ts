// Zig Zag: small swings by hand, the projection, the limit, and 10,000 bars against a slow reference.
import { describe, expect, test } from 'vitest'
import { resolveInputs } from '../lib/study-input.ts'
import { type StudyContext } from '../lib/study.ts'
import { contextOf, expectClose, flatRows } from '../testing/contexts.ts'
import { randomContext } from '../testing/random-bars.ts'
import { deviationFor, zigZag } from './zig-zag.ts'

const none = Number.NaN

function corners(context: StudyContext, given: object) {
  const state = zigZag.create(given, context)
  state.full()
  const { points } = state
  if (points === null) throw new Error('no points')
  return Array.from({ length: points.count }, (_, at) => ({
    index: points.index[at] ?? none,
    price: points.price[at] ?? none,
    side: points.side[at] ?? none,
    volume: points.volume[at] ?? none,
    change: points.change[at] ?? none,
    percent: points.changePercent[at] ?? none,
    isProjected: points.isProjected[at] === 1,
  }))
}

const places = (context: StudyContext, given: object) =>
  corners(context, given).map(({ index, price, isProjected }) => [index, price, ...(isProjected ? ['projected'] : [])])

describe('default deviation', () => {
  test.each([
    ['1', 'crypto', 0.13],
    ['15', 'crypto', 0.51],
    ['60', 'crypto', 1.02],
    ['240', 'crypto', 2.04],
    ['1', 'nse-equity', 0.08],
    ['1', 'nse-index', 0.05],
    ['5', 'nse-index', 0.12],
    ['15', 'bse-index', 0.2],
    ['60', 'cme', 0.41],
    ['60', 'comex', 0.41],
    ['60', 'metals', 0.41],
    ['1', 'fx', 0.02],
    ['15', 'fx', 0.08],
    ['1D', 'fx', 5],
    ['1W', 'nse-index', 5],
    ['1M', 'crypto', 5],
  ] as const)('for %s on %s is %s %%', (timeframe, sessionClass, expected) => {
    expect(deviationFor({ timeframe, sessionClass })).toBe(expected)
    expect(resolveInputs(zigZag, {}, { timeframe, sessionClass })).toMatchObject({ deviationPercent: expected })
    expect(resolveInputs(zigZag, { deviationPercent: 5 }, { timeframe, sessionClass })).toMatchObject({ deviationPercent: 5 })
  })

  test("draws swings on the minutes of an index, and is overridden by the user's number", () => {
    const context: StudyContext = { ...randomContext({ count: 1_000, seed: 8 }), timeframe: '1' }
    expect(corners(context, {}).length).toBeGreaterThan(20)
    expect(corners(context, {})).toEqual(corners(context, { deviationPercent: 0.05 }))
    expect(corners(context, { deviationPercent: 5 }).length).toBeLessThan(10)
  })
})

describe('with one bar on each side', () => {
  const given = { deviationPercent: 5, legs: 2 }
  test.each([
    ['a rise alone has no corner', [100, 101, 102, 103], []],
    ['a high that is confirmed starts it', [100, 110, 109], [[1, 110]]],
    ['a fall below the deviation is nothing', [100, 110, 105, 106], [[1, 110]]],
    [
      'a fall beyond it is a corner',
      [100, 110, 104, 105],
      [
        [1, 110],
        [2, 104],
      ],
    ],
    [
      'an unconfirmed fall is projected',
      [100, 110, 104],
      [
        [1, 110],
        [2, 104, 'projected'],
      ],
    ],
    [
      'exactly the deviation is enough',
      [90, 100, 95, 96],
      [
        [1, 100],
        [2, 95],
      ],
    ],
    ['a further high moves the corner', [100, 110, 108, 115, 114], [[3, 115]]],
    ['an equal high later stays with the first', [100, 110, 108, 110, 109], [[1, 110]]],
    ['a high that is not confirmed yet takes the place of the last corner', [100, 110, 108, 115], [[3, 115, 'projected']]],
    ['a plateau counts at its first bar', [100, 110, 110, 108], [[1, 110]]],
  ] as const)('%s', (_, closes, expected) => {
    expect(places(contextOf(flatRows(closes)), given)).toEqual(expected)
  })

  test('a leg has its volume, change and percentage', () => {
    const [start, end] = corners(contextOf(flatRows([100, 110, 105, 99, 101], 10)), given)
    expect(start).toMatchObject({ index: 1, side: 1, volume: none, change: none, percent: none })
    expect(end).toMatchObject({ index: 3, side: -1, volume: 20, change: -11, percent: -10, isProjected: false })
  })

  test('a leg with a bar of unknown volume, or of an instrument without, has no volume', () => {
    const context = contextOf(flatRows([100, 110, 105, 99, 101], 10))
    context.bars.volume[2] = none
    expect(corners(context, given)[1]?.volume).toBeNaN()
    expect(corners({ ...contextOf(flatRows([100, 110, 105, 99, 101], 10)), hasVolume: false }, given)[1]?.volume).toBeNaN()
  })
})

test('a reversal before the more extreme high keeps the corner and is projected itself', () => {
  // Three bars on each side: high at 3, low at 7 and higher high at 8, both unconfirmed.
  const closes = [90, 91, 92, 110, 100, 99, 98, 97, 111]
  expect(places(contextOf(flatRows(closes)), { deviationPercent: 5, legs: 6 })).toEqual([
    [3, 110],
    [7, 97, 'projected'],
  ])
})

test('a high equal to an earlier one within reach is not a pivot, even if that one is not either', () => {
  expect(places(contextOf(flatRows([112, 100, 110, 105, 110, 100, 99])), { deviationPercent: 5, legs: 4 })).toEqual([])
})

test('only the latest 500 legs are kept', () => {
  const closes = Array.from({ length: 3000 }, (_, index) => (index % 2 === 0 ? 100 : 200))
  const all = corners(contextOf(flatRows(closes)), { deviationPercent: 5, legs: 2 })
  expect(all.length).toBeGreaterThan(490)
  expect(all.length).toBeLessThanOrEqual(501)
  expect(all.at(-1)).toMatchObject({ index: 2999, isProjected: true })
})

/** Pivots by inspecting whole windows in order; then the projection by the same definition. */
function slowCorners({ bars }: StudyContext, deviation: number, reach: number) {
  const last = bars.length - 1
  type Corner = { index: number; price: number; side: number }
  const column = (side: number) => (side > 0 ? bars.high : bars.low)
  const left = (index: number, side: number) =>
    index >= reach &&
    column(side)
      .slice(index - reach, index)
      .every((value) => value * side < (column(side)[index] ?? none) * side)
  const right = (index: number, side: number) =>
    column(side)
      .slice(index + 1, index + reach + 1)
      .every((value) => value * side <= (column(side)[index] ?? none) * side)
  const isFar = (from: Corner, price: number) => (Math.abs(price - from.price) / from.price) * 100 >= deviation
  const line: Corner[] = []
  for (let index = 0; index <= last - reach; index += 1) {
    for (const side of [1, -1]) {
      if (!left(index, side) || !right(index, side)) continue
      const corner = { index, side, price: column(side)[index] ?? none }
      const end = line.at(-1)
      if (end === undefined || (end.side !== side && isFar(end, corner.price))) line.push(corner)
      else if (end.side === side && corner.price * side > end.price * side) line[line.length - 1] = corner
    }
  }
  const end = line.at(-1)
  if (end === undefined) return line
  const open = Array.from({ length: reach }, (_, back) => last - back).filter((index) => index > end.index)
  const best = (side: number): Corner | undefined =>
    open
      .filter((index) => left(index, side))
      .map((index) => ({ index, side, price: column(side)[index] ?? none }))
      .toSorted((one, other) => (other.price - one.price) * side || one.index - other.index)[0]
  const [further, reversal] = [best(end.side), best(-end.side)]
  const isReversal = reversal !== undefined && isFar(end, reversal.price)
  if (further !== undefined && further.price * end.side > end.price * end.side && !(isReversal && reversal.index < further.index)) {
    line[line.length - 1] = further
  } else if (isReversal) line.push(reversal)
  return line
}

test.each([
  [0.2, 4],
  [0.5, 10],
  [3, 10],
  [0.5, 100],
])('with %s %% and %s legs the corners of 10,000 bars, cut at 20 bars, equal the slow reference', (deviationPercent, legs) => {
  const context = randomContext({ count: 10_000, seed: 13 })
  for (let cut = 0; cut < 20; cut += 1) {
    context.bars.length = 10_000 - cut
    const ours = corners(context, { deviationPercent, legs })
    const whole = slowCorners(context, deviationPercent, legs / 2)
    const slow = whole.slice(-ours.length)
    expect(ours.length).toBeGreaterThan(5)
    expect(ours.length).toBeGreaterThanOrEqual(Math.min(whole.length, 498))
    expect(ours.map(({ index, side }) => [index, side])).toEqual(slow.map(({ index, side }) => [index, side]))
    expectClose(
      ours.map(({ price }) => price),
      slow.map(({ price }) => price),
    )
    const changes = slow.map(({ price }, at) => price - (slow[at - 1]?.price ?? none))
    expectClose(
      ours.map(({ change }) => change),
      changes,
      1,
    )
    const legVolumes = slow.map(({ index }, at) =>
      context.bars.volume.slice((slow[at - 1]?.index ?? 0) + 1, index + 1).reduce((sum, volume) => sum + volume, 0),
    )
    expectClose(
      ours.map(({ volume }) => volume),
      legVolumes,
      1,
    )
  }
})
