import { expect, test } from 'vitest'
import { legendRoom, paneHeight } from './legend-room.ts'

test.for([
  ['before the first measurement', { heightPx: 0, rows: 9 }, { pricePx: 0, isCompact: false }],
  ['a large pane', { rows: 3 }, { pricePx: 700, isCompact: false }],
  ['a large pane with many studies', { rows: 12 }, { pricePx: 700, isCompact: false }],
  ['a price pane above two others', { paneTops: [300, 500], rows: 10 }, { pricePx: 300, isCompact: true }],
  ['the bar alone in a low pane', { heightPx: 150, rows: 0 }, { pricePx: 150, isCompact: true }],
  ['a phone', { isSmallScreen: true, rows: 0 }, { pricePx: 700, isCompact: true }],
] as const)('%s', ([, change, room]) => {
  expect(legendRoom({ isSmallScreen: false, heightPx: 700, paneTops: [], ...change })).toEqual(room)
})

test('a pane ends where the next one begins, the last one with the chart', () => {
  const panes = { heightPx: 700, paneTops: [400, 520] }
  expect([paneHeight(400, panes), paneHeight(520, panes)]).toEqual([120, 180])
})
