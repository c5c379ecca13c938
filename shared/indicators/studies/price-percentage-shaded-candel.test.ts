// Shaded candles: by hand, and the incremental percentile against sorted windows.
import { describe, expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { pricePercentageShadedCandel } from './price-percentage-shaded-candel.ts'
import { type StudyContext } from '../lib/study.ts'
import { columnOf, contextOf, expectClose } from '../testing/contexts.ts'
import { randomContext } from '../testing/random-bars.ts'
import { TopValues } from '../lib/top-values.ts'

const none = Number.NaN

function run(context: StudyContext, given: object = {}) {
  const state = pricePercentageShadedCandel.create(given, context)
  state.full()
  return (name: string) => columnOf(state, name, context.bars.length)
}

test('by hand: the strongest so far is full, half of it is half way, a doji keeps its neutral colour', () => {
  const rows = [
    [100, 102, 100, 102],
    [100, 101, 99, 99],
    [100, 101, 99, 100],
    [100, 101, 99, none],
    [100, 104, 100, 104],
  ] as const
  const shades = run(contextOf(rows))
  expect(shades('direction')).toEqual([1, -1, 0, none, 1])
  expectClose(shades('alpha'), [1, 0.15 + 0.85 / 2, 1, none, 1])
  expectClose(shades('percent'), [2, -1, 0, none, 4])
})

test('the reference is at least one tick', () => {
  const alpha = run(contextOf([[100, 100.01, 100, 100.01]], { tickSize: 0.05 }))('alpha')
  expectClose(alpha, [0.15 + 0.85 * 0.2])
})

test('the 11 strongest of 200 are full, the twelfth is not', () => {
  const rows = Array.from({ length: 200 }, (_, index) => [1000, 1300, 900, 1000 + index + 1] as const)
  // The reference of the last bar is the 190th of 1 to 200 by size.
  const context = contextOf([...rows.slice(11), ...rows.slice(0, 11), [1000, 1300, 900, 1095]])
  expect(run(context)('alpha').at(-1)).toBeCloseTo(0.15 + (0.85 * 95) / 190, 9)
})

test.each([200, 20, 333])('on 10,000 bars with a window of %s it equals sorting each window', (window) => {
  const context = randomContext({ count: 10_000, seed: 23, gapEvery: 500 })
  const { open, close } = context.bars
  const sizes = [...close].map((value, index) => (100 * Math.abs(value - (open[index] ?? none))) / (open[index] ?? none))
  let known: number[] = []
  const expected = sizes.map((size, index) => {
    if (Number.isNaN(size)) return none
    known = [...known.slice(1 - window), size]
    const sorted = Float64Array.from(known).toSorted()
    const reference = Math.max(sorted[Math.ceil(0.95 * known.length) - 1] ?? none, (100 * 0.05) / (open[index] ?? none))
    return size === 0 ? 1 : 0.15 + 0.85 * Math.min(1, size / reference)
  })
  expectClose(run(context, { window })('alpha'), expected)
})

describe('top values of a window', () => {
  test('equal those of the sorted window, also with many ties', async () => {
    const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 4 }), fc.double({ min: 0, max: 5, noNaN: true })), { maxLength: 400 })
    await assertProperty(
      fc.property(values, fc.integer({ min: 3, max: 60 }), fc.integer({ min: 1, max: 3 }), (all, size, deepest) => {
        const top = new TopValues(Int32Array.from({ length: size + 1 }, (_, count) => Math.min(deepest, count)))
        const given = Float64Array.from(all)
        const [oneByOne, seen, atOnce] = [given.slice(), given.slice(), given.slice()]
        top.reset()
        for (const index of all.keys()) {
          top.peek(given, seen, index)
          top.take(given, oneByOne, { from: index, to: index + 1 })
        }
        top.reset()
        top.take(given, atOnce, { from: 0, to: all.length })
        const expected = all.map((_, index) => {
          const sorted = all.slice(Math.max(0, index + 1 - size), index + 1).toSorted((one, other) => other - one)
          return sorted[Math.min(deepest, sorted.length) - 1]
        })
        for (const found of [seen, oneByOne, atOnce]) expect([...found]).toEqual(expected)
      }),
    )
  })
})
