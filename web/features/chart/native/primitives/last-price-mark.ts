// Last price marker: a line across the chart, its price on the axis, and below it the countdown to the candle's close.
import type { ISeriesPrimitive, ISeriesPrimitiveAxisView } from 'lightweight-charts'
import { candleCountdown } from '#shared/candles/candle-countdown.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { SecondClock } from '#web/lib/page-clock.ts'
import type { CandleSource } from '#web/features/market-data/candle-source.ts'
import { faded, type ChartColours } from '../chart-colours.ts'
import type { ChartModel } from '../chart-model.ts'
import type { ChartState } from '../chart-options.ts'
import type { PriceText } from '#web/features/market-data/price-text.ts'
import { chartFont } from './painter.ts'
import { hairOf } from '../live-bar/draw.ts'
import { overlayCanvas, type PanePart, type PanePlace, type Ratio } from '../live-bar/pane-overlays.ts'

export interface LastPrice {
  readonly price: number
  readonly priceText: string
  readonly isUp: boolean
  /** Undefined while the market is closed. */
  readonly countdownText: string | undefined
}

export interface LastPriceReaderOptions {
  readonly timeframe: Timeframe
  readonly zone: string
  readonly source: Pick<CandleSource, 'clockOffsetMs'>
  readonly clock: Pick<SecondClock, 'nowMs'>
  readonly model: Pick<ChartModel, 'store'>
  readonly text: PriceText
  readonly state: ChartState
}

/** Cached, because every paint reads it several times; a tick changes only the price. */
export class LastPriceReader {
  readonly #options: LastPriceReaderOptions
  #last: LastPrice | undefined
  #countdownText: string | undefined
  #isPriceKnown = false
  #isTimeKnown = false

  constructor(options: LastPriceReaderOptions) {
    this.#options = options
  }

  /** The price may have changed. */
  forgetPrice(): void {
    this.#isPriceKnown = false
  }

  /** A second has passed, or the market's status has changed. */
  forgetTime(): void {
    this.#isTimeKnown = false
    this.#isPriceKnown = false
  }

  /** Undefined while there is no price. */
  read(): LastPrice | undefined {
    if (!this.#isTimeKnown) this.#countdownText = this.#countdown()
    this.#isTimeKnown = true
    if (!this.#isPriceKnown) this.#last = this.#price()
    this.#isPriceKnown = true
    return this.#last
  }

  /** Market price, also where the style draws derived bars. */
  #price(): LastPrice | undefined {
    const { bars } = this.#options.model.store
    const at = bars.length - 1
    if (at < 0 || this.#options.state.condition === undefined) return undefined
    const price = bars.close[at] as number
    const isUp = price >= (bars.open[at] as number)
    return { price, priceText: this.#options.text.price(price), isUp, countdownText: this.#countdownText }
  }

  #countdown(): string | undefined {
    const { timeframe, zone, source, clock, state } = this.#options
    if (state.condition === undefined) return undefined
    const nowMs = clock.nowMs() + source.clockOffsetMs()
    const countdown = candleCountdown(state.condition.sessionClass, timeframe, { nowMs, zone })
    return countdown.kind === 'running' ? countdown.text : undefined
  }
}

export interface LastPriceOptions {
  readonly yOf: (price: number) => number | null
  readonly colours: () => ChartColours
  readonly last: LastPriceReader
  /** Prices that the axis labels. */
  readonly ticks: () => readonly number[]
}

interface Mark extends LastPrice {
  readonly colour: string
  /** CSS pixels. */
  readonly yPx: number
  readonly priceTopPx: number
  /** Whether the countdown is above the price, because there is no room below. */
  readonly isAbove: boolean
  /** Middles of the axis labels that it covers in part; they are hidden, so that no half of one is left. */
  readonly coveredPx: readonly number[]
}

/** Same metrics as the library's own labels. */
const [lineHeightPx, indentPx, outdentPx, cornerPx] = [17, 9.5, 5.5, 2]
/** Half of the height of a label on the axis. */
const tickPx = 7
const roomPx = lineHeightPx + 2 * tickPx
const font = `${chartFont.sizePx}px ${chartFont.family}`

export interface LastPriceMark extends PanePart {
  /** Makes the library reserve enough axis width; paints nothing itself. */
  readonly room: ISeriesPrimitive
}

export function lastPriceMark(options: LastPriceOptions): LastPriceMark {
  return new OverlayMark(options)
}

class OverlayMark implements LastPriceMark {
  readonly room: ISeriesPrimitive
  readonly #options: LastPriceOptions
  readonly #line = overlayCanvas()
  readonly #label = overlayCanvas()

  constructor(options: LastPriceOptions) {
    this.#options = options
    const rooms = [roomFor(() => options.last.read()?.priceText), roomFor(() => options.last.read()?.countdownText)]
    this.room = { priceAxisViews: () => rooms }
  }

  paint(place: PanePlace): void {
    const { plot, axis, axisWidth, ratio, width } = place
    const mark = this.#markIn(place)
    if (mark === undefined) {
      this.hide()
      return
    }
    const lineBox = { left: 0, top: lineTop(mark.yPx, ratio), width, height: hairOf(ratio.y) }
    const linePen = this.#line.open(plot, { box: lineBox, ratio, key: mark.colour })
    if (linePen !== undefined) paintLine(linePen, place, mark)
    // Room for the countdown and for covered labels on both sides.
    const top = Math.floor((mark.priceTopPx - roomPx) * ratio.y)
    const height = Math.ceil((lineHeightPx + 2 * roomPx) * ratio.y) + 1
    const box = { left: 0, top, width: axisWidth, height }
    const labelPen = this.#label.open(axis, { box, ratio })
    if (labelPen !== undefined) paintLabel(labelPen, place, { mark, colours: this.#options.colours() })
  }

  paintInto(pen: CanvasRenderingContext2D, place: PanePlace): void {
    const mark = this.#markIn(place)
    if (mark !== undefined) paintLine(pen, place, mark)
  }

  paintIntoAxis(pen: CanvasRenderingContext2D, place: PanePlace): void {
    const mark = this.#markIn(place)
    if (mark !== undefined) paintLabel(pen, place, { mark, colours: this.#options.colours() })
  }

  hide(): void {
    this.#line.hide()
    this.#label.hide()
  }

  #markIn({ ratio, height }: PanePlace): Mark | undefined {
    const { last: reader, yOf, colours, ticks } = this.#options
    const last = reader.read()
    const yPx = last === undefined ? null : yOf(last.price)
    if (last === undefined || yPx === null || Number.isNaN(yPx)) return undefined
    // A label half outside its pane is still visible.
    if (yPx < -lineHeightPx || yPx > height / ratio.y + lineHeightPx) return undefined
    const priceTopPx = labelTop(yPx, ratio)
    const isAbove = last.countdownText !== undefined && priceTopPx + 2 * lineHeightPx > height / ratio.y
    const top = isAbove ? priceTopPx - lineHeightPx : priceTopPx
    const bottom = top + rowsOf(last) * lineHeightPx
    const coveredPx = ticks()
      .flatMap((price) => yOf(price) ?? [])
      .filter((at) => at + tickPx > top && at - tickPx < bottom)
    return { ...last, yPx, priceTopPx, isAbove, coveredPx, colour: last.isUp ? colours().up : colours().down }
  }
}

function paintLine(pen: CanvasRenderingContext2D, { ratio, width }: PanePlace, { yPx, colour }: Mark): void {
  const hair = hairOf(ratio.y)
  pen.fillStyle = faded(colour, 0.8)
  for (let x = 0; x < width; x += 2 * hair) pen.fillRect(x, lineTop(yPx, ratio), hair, hair)
}

interface Label {
  readonly mark: Mark
  readonly colours: ChartColours
}

function paintLabel(pen: CanvasRenderingContext2D, { ratio, axisWidth }: PanePlace, { mark, colours }: Label): void {
  const { priceTopPx, priceText, countdownText, colour, coveredPx } = mark
  pen.font = font
  const priceWidth = pen.measureText(priceText).width
  const width = Math.ceil(Math.max(priceWidth, countdownText === undefined ? 0 : pen.measureText(countdownText).width))
  const row = (text: string, rowTop: number, [back, ink]: readonly [string, string]) => {
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
  pen.fillStyle = colours.canvas
  for (const at of coveredPx) pen.fillRect(0, at - tickPx, axisWidth / ratio.x, 2 * tickPx)
  row(priceText, priceTopPx, [colour, colours.canvas])
  const countdownTop = priceTopPx + (mark.isAbove ? -lineHeightPx : lineHeightPx)
  if (countdownText !== undefined) row(countdownText, countdownTop, [colours.hover, colours.text2])
  pen.restore()
}

const rowsOf = ({ countdownText }: LastPrice): number => (countdownText === undefined ? 1 : 2)

/** An invisible label that only widens the axis. */
function roomFor(text: () => string | undefined): ISeriesPrimitiveAxisView {
  return { text: () => text() ?? '', coordinate: () => 0, textColor: () => '', backColor: () => '', visible: () => false }
}

/** Device pixels. */
const lineTop = (yPx: number, { y }: Ratio) => Math.round(yPx * y) - Math.floor(hairOf(y) / 2)

/** CSS pixels, aligned to a device pixel. */
const labelTop = (yPx: number, { y }: Ratio) => Math.round(yPx * y) / y - (lineHeightPx - 1) / 2
