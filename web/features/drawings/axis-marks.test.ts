import { expect, test } from 'vitest'
import type { Drawing } from '#shared/drawings/drawing.ts'
import { axisMarks } from './axis-marks.ts'

const drawing = (kind: Drawing['kind'], price: number): Drawing => ({
  id: kind,
  kind,
  anchors: [{ timeMs: 0, price }],
  colour: 'up',
  width: 1,
  text: '',
})
const ink = { accent: '#0000ff', up: '#00ff00', down: '#ff0000', warn: '#ffff00', text: '#ffffff', canvas: '#000000' }

test('only horizontal lines have their price on the axis, in their colour', () => {
  const marks = axisMarks([drawing('horizontal', 101.5), drawing('vertical', 99)], { price: (value) => value.toFixed(2) }, () => ink)
  expect(marks).toEqual([{ price: 101.5, text: '101.50', colour: '#00ff00', ink: '#000000' }])
})
