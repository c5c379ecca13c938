// Chooses the chart of an instrument: the provider's widget with its own symbol or a substitute, the Tezi chart, or none.
import { isDailyOrLonger, type Timeframe } from '#shared/candles/timeframe.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { WidgetSupport } from './widget-support.ts'

export const enginePreferences = ['automatic', 'tradingview', 'tezi'] as const

/** The user's choice; `automatic` by default. */
export type EnginePreference = (typeof enginePreferences)[number]

export type Engine = 'widget' | 'native' | 'none'

/** What the Tezi chart can show now: prices that move, those of past days only, generated ones, or nothing. */
export const nativeSources = ['real', 'end-of-day', 'demo', 'none'] as const

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
  /** Its own trading hours; null if unknown. */
  readonly sessionClass: SessionClass | null
}

/** Inputs of the choice, from the server's chart config. */
export interface ChartListing {
  /** A stock is shown at 1D or longer where its prices are end of day. */
  readonly isStock: boolean
  readonly symbol: string
  readonly widget: WidgetSupport
  /** In order of preference; one that has all timeframes comes before those that have daily candles. */
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

/** Why the chart shows 1D although a shorter timeframe was requested: `daily-only` is the stock of an end-of-day source. */
export type TimeframeLimit = 'daily-only' | 'end-of-day' | 'substitute-end-of-day'

export interface WidgetChart {
  readonly engine: 'widget'
  readonly timeframe: Timeframe
  readonly limit: TimeframeLimit | undefined
  readonly symbol: string
  readonly support: Exclude<WidgetSupport, 'none'>
  /** Description of a substitute; null for the instrument's own symbol. */
  readonly proxy: string | null
  /** Trading hours of a substitute; null if unknown, and for the instrument's own symbol. */
  readonly sessionClass: SessionClass | null
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
  const { timeframe } = request
  const isForced = listing.isStock && listing.native === 'end-of-day' && !isDailyOrLonger(timeframe)
  const native: ChartChoice = isForced
    ? { engine: 'native', timeframe: '1D', limit: 'daily-only' }
    : { engine: 'native', timeframe, limit: undefined }
  const none: ChartChoice = { engine: 'none', timeframe, limit: undefined }
  const { own, substitutes, ownDaily } = widgetCharts(listing, timeframe)
  const hasData = ({ symbol, timeframe: shown }: WidgetChart) => !request.hasNoData(symbol, shown)
  if (request.preference === 'tezi') return listing.native === 'none' ? none : native
  if (request.preference === 'tradingview') {
    const all = [...own, ...ownDaily, ...substitutes]
    // Without any candles the first one gives the best explanation.
    return all.find(hasData) ?? all[0] ?? (listing.native === 'none' ? none : native)
  }
  const usable = (charts: readonly WidgetChart[]) => (request.isWidgetUp ? charts.filter(hasData) : [])
  const real = listing.native === 'real' || listing.native === 'end-of-day' ? [native] : []
  const demo = listing.native === 'demo' ? [native] : []
  // Where ours is at 1D as well, the order is that of 1D.
  const ownFirst = usable(isForced ? [...own, ...ownDaily] : own)
  const firstTwo = listing.firstChart === 'tezi' ? [...real, ...ownFirst] : [...ownFirst, ...real]
  return [...firstTwo, ...usable(substitutes), ...demo, ...usable(ownDaily)][0] ?? none
}

interface WidgetCharts {
  /** At the requested timeframe; at most one. */
  readonly own: readonly WidgetChart[]
  /** Best first: the same one at every timeframe that it has, so that a change of timeframe is no change of prices. */
  readonly substitutes: readonly WidgetChart[]
  /** At 1D instead of a shorter timeframe; at most one. */
  readonly ownDaily: readonly WidgetChart[]
}

function widgetCharts({ symbol, widget, substitutes }: ChartListing, timeframe: Timeframe): WidgetCharts {
  const isDaily = isDailyOrLonger(timeframe)
  const charts: Omit<WidgetChart, 'timeframe' | 'limit'>[] = substitutes
    .toSorted((one, other) => Number(one.widget !== 'live') - Number(other.widget !== 'live'))
    .map((substitute) => ({
      engine: 'widget',
      symbol: substitute.symbol,
      support: substitute.widget,
      proxy: substitute.title,
      sessionClass: substitute.sessionClass,
    }))
  if (widget !== 'none') charts.unshift({ engine: 'widget', symbol, support: widget, proxy: null, sessionClass: null })
  const exact = charts.filter(({ support }) => support === 'live' || isDaily).map((chart) => ({ ...chart, timeframe, limit: undefined }))
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
