// Renko SR Volume: swings by hand, the settled brick, and a walk brick by brick on 10,000 bars.
import { describe, expect, test } from 'vitest'
import { renkoSRvolume } from './renko-sr-volume.ts'
import { type StudyContext } from './study.ts'
import { contextOf, expectClose, flatRows } from './testing/contexts.ts'
import { randomContext } from './testing/random-bars.ts'

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

describe('with bricks of 10 and a volume of 1 a bar', () => {
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

  test('only the strongest stay', () => {
    expect(found([100, 130, 100, 120, 100], { levelCount: 1 })).toEqual([['R', 130 - 10 / 3, 3]])
  })

  test('a level reaches from the bar of its edge to the last bar, and its share is of the volume of all', () => {
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

  test('without volume the true range counts', () => {
    const context = contextOf(flatRows([100, 130, 110]), { hasVolume: false })
    expect(levelsOf(context, { brick: 10 })).toMatchObject([{ side: 'R', price: 130, volume: 30 }])
  })
})

describe('the automatic brick', () => {
  // True ranges of 1, then of 2.03 each: an ATR of 2 bars of 1.7725 after three closed ones.
  const rows = [
    [10, 10.5, 9.5, 10, 1],
    [10, 11, 8.97, 10, 1],
    [10, 11, 8.97, 10, 1],
    [10, 30, 8, 30, 1],
  ] as const
  const given = { atrLength: 2 }

  test('is the average range of the closed bars in whole ticks, and stays what it was at first load', () => {
    const context = contextOf(rows)
    const state = renkoSRvolume.create(given, context)
    state.full()
    expectClose([state.settled['brick'] ?? none], [1.75])
    context.bars.length = 3
    state.full()
    expectClose([state.settled['brick'] ?? none], [1.75])
  })

  test('is at least one tick', () => {
    const state = renkoSRvolume.create(given, contextOf(rows, { tickSize: 5 }))
    state.full()
    expect(state.settled['brick']).toBe(5)
  })

  test('waits until there are enough closed bars, then all of them count', () => {
    const context = contextOf([...rows, [10, 10, -30, -30, 1]])
    context.bars.length = 2
    const state = renkoSRvolume.create(given, context)
    state.full()
    expect([state.settled['brick'], state.levels?.count]).toEqual([undefined, 0])
    context.bars.length = 5
    state.append()
    expect(state.settled['brick']).toBeGreaterThan(1)
    expect(state.levels?.count).toBe(1)
  })
})

type Level = { side: string; price: number; volume: number; from: number }

/** One brick after the other as objects, with the volume shared among the bricks of a bar. */
function slowLevels({ bars, hasVolume }: StudyContext, brick: number, levelCount: number): Level[] {
  let [levels, bricks]: [Level[], { way: number; volume: number }[]] = [[], []]
  let [edge, way, carried, edgeBar, previous] = [0, 0, 0, 0, none]
  const start = bars.close[0] ?? none
  for (let index = 0; index < bars.length; index += 1) {
    const [high, low, close] = [bars.high[index] ?? none, bars.low[index] ?? none, bars.close[index] ?? none]
    carried += hasVolume
      ? (bars.volume[index] ?? none)
      : Math.max(high - low, ...[high, low].flatMap((end) => (index > 0 ? [Math.abs(end - previous)] : [])))
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
])('on 10,000 bars (volume: %s, brick %s) the levels at 40 places are those of a walk brick by brick', (hasVolume, brick, levelCount) => {
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
