// The drawing library with our colours, texts and gestures; it is a view only and never holds more than a window.
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
  /** Of the label at the crosshair. */
  readonly moment: (axisSeconds: number) => string
  readonly mark: (axisSeconds: number, weight: number) => string
}

/** Percents are how the axis is written: see price-axis.ts. */
const modes = { linear: PriceScaleMode.Normal, log: PriceScaleMode.Logarithmic, percent: PriceScaleMode.Normal } as const

export interface LwcNeeds {
  readonly colours: ChartColours
  readonly texts: AxisTexts
  /** Whether room is kept for volume below the price. */
  readonly hasVolume: boolean
}

export function lwcChart(host: HTMLElement, { colours, texts, hasVolume }: LwcNeeds): IChartApi {
  return createChart(host, {
    autoSize: true,
    ...themeOf(colours),
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.14, bottom: hasVolume ? 0.2 : 0.08 }, minimumWidth: 64 },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      secondsVisible: false,
      rightOffset: 6,
      // Even, or the middle of each bar would lie between two pixels, and the smallest error of a sum would move some of them.
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
      // The link stands in the bar above the chart.
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
