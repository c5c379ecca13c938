// The lightweight-charts instance with our gestures, and what each series gives it: colours, texts and room for volume.
// It only ever holds a window of the data.
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

export interface LwcLooks {
  readonly colours: ChartColours
  readonly texts: AxisTexts
  readonly scale: PriceScale
  /** Whether space is reserved for volume below the price. */
  readonly hasVolume: boolean
}

/** Of the price axis at least. */
export const axisWidthPx = 64

export function lwcChart(host: HTMLElement): IChartApi {
  const chart = createChart(host, {
    autoSize: true,
    // The attribution link is in the toolbar above the chart; the library's own would need an inline style.
    layout: { attributionLogo: false },
    rightPriceScale: { borderVisible: false, minimumWidth: axisWidthPx },
    // The time scale has its own reset, which also splits grouped bars.
    handleScale: { axisDoubleClickReset: { time: false, price: true } },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      secondsVisible: false,
      rightOffset: 6,
      // Even: otherwise bar centres would lie between two pixels, and rounding errors would shift some of them.
      barSpacing: 6,
      minBarSpacing: 0.4,
    },
    crosshair: { mode: CrosshairMode.Normal },
  })
  // Not below: a low pane of a study would lose its only labels.
  chart.priceScale('right', 0).applyOptions({ entireTextOnly: true })
  hideUntilSized(host, chart)
  return chart
}

/** The library gives its cells their sizes with a frame: one painted before would show them moving. */
function hideUntilSized(host: HTMLElement, chart: IChartApi): void {
  const show = (width: number): void => void (host.style.visibility = width > 0 ? '' : 'hidden')
  show(0)
  chart.timeScale().subscribeSizeChange(show)
}

/** For the next series; a price range that the user has chosen belonged to the one before. */
export function setLooks(chart: IChartApi, { colours, texts, scale, hasVolume }: LwcLooks): void {
  chart.applyOptions({
    ...themeOf(colours),
    rightPriceScale: { autoScale: true, scaleMargins: { top: 0.14, bottom: hasVolume ? 0.2 : 0.08 } },
    timeScale: { tickMarkFormatter: (time: Time, weight: number) => texts.mark(Number(time), weight) },
    localization: { timeFormatter: (time: Time) => texts.moment(Number(time)) },
  })
  setPriceScale(chart, scale)
}

export function themeOf(colours: ChartColours): DeepPartial<LibraryOptions> {
  const hair = { color: faded(colours.text3, 0.8), width: 1, style: LineStyle.Dashed, labelBackgroundColor: colours.hover } as const
  return {
    layout: {
      background: { type: ColorType.Solid, color: colours.canvas },
      textColor: colours.text2,
      fontSize: chartFont.sizePx,
      fontFamily: chartFont.family,
      panes: { separatorColor: colours.line, separatorHoverColor: faded(colours.lineStrong, 0.5), enableResize: true },
    },
    grid: { vertLines: { color: faded(colours.line, 0.45) }, horzLines: { color: faded(colours.line, 0.45) } },
    crosshair: { vertLine: hair, horzLine: hair },
  }
}

export function setPriceScale(chart: IChartApi, scale: PriceScale): void {
  chart.priceScale('right', 0).applyOptions({ mode: modes[scale] })
}

export function isAutoScaled(chart: IChartApi): boolean {
  return chart.priceScale('right', 0).options().autoScale
}

export function setAutoScaled(chart: IChartApi, autoScale: boolean): void {
  chart.priceScale('right', 0).applyOptions({ autoScale })
}

/** Calls back when the time scale is double-clicked, until it is stopped. */
export function onTimeScaleDoubleClick(host: HTMLElement, chart: IChartApi, listener: () => void): () => void {
  const onDoubleClick = ({ clientX, clientY }: MouseEvent) => {
    const { left, bottom } = host.getBoundingClientRect()
    const scale = chart.timeScale()
    if (clientY >= bottom - scale.height() && clientX <= left + scale.width()) listener()
  }
  host.addEventListener('dblclick', onDoubleClick)
  return () => host.removeEventListener('dblclick', onDoubleClick)
}
