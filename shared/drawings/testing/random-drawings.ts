// Random drawings on a chart with a simple scale, for property tests.
import fc from 'fast-check'
import { anchorCounts, drawingColours, drawingKinds, type Drawing } from '../drawing.ts'
import type { Mapping } from '../mapping.ts'
import type { ShapeTexts } from '../shape.ts'

/** One pixel per minute and per point, 800 by 400, the origin at the lower left. */
export const plainMapping: Mapping = {
  xOfTime: (timeMs) => timeMs / 60_000,
  timeOfX: (x) => x * 60_000,
  yOfPrice: (price) => 400 - price,
  priceOfY: (y) => 400 - y,
  width: 800,
  height: 400,
}

export const plainTexts: ShapeTexts = {
  price: (value) => value.toFixed(2),
  change: (value) => (value > 0 ? '+' : '') + value.toFixed(2),
  barsBetween: (fromMs, toMs) => (toMs - fromMs) / 60_000,
}

const anchor = fc.record({
  timeMs: fc.integer({ min: 0, max: 800 * 60_000 }),
  price: fc.integer({ min: 0, max: 40_000 }).map((cents) => cents / 100),
})

/** With anchors on the chart. */
export const anyDrawing: fc.Arbitrary<Drawing> = fc.constantFrom(...drawingKinds).chain((kind) =>
  fc.record({
    id: fc.uuid(),
    kind: fc.constant(kind),
    anchors: fc.array(anchor, { minLength: anchorCounts[kind], maxLength: anchorCounts[kind] }),
    colour: fc.constantFrom(...drawingColours),
    width: fc.integer({ min: 1, max: 4 }),
    text: kind === 'text' ? fc.constantFrom('Zone', 'Ziel \u20b9 25,000', '\u{1F680}') : fc.constant(''),
  }),
)
