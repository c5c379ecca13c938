// What the Tezi chart would show of an instrument, by the settings that the browser caches; without components.
import { effectiveAdjustment } from '#shared/candles/price-adjuster.ts'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { chooseChart, enginePreferences } from '#shared/chart/chart-choice.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { parseJson } from '#shared/base/parse-json.ts'
import { browserStorage, settingsPrefix } from '#web/lib/browser-storage.ts'
import type { Workspace } from '#shared/workspace/workspace.ts'
import { cachedListing, listingOf } from './listing-cache.ts'
import { chartOptionsOf, type ChartOptions } from './native/chart-options.ts'

export interface OwnChartRequest {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly adjustment: Adjustment
  readonly options: ChartOptions
}

/** Undefined where another chart would be shown. */
export function ownChartRequest(instrument: Instrument, chosen: Timeframe): OwnChartRequest | undefined {
  const engine = browserStorage.get(`${settingsPrefix}engine`)
  const { engine: shown, timeframe } = chooseChart(listingOf(instrument, cachedListing(instrument.slug)), {
    preference: enginePreferences.find((known) => known === engine) ?? 'automatic',
    timeframe: chosen,
    isWidgetUp: true,
    hasNoData: () => false,
  })
  if (shown !== 'native') return undefined
  const kept = parseJson(browserStorage.get(`${settingsPrefix}options`) ?? '')
  // Unknown values give the defaults.
  const options = chartOptionsOf(typeof kept === 'object' ? (kept as Workspace['options']) : null)
  return { instrument, timeframe, adjustment: effectiveAdjustment(instrument.series, options.adjustment, Infinity), options }
}
