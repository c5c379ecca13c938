// Zig zag: labelled corners joined by lines. Dashed where it can still move: a projected leg, or the line to the newest price.
import type { BarColumns } from '#shared/indicators/lib/bar-columns.ts'
import type { PointList } from '#shared/indicators/lib/point-list.ts'
import { faded, type ChartColours } from '../chart-colours.ts'
import { volumeText, type PriceText } from '#web/features/market-data/price-text.ts'
import { roleColour } from '../role-colour.ts'
import type { BarRange } from '../view-window.ts'
import { painter, smallFont, type Canvas, type Painter } from './painter.ts'
import type { Plane } from './coordinates.ts'

export interface PointsOptions {
  readonly plane: Plane
  readonly points: PointList
  readonly bars: BarColumns
  readonly colours: () => ChartColours
  readonly text: PriceText
}

interface Legs {
  readonly view: BarRange
  readonly isProjected: boolean
}

/** The newest price, where the open leg ends; NaN if the last leg is projected, or there is none. */
export function openPrice(points: PointList, bars: BarColumns): number {
  const end = points.count - 1
  const last = bars.length - 1
  const isOpen = end >= 0 && points.isProjected[end] !== 1 && (points.index[end] as number) < last
  return isOpen ? (bars.close[last] as number) : Number.NaN
}

/** Minimum distance to the next corner for a label, in pixels. */
const labelGapPx = 72

export function pointsPainter(options: PointsOptions): Painter {
  return painter('normal', (canvas) => {
    const { plane, points } = options
    const view = plane.view()
    paintLegs(canvas, options, { view, isProjected: false })
    paintLegs(canvas, options, { view, isProjected: true })
    for (let at = 0; at < points.count; at += 1) {
      const index = points.index[at] as number
      if (index >= view.from && index <= view.to) paintLabel(canvas, options, at)
    }
  })
}

/** Draws either the settled legs or the movable ones, in one stroke each. */
function paintLegs({ pen }: Canvas, options: PointsOptions, { view, isProjected }: Legs): void {
  const { plane, points, colours } = options
  pen.strokeStyle = faded(roleColour(colours(), 'zig-zag'), 0.95)
  pen.lineWidth = 2
  pen.lineJoin = 'round'
  pen.setLineDash(isProjected ? [5, 5] : [])
  pen.beginPath()
  for (let at = 1; at < points.count; at += 1) {
    const [startIndex, endIndex] = [points.index[at - 1] as number, points.index[at] as number]
    if ((points.isProjected[at] === 1) !== isProjected || endIndex < view.from || startIndex > view.to) continue
    const [startY, endY] = [plane.yOf(points.price[at - 1] as number), plane.yOf(points.price[at] as number)]
    if (startY === null || endY === null) continue
    pen.moveTo(plane.xOf(startIndex), startY)
    pen.lineTo(plane.xOf(endIndex), endY)
  }
  if (isProjected) addOpenLeg(pen, options, view)
  pen.stroke()
  pen.setLineDash([])
}

function addOpenLeg(pen: CanvasRenderingContext2D, { plane, points, bars }: PointsOptions, view: BarRange): void {
  const price = openPrice(points, bars)
  if (Number.isNaN(price)) return
  const [index, last] = [points.index[points.count - 1] as number, bars.length - 1]
  if (last < view.from || index > view.to) return
  const [startY, endY] = [plane.yOf(points.price[points.count - 1] as number), plane.yOf(price)]
  if (startY === null || endY === null) return
  pen.moveTo(plane.xOf(index), startY)
  pen.lineTo(plane.xOf(last), endY)
}

function paintLabel({ pen }: Canvas, { plane, points, colours, text }: PointsOptions, at: number): void {
  const y = plane.yOf(points.price[at] as number)
  const x = plane.xOf(points.index[at] as number)
  if (y === null || (at > 0 && x - plane.xOf(points.index[at - 1] as number) < labelGapPx)) return
  const change = points.changePercent[at] as number
  const volume = points.volume[at] as number
  const lines = [text.price(points.price[at] as number)]
  if (!Number.isNaN(change))
    lines.push(`${change > 0 ? '+' : '\u2212'}${Math.abs(change).toFixed(2)}%${Number.isNaN(volume) ? '' : ` ${volumeText(volume)}`}`)
  pen.font = smallFont
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  const isHigh = (points.side[at] as number) > 0
  lines.forEach((line, row) => {
    const lineY = isHigh ? y - 10 - (lines.length - 1 - row) * 13 : y + 10 + row * 13
    const width = pen.measureText(line).width
    // Keeps the label readable over candles.
    pen.fillStyle = faded(colours().canvas, 0.75)
    pen.fillRect(x - width / 2 - 2, lineY - 7, width + 4, 13)
    pen.fillStyle = colours().text2
    pen.fillText(line, x, lineY)
  })
}
