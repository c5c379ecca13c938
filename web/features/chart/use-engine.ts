// Chooses the chart engine for an instrument: by server listing, user preference and failures so far.
import { useCallback } from 'react'
import { chooseChart, type ChartChoice, type ChartRequest, type EnginePreference } from '#shared/chart/chart-choice.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { changePreferences, usePreferences } from '#web/lib/preferences.ts'
import { useCell } from './cell-context.ts'
import { dataKeyOf, forgetFailures, useChartFailures } from './chart-failures.ts'
import { useKnownListing } from './chart-listings.ts'
import { listingOf } from './listing-cache.ts'
import { useReach } from './reach.ts'

export function useEnginePreference(): EnginePreference {
  const kept = usePreferences(({ workspace }) => workspace.engine)
  return useCell()?.engine ?? kept ?? 'automatic'
}

/** Stores the preference; a new choice lets the widget be tried again. */
export function usePreferEngine(): (next: EnginePreference) => void {
  const cell = useCell()
  return (next) => {
    forgetFailures()
    if (cell === undefined) changePreferences((before) => ({ ...before, engine: next }))
    else cell.choose({ engine: next })
  }
}

export interface InstrumentChart {
  /** What is shown at a timeframe. */
  readonly choose: (timeframe: Timeframe) => ChartChoice
  /** What would be shown if the provider could be reached. */
  readonly chooseOnline: (timeframe: Timeframe) => ChartChoice
  /** What would be shown without the provider. */
  readonly chooseOffline: (timeframe: Timeframe) => ChartChoice
}

export function useInstrumentChart(instrument: Instrument | undefined): InstrumentChart {
  const slug = instrument?.slug ?? ''
  const reported = useKnownListing(slug)
  const preferred = useEnginePreference()
  const { reach } = useReach()
  const { unanswered, withoutData, withoutPrices } = useChartFailures()
  const chooseWith = useCallback(
    (timeframe: Timeframe, isWidgetUp: boolean): ChartChoice => {
      if (instrument === undefined) return { engine: 'none', timeframe, limit: undefined }
      const listing = listingOf(instrument, reported)
      const request: ChartRequest = {
        preference: preferred,
        timeframe,
        isWidgetUp,
        hasNoData: (symbol, shown) => withoutData.has(dataKeyOf(symbol, shown)),
      }
      const chosen = chooseChart(listing, request)
      if (chosen.engine !== 'native' || preferred === 'tezi' || !withoutPrices.has(slug)) return chosen
      // The Tezi chart explains itself, and recovers by itself, where no engine has prices.
      const other = chooseChart({ ...listing, native: 'none' }, request)
      return other.engine === 'none' ? chosen : other
    },
    [instrument, slug, reported, preferred, withoutData, withoutPrices],
  )
  // Keep waiting for a slow provider when there is no alternative.
  const isUp = !unanswered.has(slug) && reach !== 'unreachable' && !(reach === 'slow' && reported?.native !== 'none')
  return {
    choose: useCallback((timeframe) => chooseWith(timeframe, isUp), [chooseWith, isUp]),
    chooseOnline: useCallback((timeframe) => chooseWith(timeframe, true), [chooseWith]),
    chooseOffline: useCallback((timeframe) => chooseWith(timeframe, false), [chooseWith]),
  }
}
