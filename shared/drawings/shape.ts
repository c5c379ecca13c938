// Geometry of a drawing in pixels: lines, boxes and labels, used for both painting and hit testing.
import { workspaceText } from '#shared/workspace/text/en.ts'
import type { Anchor, Drawing } from './drawing.ts'
import type { Mapping, Point } from './mapping.ts'

export interface Line {
  readonly from: Point
  readonly to: Point
  readonly isDashed: boolean
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Label extends Point {
  readonly text: string
  /** Side of the text that `x` refers to; `y` is its middle. */
  readonly align: 'left' | 'center' | 'right'
  /** Has a background, for labels over other content. */
  readonly hasGround: boolean
}

export interface Shape {
  readonly lines: readonly Line[]
  /** Filled with low opacity. */
  readonly boxes: readonly Box[]
  readonly labels: readonly Label[]
  /** Handles, in the order that `resized` counts them. */
  readonly handles: readonly Point[]
}

/** Number formats. */
export interface ShapeTexts {
  readonly price: (value: number) => string
  /** With a sign. */
  readonly change: (value: number) => string
  /** Bars from one time to another; negative backwards. */
  readonly barsBetween: (fromMs: number, toMs: number) => number
}

const fibonacciLevels = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1] as const

const labelGapPx = 6
/** Average width of a character of the labels. */
export const characterPx = 6.6
const minus = '\u2212'

/** The shape of a drawing; undefined if an anchor cannot be mapped. */
export function shapeOf(drawing: Drawing, mapping: Mapping, texts: ShapeTexts): Shape | undefined {
  const [first, second] = drawing.anchors
  if (first === undefined) return undefined
  if (drawing.kind === 'horizontal') return horizontal(first, mapping)
  if (drawing.kind === 'vertical') return vertical(first, mapping)
  const from = pointOf(first, mapping)
  if (from === undefined) return undefined
  if (drawing.kind === 'text')
    return { ...none, labels: [{ ...from, text: drawing.text, align: 'left', hasGround: false }], handles: [from] }
  const to = second === undefined ? undefined : pointOf(second, mapping)
  if (second === undefined || to === undefined) return undefined
  const line = { from, to, isDashed: false }
  const ends = [from, to]
  if (drawing.kind === 'trend') return { ...none, lines: [line], handles: ends }
  if (drawing.kind === 'ray') return { ...none, lines: [{ ...line, to: rayEnd(from, to, mapping) }], handles: ends }
  if (drawing.kind === 'fibonacci') return fibonacci([first, second], line, { mapping, texts })
  const area = { lines: edgesOf(from, to), boxes: [boxOf(from, to)], labels: [], handles: ends }
  if (drawing.kind === 'rectangle') return { ...area, handles: [...ends, { x: from.x, y: to.y }, { x: to.x, y: from.y }] }
  return { ...area, lines: [...area.lines, { ...line, isDashed: true }], labels: [measureLabel([first, second], line, texts)] }
}

const none: Shape = { lines: [], boxes: [], labels: [], handles: [] }

function pointOf({ timeMs, price }: Anchor, mapping: Mapping): Point | undefined {
  const [x, y] = [mapping.xOfTime(timeMs), mapping.yOfPrice(price)]
  return x === null || y === null || !Number.isFinite(x) || !Number.isFinite(y) ? undefined : { x, y }
}

/** Its price is on the axis. */
function horizontal({ price }: Anchor, mapping: Mapping): Shape | undefined {
  const y = mapping.yOfPrice(price)
  if (y === null || !Number.isFinite(y)) return undefined
  const line = { from: { x: 0, y }, to: { x: mapping.width, y }, isDashed: false }
  return { ...none, lines: [line], handles: [{ x: mapping.width / 2, y }] }
}

function vertical({ timeMs }: Anchor, mapping: Mapping): Shape | undefined {
  const x = mapping.xOfTime(timeMs)
  if (x === null || !Number.isFinite(x)) return undefined
  return { ...none, lines: [{ from: { x, y: 0 }, to: { x, y: mapping.height }, isDashed: false }], handles: [{ x, y: mapping.height / 2 }] }
}

/** Far enough beyond the second point to leave the pane; the point itself if both are equal. */
function rayEnd(from: Point, to: Point, { width, height }: Mapping): Point {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = Math.hypot(dx, dy)
  if (length === 0) return to
  const reach = Math.hypot(width, height) + Math.hypot(from.x, from.y) + length
  return { x: from.x + (dx / length) * reach, y: from.y + (dy / length) * reach }
}

function boxOf(from: Point, to: Point): Box {
  return { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) }
}

function edgesOf(from: Point, to: Point): Line[] {
  const corners = [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }]
  return corners.map((corner, at) => ({ from: corner, to: corners[(at + 1) % 4] as Point, isDashed: false }))
}

/** Level 0 at the second anchor, where the move ended, and 1 at the first, where it started. */
function fibonacci(
  [first, second]: readonly [Anchor, Anchor],
  line: Line,
  { mapping, texts }: { mapping: Mapping; texts: ShapeTexts },
): Shape | undefined {
  const [left, right] = [Math.min(line.from.x, line.to.x), Math.max(line.from.x, line.to.x)]
  const rows = fibonacciLevels.map((level) => {
    const price = second.price + (first.price - second.price) * level
    return { price, y: mapping.yOfPrice(price) ?? Number.NaN, level }
  })
  if (rows.some(({ y }) => !Number.isFinite(y))) return undefined
  return {
    lines: [...rows.map(({ y }) => ({ from: { x: left, y }, to: { x: right, y }, isDashed: false })), { ...line, isDashed: true }],
    boxes: [],
    labels: spaced(rows).map(({ y, price, level }) => levelLabel({ left, y, text: `${level} (${texts.price(price)})` })),
    handles: [line.from, line.to],
  }
}

/** In order of importance; a level whose label would overlap one before it has none. */
const labelOrder: readonly number[] = [0, 1, 0.618, 0.5, 0.382, 0.786, 0.236]
const lineHeightPx = 11

interface Row {
  readonly level: number
  readonly y: number
  readonly price: number
}

function spaced(rows: readonly Row[]): readonly Row[] {
  const kept: Row[] = []
  for (const row of rows.toSorted((one, other) => labelOrder.indexOf(one.level) - labelOrder.indexOf(other.level)))
    if (kept.every(({ y }) => Math.abs(y - row.y) >= lineHeightPx)) kept.push(row)
  return rows.filter((row) => kept.includes(row))
}

/** Left of the lines; inside of them where the pane ends there. */
function levelLabel({ left, y, text }: { left: number; y: number; text: string }): Label {
  const isInside = left - labelGapPx < text.length * characterPx
  return { x: isInside ? Math.max(0, left) + labelGapPx : left - labelGapPx, y, text, align: isInside ? 'left' : 'right', hasGround: true }
}

function measureLabel([first, second]: readonly [Anchor, Anchor], { from, to }: Line, texts: ShapeTexts): Label {
  const change = second.price - first.price
  const bars = Math.round(texts.barsBetween(first.timeMs, second.timeMs))
  const text = workspaceText.measured(texts.change(change), percentText(change, first.price), workspaceText.bars(bars))
  const isUp = to.y <= from.y
  return { x: (from.x + to.x) / 2, y: isUp ? to.y - 14 : to.y + 14, text, align: 'center', hasGround: true }
}

/** Relative to a price; zero or negative prices have no percentage. */
function percentText(change: number, price: number): string {
  if (price <= 0) return workspaceText.noPercent
  const digits = Math.abs((change / price) * 100).toFixed(2)
  const sign = Number(digits) === 0 ? '' : change < 0 ? minus : '+'
  return `${sign}${digits}%`
}
