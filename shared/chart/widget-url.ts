// The provider's chart widget: configuration, frame URL and links to the provider's site.
import type { Timeframe } from '#shared/candles/timeframe.ts'

export interface WidgetChoice {
  readonly symbol: string
  readonly timeframe: Timeframe
  /** IANA zone of the browser. */
  readonly zone: string
  readonly studies: readonly string[]
}

const frameUrl = 'https://www.tradingview-widget.com/embed-widget/advanced-chart/?locale=en'

/** Probe URL for reachability: the page of the frame itself. */
export const widgetProbeUrl = frameUrl

/** URL of the widget's documented script tag. */
export const widgetScriptUrl = 'https://s3.tradingview.com/external-embedding/embed-widget-advanced-chart.js'

/** Origins of messages from the widget's frame. */
export const widgetOrigins: readonly string[] = ['https://www.tradingview-widget.com', 'https://s.tradingview.com']

/** The widget needs colour values, so canvas and line colours of the design tokens are repeated here. */
const canvasColor = '#0b0f14'
const gridColor = 'rgba(43, 49, 56, 0.6)'

/** Zone names that some browsers still report and the widget does not know. */
const zoneAliases: Readonly<Record<string, string>> = { 'Asia/Calcutta': 'Asia/Kolkata' }

/** The zone by the name that the provider knows. */
export function widgetZone(zone: string): string {
  return Object.hasOwn(zoneAliases, zone) ? (zoneAliases[zone] ?? zone) : zone
}

/** The widget's configuration, without any data about the user. */
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

/** URL of the widget's frame; the configuration is in the fragment, so that it appears in no server log. */
export function widgetUrl(choice: WidgetChoice): string {
  return `${frameUrl}#${encodeURIComponent(JSON.stringify(widgetConfig(choice)))}`
}

/** URL of the same symbol on the provider's own site. */
export function providerUrl(symbol: string): string {
  return `https://www.tradingview.com/chart/?symbol=${encodeURIComponent(symbol)}`
}
