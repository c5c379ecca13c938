// Drawings on adjusted prices: they stay on their candles and are stored unchanged.
import { expect, test } from 'vitest'
import { adjusterOf } from '#shared/candles/price-adjuster.ts'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import type { Drawing } from '#shared/drawings/drawing.ts'
import { assertProperty, fc } from '#testing/property.ts'
import { adjustedDrawings } from './adjusted-drawings.ts'

const nowMs = Date.parse('2026-11-20T06:00:00Z')
const of = (adjustment: Adjustment) => adjustedDrawings(adjusterOf({ series: 'reliance', adjustment, sessionClass: 'nse-equity', nowMs }))
const line = (...anchors: readonly (readonly [day: string, price: number])[]): Drawing => ({
  id: 'one',
  kind: 'trend',
  anchors: anchors.map(([day, price]) => ({ timeMs: Date.parse(day), price })),
  colour: 'accent',
  width: 1,
  text: '',
})

test('a drawing across a bonus issue follows the candles of the selected adjustment', () => {
  const stored = line(['2024-10-25', 2_655.7], ['2024-10-28', 1_327.85])
  expect(of('splits').toShown([stored])).toEqual([line(['2024-10-25', 1_327.85], ['2024-10-28', 1_327.85])])
  expect(of('none').toShown([stored])).toEqual([stored])
})

test('a drawing made on adjusted prices stays on its candle when the adjustment changes', () => {
  const made = line(['2024-10-24', 1_340], ['2026-11-20', 1_500])
  const stored = of('splits').toStored([made])
  expect(of('none').toShown(stored)).toEqual([line(['2024-10-24', 2_680], ['2026-11-20', 1_500])])
  expect(of('splits').toShown(stored)).toEqual([made])
})

test('an unchanged drawing is stored exactly as it was', async () => {
  await assertProperty(
    fc.property(
      fc.double({ min: 0.01, max: 1e6, noNaN: true }),
      fc.constantFrom<Adjustment>('splits', 'all', 'none'),
      (price, adjustment) => {
        const stored = line(['2021-03-04', price], ['2023-09-01', price / 3])
        const drawings = of(adjustment)
        expect(drawings.toStored(drawings.toShown([stored]))).toEqual([stored])
      },
    ),
  )
})
