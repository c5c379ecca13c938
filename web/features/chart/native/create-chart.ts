// Creates the lightweight-charts instance with our colours, texts and gestures; it only ever holds a window of the data.
import {
  ColorType,
  createChart,
  CrosshairMode,
  LineStyle,
  PriceScaleMode,
  type ChartOptions as LibraryOptions,
  type DeepPartial,
  type IChartApi,
  type Time,
} from 'lightweight-charts'
import { faded, type ChartColours } from './chart-colours.ts'
import type { PriceScale } from './chart-options.ts'
import { chartFont } from './primitives/painter.ts'

export interface AxisTexts {
  /** Time text of the crosshair label. */
  readonly moment: (axisSeconds: number) => string
  readonly mark: (axisSeconds: number, weight: number) => string
}

/** Percent is only a label format: see price-axis.ts. */
const modes = { linear: PriceScaleMode.Normal, log: PriceScaleMode.Logarithmic, percent: PriceScaleMode.Normal } as const

export interface LwcOptions {
  readonly colours: ChartColours
  readonly texts: AxisTexts
  /** Whether space is reserved for volume below the price. */
  readonly hasVolume: boolean
}

export function lwcChart(host: HTMLElement, { colours, texts, hasVolume }: LwcOptions): IChartApi {
  return createChart(host, {
    autoSize: true,
    ...themeOf(colours),
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.14, bottom: hasVolume ? 0.2 : 0.08 }, minimumWidth: 64 },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      secondsVisible: false,
      rightOffset: 6,
      // Even: otherwise bar centres would lie between two pixels, and rounding errors would shift some of them.
      barSpacing: 6,
      minBarSpacing: 0.4,
      enableConflation: true,
      tickMarkFormatter: (time: Time, weight: number) => texts.mark(Number(time), weight),
    },
    crosshair: { mode: CrosshairMode.Normal },
    localization: { timeFormatter: (time: Time) => texts.moment(Number(time)) },
  })
}

export function themeOf(colours: ChartColours): DeepPartial<LibraryOptions> {
  const hair = { color: faded(colours.text3, 0.8), width: 1, style: LineStyle.Dashed, labelBackgroundColor: colours.hover } as const
  return {
    layout: {
      background: { type: ColorType.Solid, color: colours.canvas },
      textColor: colours.text2,
      fontSize: chartFont.sizePx,
      fontFamily: chartFont.family,
      // The attribution link is in the toolbar above the chart.
      attributionLogo: false,
      panes: { separatorColor: colours.line, separatorHoverColor: faded(colours.lineStrong, 0.5), enableResize: true },
    },
    grid: { vertLines: { color: faded(colours.line, 0.45) }, horzLines: { color: faded(colours.line, 0.45) } },
    crosshair: { vertLine: hair, horzLine: hair },
  }
}

export function setPriceScale(chart: IChartApi, scale: PriceScale): void {
  chart.priceScale('right', 0).applyOptions({ mode: modes[scale] })
}
