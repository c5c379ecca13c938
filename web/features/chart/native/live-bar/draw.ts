// Draws the forming bar as lightweight-charts would, for each series type in use; all lengths in device pixels.
import type { Ratio } from './pane-overlays.ts'

export interface Stage {
  readonly pen: CanvasRenderingContext2D
  readonly ratio: Ratio
  /** Bar spacing in CSS pixels. */
  readonly spacingPx: number
  /** Centre of the forming bar and of the previous one. */
  readonly x: number
  readonly beforeX: number
  /** Height of the pane. */
  readonly height: number
}

interface Ohlc {
  readonly openY: number
  readonly highY: number
  readonly lowY: number
  readonly closeY: number
}

export interface CandleSprite extends Ohlc {
  readonly kind: 'candle'
  readonly body: string
  readonly border: string
  readonly wick: string
}

export interface BarSprite extends Ohlc {
  readonly kind: 'bar'
  readonly colour: string
}

export interface ColumnSprite {
  readonly kind: 'column'
  readonly y: number
  readonly baseY: number
  readonly colour: string
}

export interface LineSprite {
  readonly kind: 'line'
  readonly y: number
  /** NaN without a previous point. */
  readonly beforeY: number
  readonly colour: string
  readonly widthPx: number
  /** Colours of the area below the line, at the top and at the bottom of the pane. */
  readonly fill: readonly [string, string] | undefined
}

/** Area between two lines, starting at the previous bar. */
export interface BandSprite {
  readonly kind: 'band'
  readonly upperY: number
  readonly lowerY: number
  readonly beforeUpperY: number
  readonly beforeLowerY: number
  readonly colour: string
}

export type Sprite = CandleSprite | BarSprite | ColumnSprite | LineSprite | BandSprite

export function paintSprite(stage: Stage, sprite: Sprite): void {
  if (sprite.kind === 'candle') paintCandle(stage, sprite)
  else if (sprite.kind === 'bar') paintBar(stage, sprite)
  else if (sprite.kind === 'column') paintColumn(stage, sprite)
  else if (sprite.kind === 'line') paintLine(stage, sprite)
  else paintBand(stage, sprite)
}

function paintCandle({ pen, ratio, spacingPx, x }: Stage, { openY, highY, lowY, closeY, body, border, wick }: CandleSprite): void {
  const hair = hairOf(ratio.x)
  const width = candleWidth({ spacingPx, ratio: ratio.x })
  const [middle, high, low] = [Math.round(x), Math.round(highY), Math.round(lowY)]
  const [top, bottom] = [Math.round(Math.min(openY, closeY)), Math.round(Math.max(openY, closeY))]
  const left = middle - Math.floor(width / 2)
  pen.fillStyle = wick
  pen.fillRect(middle - Math.floor(hair / 2), high, hair, top - high)
  pen.fillRect(middle - Math.floor(hair / 2), bottom + 1, hair, low - bottom)
  pen.fillStyle = border
  const height = bottom - top + 1
  if (width <= 2 * hair || height <= 2 * hair) {
    pen.fillRect(left, top, width, height)
    return
  }
  pen.fillRect(left, top, width, hair)
  pen.fillRect(left, bottom + 1 - hair, width, hair)
  pen.fillRect(left, top + hair, hair, height - 2 * hair)
  pen.fillRect(left + width - hair, top + hair, hair, height - 2 * hair)
  pen.fillStyle = body
  pen.fillRect(left + hair, top + hair, width - 2 * hair, height - 2 * hair)
}

function paintBar({ pen, ratio, spacingPx, x }: Stage, { openY, highY, lowY, closeY, colour }: BarSprite): void {
  const width = stemWidth({ spacingPx, ratio: ratio.x })
  const half = Math.floor(width / 2)
  const middle = Math.round(x)
  const left = middle - half
  const top = Math.round(Math.min(highY, lowY)) - half
  const height = Math.max(Math.round(Math.max(highY, lowY)) + half - top, width)
  pen.fillStyle = colour
  pen.fillRect(left, top, width, height)
  // Without a gap the two sides would merge into one block.
  if (spacingPx < Math.floor(1.5 * ratio.x)) return
  const side = Math.ceil(width * 1.5)
  const inside = (y: number) => Math.min(Math.max(top, Math.round(y) - half), top + height - width)
  pen.fillRect(middle - side, inside(openY), side - half, width)
  pen.fillRect(left + width, inside(closeY), side + half + 1 - width, width)
}

function paintColumn({ pen, ratio, spacingPx, x }: Stage, { y, baseY, colour }: ColumnSprite): void {
  const width = columnWidth({ spacingPx, ratio: ratio.x })
  const hair = hairOf(ratio.y)
  const end = Math.round(y)
  const base = Math.round(baseY) - Math.floor(hair / 2)
  const [top, bottom] = end <= base ? [end, base + hair] : [base, end - Math.floor(hair / 2) + hair]
  pen.fillStyle = colour
  pen.fillRect(Math.round(x) - Math.floor(width / 2), top, width, bottom - top)
}

function paintLine(stage: Stage, { y, beforeY, colour, widthPx, fill }: LineSprite): void {
  const { pen, ratio, spacingPx, x, height } = stage
  const isAlone = Number.isNaN(beforeY)
  const half = (spacingPx * ratio.x) / 2
  const [startX, startY, endX] = isAlone ? [x - half, y, x + half] : [stage.beforeX, beforeY, x]
  if (fill !== undefined) {
    const shade = pen.createLinearGradient(0, 0, 0, height)
    shade.addColorStop(0, fill[0])
    shade.addColorStop(1, fill[1])
    pen.fillStyle = shade
    fillCorners(pen, [startX, height, startX, startY, endX, y, endX, height])
  }
  pen.strokeStyle = colour
  pen.lineWidth = widthPx * ratio.y
  pen.beginPath()
  pen.moveTo(startX, startY)
  pen.lineTo(endX, y)
  pen.stroke()
}

function paintBand({ pen, x, beforeX }: Stage, { upperY, lowerY, beforeUpperY, beforeLowerY, colour }: BandSprite): void {
  pen.fillStyle = colour
  fillCorners(pen, [beforeX, beforeUpperY, x, upperY, x, lowerY, beforeX, beforeLowerY])
}

type Corners = readonly [x1: number, y1: number, x2: number, y2: number, x3: number, y3: number, x4: number, y4: number]

function fillCorners(pen: CanvasRenderingContext2D, [x1, y1, x2, y2, x3, y3, x4, y4]: Corners): void {
  pen.beginPath()
  pen.moveTo(x1, y1)
  pen.lineTo(x2, y2)
  pen.lineTo(x3, y3)
  pen.lineTo(x4, y4)
  pen.fill()
}

/** Bar spacing in CSS pixels, and device pixels per CSS pixel. */
export interface Spacing {
  readonly spacingPx: number
  readonly ratio: number
}

/** One CSS pixel as whole device pixels: width of a wick, a border or a grid line. */
export const hairOf = (ratio: number) => Math.max(1, Math.floor(ratio))

/** Candle body in device pixels: the full spacing where bars are narrow, down to four fifths where they are wide. */
export function candleWidth({ spacingPx, ratio }: Spacing): number {
  const part = 1 - (0.2 * Math.atan(Math.max(0, spacingPx - 4))) / (Math.PI / 2)
  const full = spacingPx >= 2.5 && spacingPx <= 4 ? 3 : spacingPx * part
  return centred(Math.max(hairOf(ratio), Math.floor(full * ratio)), ratio)
}

/** Stem of an OHLC bar, device pixels. */
export function stemWidth({ spacingPx, ratio }: Spacing): number {
  return centred(Math.max(hairOf(ratio), Math.floor(spacingPx * 0.3 * ratio)), ratio)
}

/** Histogram column, device pixels: the spacing less a gap. */
export function columnWidth({ spacingPx, ratio }: Spacing): number {
  const gap = Math.ceil(spacingPx * ratio) <= 1 ? 0 : hairOf(ratio)
  return Math.max(1, Math.round(spacingPx * ratio) - gap)
}

/** Same parity as a hairline, so that the crosshair is centred. */
function centred(width: number, ratio: number): number {
  return width >= 2 && width % 2 !== hairOf(ratio) % 2 ? width - 1 : width
}
