// Prices of horizontal lines, on the price axis.
import type { Drawing } from '#shared/drawings/drawing.ts'
import type { ShapeTexts } from '#shared/drawings/shape.ts'
import type { AxisMark } from './drawing-surface.ts'
import type { DrawingInk } from './paint-drawings.ts'

export function axisMarks(drawings: readonly Drawing[], texts: Pick<ShapeTexts, 'price'>, ink: () => DrawingInk): readonly AxisMark[] {
  return drawings.flatMap(({ kind, colour, anchors: [anchor] }) => {
    if (kind !== 'horizontal' || anchor === undefined) return []
    const colours = ink()
    return [{ price: anchor.price, text: texts.price(anchor.price), colour: colours[colour], ink: colours.canvas }]
  })
}
