// Chooses the chart of an instrument: the provider's widget with its own symbol or a substitute, the Tezi chart, or none.
import { isDailyOrLonger, type Timeframe } from '#shared/candles/timeframe.ts'
import type { WidgetSupport } from './widget-support.ts'

export const enginePreferences = ['automatic', 'tradingview', 'tezi'] as const

/** The user's choice; `automatic` by default. */
export type EnginePreference = (typeof enginePreferences)[number]

export type Engine = 'widget' | 'native' | 'none'

/** What the Tezi chart can show now: real prices, generated ones, or nothing. */
export const nativeSources = ['real', 'demo', 'none'] as const

export type NativeSource = (typeof nativeSources)[number]

/** Which chart Automatic tries first. */
export const firstCharts = ['tradingview', 'tezi'] as const

export type FirstChart = (typeof firstCharts)[number]

/** Another symbol that the widget shows instead of the instrument; always labelled. */
export interface Substitute {
  readonly symbol: string
  /** Description for the badge. */
  readonly title: string
  readonly widget: Exclude<WidgetSupport, 'none'>
}

/** Inputs of the choice, from the server's chart config. */
export interface ChartListing {
  /** Product rule for stocks: nothing shorter than 1D. */
  readonly isDailyOnly: boolean
  readonly symbol: string
  readonly widget: WidgetSupport
  /** In order of preference. */
  readonly substitutes: readonly Substitute[]
  readonly native: NativeSource
  readonly firstChart: FirstChart
}

export interface ChartRequest {
  readonly preference: EnginePreference
  readonly timeframe: Timeframe
  /** False if the provider is unreachable, or did not respond for this instrument. */
  readonly isWidgetUp: boolean
  /** Whether the widget reported no candles for a symbol at a timeframe. */
  readonly hasNoData: (symbol: string, timeframe: Timeframe) => boolean
}

/** Why the chart shows 1D although a shorter timeframe was requested. */
export type TimeframeLimit = 'daily-only' | 'end-of-day' | 'substitute-end-of-day'

export interface WidgetChart {
  readonly engine: 'widget'
  readonly timeframe: Timeframe
  readonly limit: TimeframeLimit | undefined
  readonly symbol: string
  readonly support: Exclude<WidgetSupport, 'none'>
  /** Description of a substitute; null for the instrument's own symbol. */
  readonly proxy: string | null
}

export type ChartChoice =
  | WidgetChart
  | { readonly engine: Exclude<Engine, 'widget'>; readonly timeframe: Timeframe; readonly limit: TimeframeLimit | undefined }

/**
 * Automatic tries in this order: the widget with the instrument's own symbol at the requested timeframe; the Tezi chart with
 * real prices; the widget with a substitute, at 1D if that has daily candles only; the Tezi chart with generated
 * prices; daily candles of the own symbol; nothing. `firstChart` swaps the first two. A user who prefers one of the
 * charts gets it wherever it exists.
 */
export function chooseChart(listing: ChartListing, request: ChartRequest): ChartChoice {
  const isForced = listing.isDailyOnly && !isDailyOrLonger(request.timeframe)
  const timeframe = isForced ? '1D' : request.timeframe
  const limit = isForced ? 'daily-only' : undefined
  const native: ChartChoice = { engine: 'native', timeframe, limit }
  const none: ChartChoice = { engine: 'none', timeframe, limit }
  const { own, substitutes, ownDaily } = widgetCharts(listing, timeframe, limit)
  const hasData = ({ symbol, timeframe: shown }: WidgetChart) => !request.hasNoData(symbol, shown)
  if (request.preference === 'tezi') return listing.native === 'none' ? none : native
  if (request.preference === 'tradingview') {
    const all = [...own, ...ownDaily, ...substitutes]
    // Without any candles the first one gives the best explanation.
    return all.find(hasData) ?? all[0] ?? (listing.native === 'none' ? none : native)
  }
  const usable = (charts: readonly WidgetChart[]) => (request.isWidgetUp ? charts.filter(hasData) : [])
  const real = listing.native === 'real' ? [native] : []
  const demo = listing.native === 'demo' ? [native] : []
  const firstTwo = listing.firstChart === 'tezi' ? [...real, ...usable(own)] : [...usable(own), ...real]
  return [...firstTwo, ...usable(substitutes), ...demo, ...usable(ownDaily)][0] ?? none
}

interface WidgetCharts {
  /** At the requested timeframe; at most one. */
  readonly own: readonly WidgetChart[]
  /** Best first. */
  readonly substitutes: readonly WidgetChart[]
  /** At 1D instead of a shorter timeframe; at most one. */
  readonly ownDaily: readonly WidgetChart[]
}

function widgetCharts(
  { symbol, widget, substitutes }: ChartListing,
  timeframe: Timeframe,
  limit: TimeframeLimit | undefined,
): WidgetCharts {
  const isDaily = isDailyOrLonger(timeframe)
  const charts: Omit<WidgetChart, 'timeframe' | 'limit'>[] = substitutes.map((substitute) => ({
    engine: 'widget',
    symbol: substitute.symbol,
    support: substitute.widget,
    proxy: substitute.title,
  }))
  if (widget !== 'none') charts.unshift({ engine: 'widget', symbol, support: widget, proxy: null })
  const exact = charts.filter(({ support }) => support === 'live' || isDaily).map((chart) => ({ ...chart, timeframe, limit }))
  const daily = charts
    .filter(({ support }) => support === 'end-of-day' && !isDaily)
    .map((chart): WidgetChart => ({ ...chart, timeframe: '1D', limit: chart.proxy === null ? 'end-of-day' : 'substitute-end-of-day' }))
  const isOwn = ({ proxy }: WidgetChart) => proxy === null
  return {
    own: exact.filter(isOwn),
    substitutes: [...exact, ...daily].filter((chart) => !isOwn(chart)),
    ownDaily: daily.filter(isOwn),
  }
}
