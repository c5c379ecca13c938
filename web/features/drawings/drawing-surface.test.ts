// Mapping between time and pixels on a library axis that only accepts whole bar indexes.
import { describe, expect, it } from 'vitest'
import { mappingOf } from './drawing-surface.ts'

const minute = 60_000
const bars = { timeMs: Float64Array.from([0, minute, 2 * minute, 60 * minute]), length: 4, stepMs: minute }
const rest = { bars, yOfPrice: () => 0, priceOfY: () => 0, width: 800, height: 400 }

describe('a mapping', () => {
  it('returns no coordinate until the library has one', () => {
    const mapping = mappingOf({ ...rest, xOfIndex: () => null })
    expect([mapping.xOfTime(0), mapping.timeOfX(5)]).toEqual([null, null])
    expect(mappingOf({ ...rest, xOfIndex: () => 7 }).timeOfX(5)).toBeNull()
  })

  it.each([
    [0, 100],
    [30_000, 105],
    [31 * minute, 125],
    [61 * minute, 140],
    [-minute, 90],
  ])('maps %d to %d and back, also between two bars, over a gap and beyond the ends', (timeMs, x) => {
    // Like the library: fractional bar indexes map to the left edge.
    const mapping = mappingOf({ ...rest, xOfIndex: (index) => (Number.isInteger(index) ? 100 + 10 * index : 0) })
    expect(mapping.xOfTime(timeMs)).toBeCloseTo(x, 9)
    expect(mapping.timeOfX(x)).toBeCloseTo(timeMs, 6)
  })
})
