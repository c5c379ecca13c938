// The window of bars that lightweight-charts holds.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import {
  fittedWindow,
  groupOf,
  lastBarAt,
  newestWindow,
  placeOf,
  pointsFor,
  rangeOf,
  stepFor,
  viewOf,
  windowAround,
  windowFor,
  type BarWindow,
  newestIn,
} from './view-window.ts'

const one = (from: number, to: number): BarWindow => ({ from, to, step: 1 })

describe('bar window', () => {
  it('starts at the newest bars', () => {
    expect(newestWindow(100, 1_500)).toEqual(one(0, 100))
    expect(newestWindow(10_000, 1_500)).toEqual(one(8_500, 10_000))
    expect(newestWindow(10_001, 1_000, 4)).toEqual({ from: 6_000, to: 10_001, step: 4 })
  })

  it.each(['moving', 'held', 'resting'] as const)('stays while the view is far from its edges and %s', (motion) => {
    expect(windowFor(one(2_000, 4_000), 10_000, { from: 2_900, to: 3_100 }, motion)).toBeUndefined()
  })

  it.each(['moving', 'held', 'resting'] as const)('stays at an edge without bars beyond it while %s', (motion) => {
    expect(windowFor(one(0, 3_000), 3_000, { from: 0, to: 100 }, motion)).toBeUndefined()
    expect(windowFor(one(0, 3_000), 3_000, { from: 2_900, to: 3_010 }, motion)).toBeUndefined()
  })

  it('prefetches for the next movement while idle, and only what is needed during one', () => {
    const [window, view] = [one(4_000, 5_500), { from: 4_300, to: 4_400 }]
    expect(windowFor(window, 10_000, view, 'moving')).toBeUndefined()
    expect(windowFor(window, 10_000, view, 'resting')).toEqual(one(3_600, 5_101))
    expect(windowFor(window, 10_000, { from: 4_040, to: 4_140 }, 'moving')).toEqual(one(3_340, 4_841))
  })

  it('keeps its end while the view is held, and does not grow there', () => {
    expect(windowFor(one(4_000, 5_500), 10_000, { from: 4_040, to: 4_140 }, 'held')).toEqual(one(3_340, 5_500))
    expect(windowFor(one(4_000, 5_500), 10_000, { from: 5_400, to: 5_490 }, 'held')).toBeUndefined()
  })

  it('is cut while idle when it has grown too large', () => {
    expect(windowFor(one(0, 9_000), 9_000, { from: 8_900, to: 9_000 }, 'moving')).toBeUndefined()
    expect(windowFor(one(0, 9_000), 9_000, { from: 8_900, to: 9_000 }, 'resting')).toEqual(one(7_500, 9_000))
  })

  it('is limited to the existing bars', () => {
    expect(fittedWindow(one(-3, 50), 40)).toEqual(one(0, 40))
    expect(fittedWindow({ from: -3, to: 50, step: 4 }, 40)).toEqual({ from: -3, to: 40, step: 4 })
    expect(fittedWindow(one(60, 90), 40)).toEqual(one(40, 40))
  })

  const cases = fc.record({
    length: fc.integer({ min: 1, max: 500_000 }),
    start: fc.double({ min: 0, max: 1, noNaN: true }),
    groups: fc.integer({ min: 1, max: 4_000 }),
    windowStart: fc.double({ min: 0, max: 1, noNaN: true }),
    step: fc.constantFrom(1, 2, 8, 64),
    cut: fc.nat(63),
  })

  it.each(['moving', 'resting'] as const)(
    'always contains the view with a margin, and never moves twice in a row while %s',
    async (motion) => {
      await assertProperty(
        fc.property(cases, ({ length, start, groups, windowStart, step, cut }) => {
          const from = Math.floor(start * length)
          const view = { from, to: Math.min(length, from + groups * step) }
          const first = Math.floor((windowStart * length) / step) * step - (cut % step)
          const next = windowFor({ from: first, to: Math.min(length, first + 1_500 * step), step }, length, view, motion)
          if (next === undefined) return
          expect(next.from).toBeLessThanOrEqual(Math.max(0, view.from - 50 * step))
          expect(next.to).toBeGreaterThanOrEqual(Math.min(length, view.to + 50 * step))
          expect(next.from).toBeGreaterThan(-step)
          expect(next.to).toBeLessThanOrEqual(length)
          // Group boundaries stay the same.
          expect(Math.abs((next.from - first) % step)).toBe(0)
          expect(windowFor(next, length, view, motion)).toBeUndefined()
          expect((next.to - next.from) / step).toBeLessThanOrEqual(pointsFor(view, step) + 1)
        }),
      )
    },
  )
})

describe('bars per group', () => {
  const zoom = (bars: number, length = 1_000_000) => ({ bars, length, widthPx: 1_000 })
  it.each([
    [1, zoom(150), 1],
    [1, zoom(1_000), 1],
    [1, zoom(1_001), 2],
    [1, zoom(100_000), 128],
    [2, zoom(801), 2],
    [2, zoom(799), 1],
    [128, zoom(150), 1],
    // All bars fit already.
    [1, zoom(2_500, 900), 1],
    [2, zoom(100_000, 1_900), 2],
    [4, { bars: 100, length: 1_000, widthPx: 0 }, 4],
  ])('%i becomes for %j %i', (step, wanted, next) => {
    expect(stepFor(step, wanted)).toBe(next)
  })

  it('never changes twice for the same view', async () => {
    const wanted = fc.record({
      bars: fc.integer({ min: 1, max: 2_000_000 }),
      length: fc.nat(2_000_000),
      widthPx: fc.integer({ min: 200, max: 4_000 }),
    })
    await assertProperty(
      fc.property(wanted, fc.constantFrom(1, 2, 4, 256), (view, step) => {
        const next = stepFor(step, view)
        expect(stepFor(next, view)).toBe(next)
      }),
    )
  })

  it('returns the bars of a group, cut at both ends', () => {
    const window: BarWindow = { from: -1, to: 10, step: 4 }
    expect([0, 2, 3, 6, 7, 9].map((index) => groupOf(window, index, 10))).toEqual([
      { from: 0, to: 3 },
      { from: 0, to: 3 },
      { from: 3, to: 7 },
      { from: 3, to: 7 },
      { from: 7, to: 10 },
      { from: 7, to: 10 },
    ])
    expect(groupOf(one(5, 20), 7, 20)).toEqual({ from: 7, to: 8 })
  })

  it("centres a group's position on the axis on its middle bar", () => {
    expect([5, 6, 7].map((index) => placeOf(one(5, 20), index))).toEqual([0, 1, 2])
    expect([8, 8.5, 9, 10, 10.5].map((index) => placeOf({ from: 8, to: 20, step: 2 }, index))).toEqual([-0.25, 0, 0.25, 0.75, 1])
  })

  it('finds the last bar of the group at a position', () => {
    expect([-0.4, 0, 0.6, 3].map((place) => lastBarAt({ from: -1, to: 10, step: 4 }, place))).toEqual([2, 2, 6, 14])
    expect(lastBarAt(one(5, 20), 3)).toBe(8)
  })

  it('shows the same bars from edge to edge however they are grouped', () => {
    const view = { from: 100.25, to: 419.5 }
    for (const step of [1, 2, 16]) {
      const window = windowAround(view, 10_000, { step, points: 1_500 })
      expect(viewOf(window, rangeOf(window, view))).toEqual(view)
    }
    expect(viewOf({ from: 10, to: 100, step: 4 }, { from: 0, to: 1 })).toEqual({ from: 10, to: 17 })
  })
})

describe('newest bars of a view', () => {
  it.each([
    [undefined, []],
    [{ from: 3, to: 5 }, [4, 5]],
    [{ from: 7, to: 30 }, [8, 9]],
    [{ from: -9, to: 0 }, [0]],
    [{ from: 12, to: 30 }, []],
  ])('of %j are %j', (view, indexes) => {
    expect(newestIn(view, { length: 10, max: 2 })).toEqual(indexes)
  })
})
