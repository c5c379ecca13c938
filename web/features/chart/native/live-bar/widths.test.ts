// Bar widths of lightweight-charts by bar spacing and pixel ratio.
import { expect, test } from 'vitest'
import { candleWidth, columnWidth, stemWidth } from './draw.ts'

test.for([
  // Spacing, pixel ratio; candle body, bar stem, histogram column.
  [0.4, 1, 1, 1, 1],
  [1, 1, 1, 1, 1],
  [2, 1, 1, 1, 1],
  [2.5, 1, 3, 1, 2],
  [4, 1, 3, 1, 3],
  [6, 1, 5, 1, 5],
  [8, 1, 5, 1, 7],
  [12, 1, 9, 3, 11],
  [40, 1, 31, 11, 39],
  [6, 2, 10, 2, 10],
  [6, 2.6, 12, 4, 14],
  [6, 0.8, 3, 1, 4],
] as const)('bars %f px apart at pixel ratio %f', ([spacingPx, ratio, candle, stem, column]) => {
  const spacing = { spacingPx, ratio }
  expect([candleWidth(spacing), stemWidth(spacing), columnWidth(spacing)]).toEqual([candle, stem, column])
})
