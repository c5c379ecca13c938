// The last price on the axis, and under it how long its candle still has.
import type { ISeriesPrimitive, ISeriesPrimitiveAxisView, SeriesAttachedParameter } from 'lightweight-charts'
import type { ChartColours } from '../chart-colours.ts'
import type { Plane } from './plane.ts'

export interface LastPrice {
  readonly price: number
  readonly priceText: string
  readonly isUp: boolean
  /** Undefined while the market is closed. */
  readonly countdownText: string | undefined
}

export interface LastPriceLabel extends ISeriesPrimitive {
  repaint(): void
}

const lineHeightPx = 17

export function lastPriceLabel(plane: Plane, colours: () => ChartColours, read: () => LastPrice | undefined): LastPriceLabel {
  let requestUpdate: (() => void) | undefined
  const label = (offsetPx: number, textOf: (last: LastPrice) => string | undefined, isPlain: boolean): ISeriesPrimitiveAxisView => ({
    coordinate: () => -10_000,
    fixedCoordinate: () => {
      const y = plane.yOf(read()?.price ?? Number.NaN)
      return y === null || Number.isNaN(y) ? -10_000 : y + offsetPx
    },
    text: () => textFrom(read(), textOf),
    textColor: () => (isPlain ? colours().text2 : colours().canvas),
    backColor: () => (isPlain ? colours().hover : read()?.isUp === false ? colours().down : colours().up),
    visible: () => textFrom(read(), textOf) !== '',
    tickVisible: () => false,
  })
  const views = [
    label(0, (last) => last.priceText, false),
    label(lineHeightPx, (last) => padded(last.countdownText, last.priceText.length), true),
  ]
  return {
    attached: (parameter: SeriesAttachedParameter) => void (requestUpdate = parameter.requestUpdate),
    detached: () => void (requestUpdate = undefined),
    priceAxisViews: () => views,
    updateAllViews: () => undefined,
    repaint: () => requestUpdate?.(),
  }
}

function textFrom(last: LastPrice | undefined, textOf: (last: LastPrice) => string | undefined): string {
  return last === undefined ? '' : (textOf(last) ?? '')
}

/** As wide as the price above it, so that both look like one label. */
function padded(text: string | undefined, length: number): string | undefined {
  if (text === undefined || text.length >= length) return text
  const before = Math.floor((length - text.length) / 2)
  return figureSpace.repeat(before) + text + figureSpace.repeat(length - text.length - before)
}

const figureSpace = '\u2007'
