// Dashed lines for the parts of a zig zag that can still move.
import { expect, test } from 'vitest'
import { createBarColumns } from '#shared/indicators/lib/bar-columns.ts'
import { createPointList } from '#shared/indicators/lib/point-list.ts'
import type { ChartColours } from '../chart-colours.ts'
import { pointsPainter } from './points-painter.ts'

type Line = readonly [kind: 'solid' | 'dashed', fromX: number, fromY: number, toX: number, toY: number]

/** Lines through corners at bars 2, 6 and 8 of a chart with `length` bars, the last one at a price of 15. */
function linesOf(length: number, isProjected: boolean): readonly Line[] {
  const points = createPointList(8)
  points.count = 3
  points.index.set([2, 6, 8])
  points.price.set([10, 20, 12])
  points.side.set([-1, 1, -1])
  points.isProjected.set([0, 0, isProjected ? 1 : 0])
  const bars = createBarColumns(length)
  bars.length = length
  bars.close.fill(15)
  const lines: Line[] = []
  let kind: Line[0] = 'solid'
  let at: readonly [number, number] = [0, 0]
  const pen = {
    save: () => undefined,
    restore: () => undefined,
    beginPath: () => undefined,
    stroke: () => undefined,
    fillRect: () => undefined,
    fillText: () => undefined,
    measureText: () => ({ width: 10 }),
    setLineDash: (dash: readonly number[]) => (kind = dash.length > 0 ? 'dashed' : 'solid'),
    moveTo: (x: number, y: number) => (at = [x, y]),
    lineTo: (x: number, y: number) => lines.push([kind, ...at, x, y]),
  }
  const painter = pointsPainter({
    plane: { xOf: (index) => index, yOf: (price) => price, view: () => ({ from: 0, to: length }) },
    points,
    bars,
    colours: () => ({}) as ChartColours,
    text: { price: String, change: String },
  })
  const target = {
    useMediaCoordinateSpace: (paint: (scope: unknown) => void) => paint({ context: pen, mediaSize: { width: 9, height: 9 } }),
  }
  painter
    .paneViews?.()[0]
    ?.renderer()
    ?.draw(target as never)
  return lines
}

const first: Line = ['solid', 2, 10, 6, 20]

test('a projected leg is dashed', () => expect(linesOf(12, true)).toEqual([first, ['dashed', 6, 20, 8, 12]]))

test('without one the line from the last corner to the newest price is dashed', () => {
  expect(linesOf(12, false)).toEqual([first, ['solid', 6, 20, 8, 12], ['dashed', 8, 12, 11, 15]])
})

test('a corner at the newest bar has no open line', () => {
  expect(linesOf(9, false)).toEqual([first, ['solid', 6, 20, 8, 12]])
})
