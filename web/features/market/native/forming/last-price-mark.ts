// The last price: a line across the chart and its figure on the axis, and under it how long its candle still has.
import type { ISeriesPrimitive, ISeriesPrimitiveAxisView } from 'lightweight-charts'
import { faded, type ChartColours } from '../chart-colours.ts'
import { chartFont } from '../primitives/painter.ts'
import { overlayCanvas, type Ratio } from './overlay-canvas.ts'
import type { PanePart, PanePlace } from './pane-overlays.ts'
import { hairOf } from './widths.ts'

export interface LastPrice {
  readonly price: number
  readonly priceText: string
  readonly isUp: boolean
  /** Undefined while the market is closed. */
  readonly countdownText: string | undefined
}

export interface LastPriceNeeds {
  readonly yOf: (price: number) => number | null
  readonly colours: () => ChartColours
  readonly read: () => LastPrice | undefined
}

interface Mark extends LastPrice {
  readonly colour: string
  /** Of the page. */
  readonly yPx: number
}

/** As the library's own labels are. */
const [lineHeightPx, indentPx, outdentPx, cornerPx] = [17, 9.5, 5.5, 2]
const font = `${chartFont.sizePx}px ${chartFont.family}`

export interface LastPriceMark extends PanePart {
  /** Has the library make the axis wide enough; shows nothing itself. */
  readonly room: ISeriesPrimitive
}

export function lastPriceMark({ yOf, colours, read }: LastPriceNeeds): LastPriceMark {
  const line = overlayCanvas()
  const label = overlayCanvas()

  function markIn({ ratio, height }: PanePlace): Mark | undefined {
    const last = read()
    const yPx = last === undefined ? null : yOf(last.price)
    if (last === undefined || yPx === null || Number.isNaN(yPx)) return undefined
    // Half a label outside its pane is still seen.
    if (yPx < -lineHeightPx || yPx > height / ratio.y + lineHeightPx) return undefined
    return { ...last, yPx, colour: last.isUp ? colours().up : colours().down }
  }

  function paintLine(pen: CanvasRenderingContext2D, { ratio, width }: PanePlace, { yPx, colour }: Mark): void {
    const hair = hairOf(ratio.y)
    pen.fillStyle = faded(colour, 0.8)
    for (let x = 0; x < width; x += 2 * hair) pen.fillRect(x, lineTop(yPx, ratio), hair, hair)
  }

  function paintLabel(pen: CanvasRenderingContext2D, ratio: Ratio, { yPx, priceText, countdownText, colour }: Mark): void {
    pen.font = font
    const priceWidth = pen.measureText(priceText).width
    const width = Math.ceil(Math.max(priceWidth, countdownText === undefined ? 0 : pen.measureText(countdownText).width))
    const top = labelTop(yPx, ratio)
    const row = (text: string, at: number, [back, ink]: readonly [string, string]) => {
      const rowTop = top + at * lineHeightPx
      pen.fillStyle = back
      pen.beginPath()
      pen.roundRect(0, rowTop, indentPx + width + outdentPx, lineHeightPx, [0, cornerPx, cornerPx, 0])
      pen.fill()
      pen.fillStyle = ink
      pen.textBaseline = 'middle'
      const { width: textWidth, actualBoundingBoxAscent: above, actualBoundingBoxDescent: below } = pen.measureText(text)
      pen.fillText(text, indentPx + (width - textWidth) / 2, rowTop + lineHeightPx / 2 + (above - below) / 2)
    }
    pen.save()
    pen.scale(ratio.x, ratio.y)
    row(priceText, 0, [colour, colours().canvas])
    if (countdownText !== undefined) row(countdownText, 1, [colours().hover, colours().text2])
    pen.restore()
  }

  const rooms = [roomFor(() => read()?.priceText), roomFor(() => read()?.countdownText)]

  return {
    room: { priceAxisViews: () => rooms },
    paint(place) {
      const { plot, axis, axisWidth, ratio, width } = place
      const mark = markIn(place)
      if (mark === undefined) return this.hide()
      const lineBox = { left: 0, top: lineTop(mark.yPx, ratio), width, height: hairOf(ratio.y) }
      const linePen = line.open(plot, { box: lineBox, ratio, key: mark.colour })
      if (linePen !== undefined) paintLine(linePen, place, mark)
      const rows = mark.countdownText === undefined ? 1 : 2
      const top = Math.floor(labelTop(mark.yPx, ratio) * ratio.y)
      const box = { left: 0, top, width: axisWidth, height: Math.ceil(rows * lineHeightPx * ratio.y) + 1 }
      const labelPen = label.open(axis, { box, ratio })
      if (labelPen !== undefined) paintLabel(labelPen, ratio, mark)
    },
    paintInto(pen, place) {
      const mark = markIn(place)
      if (mark !== undefined) paintLine(pen, place, mark)
    },
    paintIntoAxis(pen, place) {
      const mark = markIn(place)
      if (mark !== undefined) paintLabel(pen, place.ratio, mark)
    },
    hide() {
      line.hide()
      label.hide()
    },
  }
}

/** A text that the axis is as wide as, and that is not drawn. */
function roomFor(text: () => string | undefined): ISeriesPrimitiveAxisView {
  return { text: () => text() ?? '', coordinate: () => 0, textColor: () => '', backColor: () => '', visible: () => false }
}

/** Device pixels. */
const lineTop = (yPx: number, { y }: Ratio) => Math.round(yPx * y) - Math.floor(hairOf(y) / 2)

/** Pixels of the page, on a whole one of the device. */
const labelTop = (yPx: number, { y }: Ratio) => Math.round(yPx * y) / y - (lineHeightPx - 1) / 2
