// Finds the drawing at a point, and whether a handle or its body was hit.
import type { Drawing } from './drawing.ts'
import type { Mapping, Point } from './mapping.ts'
import { characterPx, shapeOf, type Box, type Label, type Line, type Shape, type ShapeTexts } from './shape.ts'

/** Hit tolerance in pixels: touch is less precise. */
export const reachPx = { mouse: 8, touch: 22 } as const

export interface Hit {
  readonly id: string
  /** Index of the handle, or the body. */
  readonly part: number | 'body'
}

/** Half height of the labels, in pixels. */
const halfHeightPx = 8

export interface HitOptions {
  readonly mapping: Mapping
  readonly texts: ShapeTexts
  /** One of `reachPx`. */
  readonly reach: number
  /** Its handles are visible, so they take precedence. */
  readonly selectedId?: string | undefined
}

/** The topmost drawing at a point; later ones are on top. Undefined if there is none. */
export function hitTest(drawings: readonly Drawing[], point: Point, options: HitOptions): Hit | undefined {
  const { mapping, texts, reach, selectedId } = options
  const shaped = drawings.toReversed().flatMap((drawing) => {
    const shape = shapeOf(drawing, mapping, texts)
    return shape === undefined ? [] : [{ id: drawing.id, shape }]
  })
  const selected = shaped.find(({ id }) => id === selectedId)
  const handle = selected === undefined ? undefined : handleAt(selected.shape, point, reach)
  if (selected !== undefined && handle !== undefined) return { id: selected.id, part: handle }
  // Lines before areas: otherwise a large rectangle would hide everything inside of it.
  const found = shaped.find(({ shape }) => isOnLine(shape, point, reach)) ?? shaped.find(({ shape }) => isInside(shape, point))
  return found === undefined ? undefined : { id: found.id, part: handleAt(found.shape, point, reach) ?? 'body' }
}

/** Index of the nearest handle within reach. */
function handleAt({ handles }: Shape, point: Point, reach: number): number | undefined {
  const near = handles.map((handle, at) => ({ at, distance: Math.hypot(handle.x - point.x, handle.y - point.y) }))
  return near.filter(({ distance }) => distance <= reach).toSorted((one, other) => one.distance - other.distance)[0]?.at
}

function isOnLine({ lines, labels }: Shape, point: Point, reach: number): boolean {
  return lines.some((line) => distanceTo(line, point) <= reach) || labels.some((label) => isOnLabel(label, point))
}

function isInside({ boxes }: Shape, point: Point): boolean {
  return boxes.some((box) => isInBox(box, point))
}

function isInBox({ x, y, width, height }: Box, point: Point): boolean {
  return point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height
}

function isOnLabel(label: Label, point: Point): boolean {
  const width = [...label.text].length * characterPx
  const left = label.align === 'left' ? label.x : label.align === 'right' ? label.x - width : label.x - width / 2
  return isInBox({ x: left, y: label.y - halfHeightPx, width, height: 2 * halfHeightPx }, point)
}

/** Distance of a point to a line segment, in pixels. */
function distanceTo({ from, to }: Pick<Line, 'from' | 'to'>, point: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const squared = dx * dx + dy * dy
  const along = squared === 0 ? 0 : Math.min(1, Math.max(0, ((point.x - from.x) * dx + (point.y - from.y) * dy) / squared))
  return Math.hypot(point.x - from.x - along * dx, point.y - from.y - along * dy)
}
