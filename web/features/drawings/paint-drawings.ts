// Paints drawings on the chart, with exactly the shapes used for hit testing.
import type { Drawing, DrawingColour } from '#shared/drawings/drawing.ts'
import type { Mapping, Point } from '#shared/drawings/mapping.ts'
import { canvasFontFamily } from '#web/lib/canvas-font-family.ts'
import { shapeOf, type Label, type Line, type Shape, type ShapeTexts } from '#shared/drawings/shape.ts'

export type DrawingInk = Readonly<Record<DrawingColour | 'canvas', string>>

export interface PaintOptions {
  readonly mapping: Mapping
  readonly texts: ShapeTexts
  /** Colours as #rrggbb. */
  readonly ink: DrawingInk
  readonly selectedId: string | undefined
}

const font = `500 12px ${canvasFontFamily}`
const dash = [4, 3]
const handlePx = 4.5
const padPx = 5

/** Later drawings above earlier ones, the handles of the selected one above all. */
export function paintDrawings(pen: CanvasRenderingContext2D, drawings: readonly Drawing[], options: PaintOptions): void {
  const { mapping, texts, ink, selectedId } = options
  pen.save()
  pen.beginPath()
  pen.rect(0, 0, mapping.width, mapping.height)
  pen.clip()
  pen.font = font
  pen.textBaseline = 'middle'
  for (const drawing of drawings) {
    const shape = shapeOf(drawing, mapping, texts)
    if (shape === undefined) continue
    const colour = ink[drawing.colour]
    paintBody(pen, shape, { colour, width: drawing.width, ground: ink.canvas })
    if (drawing.id === selectedId) paintHandles(pen, shape.handles, { colour, ground: ink.canvas })
  }
  pen.restore()
}

function paintBody(pen: CanvasRenderingContext2D, shape: Shape, look: { colour: string; width: number; ground: string }): void {
  pen.fillStyle = look.colour
  pen.strokeStyle = look.colour
  pen.lineWidth = look.width
  pen.globalAlpha = 0.12
  for (const { x, y, width, height } of shape.boxes) pen.fillRect(x, y, width, height)
  pen.globalAlpha = 1
  for (const line of shape.lines) paintLine(pen, line)
  for (const label of shape.labels) paintLabel(pen, label, look)
}

function paintLine(pen: CanvasRenderingContext2D, { from, to, isDashed }: Line): void {
  pen.setLineDash(isDashed ? dash : [])
  pen.beginPath()
  pen.moveTo(from.x, from.y)
  pen.lineTo(to.x, to.y)
  pen.stroke()
}

function paintLabel(
  pen: CanvasRenderingContext2D,
  { x, y, text, align, hasGround }: Label,
  look: { colour: string; ground: string },
): void {
  pen.textAlign = align
  if (hasGround) {
    const width = pen.measureText(text).width + 2 * padPx
    const left = align === 'center' ? x - width / 2 : align === 'right' ? x - width : x
    const textLeft = align === 'center' ? left : align === 'right' ? left + padPx : left - padPx
    pen.fillStyle = look.ground
    pen.globalAlpha = 0.8
    // Not over the text of a level above or below it.
    pen.fillRect(textLeft, y - 6, width, 12)
    pen.globalAlpha = 1
  }
  pen.fillStyle = look.colour
  pen.fillText(text, x, y)
}

function paintHandles(pen: CanvasRenderingContext2D, handles: readonly Point[], look: { colour: string; ground: string }): void {
  pen.setLineDash([])
  pen.lineWidth = 1.5
  pen.strokeStyle = look.colour
  pen.fillStyle = look.ground
  for (const { x, y } of handles) {
    pen.beginPath()
    pen.arc(x, y, handlePx, 0, 2 * Math.PI)
    pen.fill()
    pen.stroke()
  }
}
