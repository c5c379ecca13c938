// The provider's chart widget: its configuration, the address of its frame and the links to its site.
import type { Timeframe } from './timeframe.ts'

export interface WidgetChoice {
  readonly symbol: string
  readonly timeframe: Timeframe
  /** IANA zone of the browser. */
  readonly zone: string
  readonly studies: readonly string[]
}

const frameUrl = 'https://www.tradingview-widget.com/embed-widget/advanced-chart/?locale=en'

/** What a browser asks for to find out whether the provider can be reached: the page of the frame itself. */
export const widgetProbeUrl = frameUrl

/** Where the documented script tag of the widget comes from. */
export const widgetScriptUrl = 'https://s3.tradingview.com/external-embedding/embed-widget-advanced-chart.js'

/** Hosts whose messages tell of the widget's frame. */
export const widgetOrigins: readonly string[] = ['https://www.tradingview-widget.com', 'https://s.tradingview.com']

/** The widget takes colours only as values, so canvas and line of the design's tokens are repeated here. */
const canvasColor = '#0b0f14'
const gridColor = 'rgba(43, 49, 56, 0.6)'

/** Names that some browsers still report and the widget does not know. */
const zoneAliases: Readonly<Record<string, string>> = { 'Asia/Calcutta': 'Asia/Kolkata' }

/** The zone under the name that the provider knows. */
export function widgetZone(zone: string): string {
  return Object.hasOwn(zoneAliases, zone) ? (zoneAliases[zone] ?? zone) : zone
}

/** The widget's configuration; nothing in it tells who is looking. */
export function widgetConfig(choice: WidgetChoice): Record<string, unknown> {
  return {
    autosize: true,
    width: '100%',
    height: '100%',
    symbol: choice.symbol,
    interval: choice.timeframe,
    timezone: widgetZone(choice.zone),
    theme: 'dark',
    style: '1',
    locale: 'en',
    backgroundColor: canvasColor,
    gridColor,
    hide_top_toolbar: true,
    hide_side_toolbar: true,
    hide_legend: false,
    hide_volume: false,
    withdateranges: false,
    allow_symbol_change: false,
    save_image: false,
    details: false,
    hotlist: false,
    calendar: false,
    studies: choice.studies,
    support_host: 'https://www.tradingview.com',
  }
}

/** Address of the widget's frame; the configuration travels in the fragment, so no server log sees it. */
export function widgetUrl(choice: WidgetChoice): string {
  return `${frameUrl}#${encodeURIComponent(JSON.stringify(widgetConfig(choice)))}`
}

/** The same symbol on the provider's own site. */
export function providerUrl(symbol: string): string {
  return `https://www.tradingview.com/chart/?symbol=${encodeURIComponent(symbol)}`
}
