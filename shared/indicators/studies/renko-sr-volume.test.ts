// Renko SR Volume: swings by hand, the automatic brick, and 10,000 bars against a slow reference.
import { describe, expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { automaticBrick } from '../lib/automatic-brick.ts'
import { renkoSRvolume } from './renko-sr-volume.ts'
import { type StudyContext } from '../lib/study.ts'
import { contextOf, expectClose, flatRows } from '../testing/contexts.ts'
import { randomContext } from '../testing/random-bars.ts'

const none = Number.NaN

function levelsOf(context: StudyContext, given: object) {
  const state = renkoSRvolume.create(given, context)
  state.full()
  const { levels } = state
  if (levels === null) throw new Error('no levels')
  return Array.from({ length: levels.count }, (_, at) => ({
    side: levels.code[at] === 0 ? 'R' : 'S',
    price: levels.price[at] ?? none,
    volume: levels.volume[at] ?? none,
    share: levels.share[at] ?? none,
    from: levels.fromIndex[at] ?? none,
    to: levels.toIndex[at] ?? none,
  }))
}

describe('with a brick size of 10 and a volume of 1 per bar', () => {
  const found = (closes: readonly number[], given: object = {}) =>
    levelsOf(contextOf(flatRows(closes, 1)), { brick: 10, ...given }).map(({ side, price, volume }) => [side, price, volume])

  test.each([
    ['one colour has no level', [100, 110, 125, 131], []],
    ['a fall of less than two bricks turns nothing', [100, 130, 111], []],
    ['nor does a rise of less than two', [100, 130, 110, 129], [['R', 130, 2]]],
    ['a fall of two bricks leaves a resistance with the volume up to the edge', [100, 115, 130, 110], [['R', 130, 3]]],
    [
      'bars that form no brick wait for the next one',
      [100, 130, 125, 126, 110, 85, 112],
      [
        ['R', 130, 2],
        ['S', 90, 4],
      ],
    ],
    [
      'a close one brick beyond a level drops it',
      [100, 130, 110, 130, 139],
      [
        ['R', 130, 2],
        ['S', 110, 1],
      ],
    ],
    ['exactly one brick drops it as well', [100, 130, 110, 130, 140], [['S', 110, 1]]],
    ['the bricks of a jump count as one swing', [100, 150, 120], [['R', 150, 2]]],
    [
      'levels within one brick merge, weighted by volume',
      [100, 130, 100, 120, 100],
      [
        ['S', 100, 1],
        ['R', 130 - 10 / 3, 3],
      ],
    ],
  ] as const)('%s', (_, closes, expected) => {
    expect(found(closes)).toEqual(expected)
  })

  test('only the strongest are kept', () => {
    expect(found([100, 130, 100, 120, 100], { levelCount: 1 })).toEqual([['R', 130 - 10 / 3, 3]])
  })

  test('a level extends from the bar of its edge to the last bar, and its share is relative to the total volume', () => {
    const levels = levelsOf(contextOf(flatRows([100, 120, 130, 100, 120, 99], 1)), { brick: 10 })
    expect(levels.map(({ from, to }) => [from, to])).toEqual([
      [3, 5],
      [2, 5],
    ])
    expectClose(
      levels.map(({ share }) => share),
      [1 / 5, 4 / 5],
    )
  })

  test('without volume the true range is used', () => {
    const context = contextOf(flatRows([100, 130, 110]), { hasVolume: false })
    expect(levelsOf(context, { brick: 10 })).toMatchObject([{ side: 'R', price: 130, volume: 30 }])
  })
})

describe('the automatic brick', () => {
  // True ranges of 1, then of 2.03 each: an ATR of 2 bars of 1.7725 after three of them.
  const calm = [
    [10, 10.5, 9.5, 10, 1],
    [10, 11, 8.97, 10, 1],
    [10, 11, 8.97, 10, 1],
  ] as const
  const wild = [10, 30, 8, 30, 1] as const
  const ids = (...days: number[]) => Float64Array.from(days)
  const days = (dayId: Float64Array, monthId = dayId) => ({ periods: { dayId, weekId: dayId, monthId } })

  test.each([
    ['is the average range before the current day in whole ticks', {}, 1.75],
    ['is at least one tick', { tickSize: 5 }, 5],
    ['is that before the current month on a chart of days', { timeframe: '1D', ...days(ids(1, 2, 3, 4, 5), ids(1, 1, 1, 2, 2)) }, 1.75],
  ] as const)('%s', (_, rest, expected) => {
    const context = contextOf([...calm, wild, wild], { ...days(ids(1, 1, 1, 2, 2)), ...rest })
    expect(automaticBrick(context, 4, 2)).toBeCloseTo(expected, 9)
  })

  test('does not change during a day, and changes with the next day', () => {
    const context = contextOf([...calm, wild, wild, wild], days(ids(1, 1, 1, 2, 2, 3)))
    expect(automaticBrick(context, 3, 2)).toBe(automaticBrick(context, 4, 2))
    expect(automaticBrick(context, 5, 2)).toBeGreaterThan(5)
  })

  test('is that of the first closed bars if no earlier day has enough, once there are enough', () => {
    const context = contextOf([...calm, wild, wild], days(ids(1, 1, 1, 1, 1)))
    expect(automaticBrick(context, 1, 2)).toBe(0)
    expect(automaticBrick(context, 2, 2)).toBeCloseTo(1.5, 9)
    expect(automaticBrick(context, 4, 2)).toBeCloseTo(1.5, 9)
    expect(levelsOf({ ...context, bars: { ...context.bars, length: 2 } }, { atrLength: 2 })).toEqual([])
  })

  test('is the same if only the days of the timestamps are known', () => {
    const context = contextOf([...calm, wild, wild])
    context.bars.timeMs.set([0, 1, 2, 86_400_000, 86_400_001])
    expect(automaticBrick(context, 4, 2)).toBeCloseTo(1.75, 9)
  })

  test("is overridden by the user's own number", () => {
    const prices = (given: object) => levelsOf(randomContext({ count: 1_000, seed: 4 }), given).map(({ price }) => price)
    expect(prices({ brick: 40 })).toEqual(prices({ brick: 40, atrLength: 3 }))
    expect(prices({ brick: 40 })).not.toEqual(prices({}))
  })
})

/** The same bars without the oldest ones. */
function withoutOldest(whole: ReturnType<typeof randomContext>, count: number): StudyContext {
  const cut = (column: Float64Array) => column.slice(count)
  const { bars, periods } = whole
  return {
    ...whole,
    bars: {
      length: bars.length - count,
      timeMs: cut(bars.timeMs),
      open: cut(bars.open),
      high: cut(bars.high),
      low: cut(bars.low),
      close: cut(bars.close),
      volume: cut(bars.volume),
      takerBuyVolume: cut(bars.takerBuyVolume),
    },
    periods: { dayId: cut(periods.dayId), weekId: cut(periods.weekId), monthId: cut(periods.monthId) },
  }
}

const tradingDaysPerMonth = 23

test('levels do not depend on history loaded beyond what the study needs', async () => {
  const needed = renkoSRvolume.historyBars?.({}) ?? 0
  expect(needed).toBe(1 + 1_440 + 140)
  await assertProperty(
    fc.property(
      fc.nat(),
      fc.integer({ min: 1, max: 2_000 }),
      fc.boolean(),
      fc.constantFrom('1', '5', '1D'),
      (seed, older, hasVolume, timeframe) => {
        const { periods, ...random } = randomContext({ count: needed + older, seed })
        const monthId = timeframe === '1D' ? periods.monthId.map((_id, index) => Math.floor(index / tradingDaysPerMonth)) : periods.monthId
        const whole = { ...random, periods: { ...periods, monthId }, hasVolume, timeframe }
        const shift = ({ from, to, ...level }: ReturnType<typeof levelsOf>[number]) => ({ ...level, from: from + older, to: to + older })
        const less = levelsOf(withoutOldest(whole, older), {}).map(shift)
        expect(less).toEqual(levelsOf(whole, {}))
        expect(less.length).toBeGreaterThan(0)
      },
    ),
    { numRuns: 60 },
  )
})

type Level = { side: string; price: number; volume: number; from: number }

/** Brick by brick as objects, with the volume divided among the bricks of a bar. */
function slowLevels({ bars, hasVolume }: StudyContext, brick: number, levelCount: number): Level[] {
  let [levels, bricks]: [Level[], { way: number; volume: number }[]] = [[], []]
  let [edge, way, carried, edgeBar, previous] = [0, 0, 0, 0, none]
  const first = Math.max(0, bars.length - 1 - 1_500)
  const start = Math.round((bars.close[first] ?? none) / brick) * brick
  for (let index = first; index < bars.length; index += 1) {
    const [high, low, close] = [bars.high[index] ?? none, bars.low[index] ?? none, bars.close[index] ?? none]
    carried += hasVolume
      ? (bars.volume[index] ?? none)
      : Math.max(high - low, ...[high, low].flatMap((end) => (index > first ? [Math.abs(end - previous)] : [])))
    previous = close
    levels = levels.filter(({ side, price }) => (side === 'R' ? close - price : price - close) < brick - 1e-6)
    const formed: { way: number; edge: number }[] = []
    let [reached, heading] = [edge, way]
    for (;;) {
      const position = (close - start) / brick
      if (position >= reached + (heading < 0 ? 2 : 1) - 1e-9) {
        reached += heading < 0 ? 2 : 1
        heading = 1
      } else if (position <= reached - (heading > 0 ? 2 : 1) + 1e-9) {
        reached -= heading > 0 ? 2 : 1
        heading = -1
      } else break
      formed.push({ way: heading, edge: reached })
    }
    if (formed.length === 0) continue
    if (way !== 0 && heading !== way) {
      const volume = bricks.reduce((sum, one) => sum + one.volume, 0)
      levels = merged(levels, { side: way > 0 ? 'R' : 'S', price: start + edge * brick, volume, from: edgeBar }, brick)
      if (levels.length > levelCount) {
        const weakest = Math.min(...levels.map((level) => level.volume))
        levels = levels.toSpliced(
          levels.findIndex((level) => level.volume === weakest),
          1,
        )
      }
      bricks = []
    }
    bricks.push(...formed.map((one) => ({ way: one.way, volume: carried / formed.length })))
    ;[edge, way, carried, edgeBar] = [reached, heading, 0, index]
  }
  return levels
}

function merged(levels: readonly Level[], found: Level, brick: number): Level[] {
  const near = levels
    .filter((level) => Math.abs(level.price - found.price) <= brick + 1e-6)
    .toSorted((one, other) => Math.abs(one.price - found.price) - Math.abs(other.price - found.price))[0]
  if (near === undefined) return [...levels, found]
  const volume = near.volume + found.volume
  const price = (near.price * near.volume + found.price * found.volume) / volume
  return merged(
    levels.filter((level) => level !== near),
    { ...found, price, volume, from: Math.min(near.from, found.from) },
    brick,
  )
}

test.each([
  [true, 25, 6],
  [true, 8, 20],
  [false, 25, 6],
])('on 10,000 bars (volume: %s, brick %s) the levels at 40 bars equal the slow reference', (hasVolume, brick, levelCount) => {
  const context = { ...randomContext({ count: 10_000, seed: 29 }), hasVolume }
  let seen = 0
  for (let length = 250; length <= 10_000; length += 250) {
    context.bars.length = length
    const ours = levelsOf(context, { brick, levelCount })
    const slow = slowLevels(context, brick, levelCount)
    seen += slow.length
    expect(ours.map(({ side, from }) => [side, from])).toEqual(slow.map(({ side, from }) => [side, from]))
    expectClose(
      ours.map(({ price }) => price),
      slow.map(({ price }) => price),
    )
    expectClose(
      ours.map(({ volume }) => volume),
      slow.map(({ volume }) => volume),
    )
  }
  expect(seen).toBeGreaterThan(100)
})
