// Which chart shows an instrument in this browser: by the server's listing, the user's preference and what has failed so far.
import { useCallback, useSyncExternalStore } from 'react'
import { chooseChart, enginePreferences, type ChartChoice, type ChartRequest, type EnginePreference } from '#shared/market/engine-choice.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { chartChoices } from '#web/lib/storage.ts'
import { useCell } from './cell-context.ts'
import { dataKeyOf, forgetFailures, useChartFailures } from './chart-failures.ts'
import { listingOf, useKnownListing } from './chart-listings.ts'
import { useReach } from './reach.ts'

const name = 'engine'

export function useEnginePreference(): EnginePreference {
  const kept = useSyncExternalStore(chartChoices.onChange, preference)
  return useCell()?.engine ?? kept
}

function preference(): EnginePreference {
  const kept = chartChoices.get(name)
  return enginePreferences.find((known) => known === kept) ?? 'automatic'
}

/** Keeps the preference; a new choice gives the widget another chance. */
export function usePreferEngine(): (next: EnginePreference) => void {
  const cell = useCell()
  return (next) => {
    forgetFailures()
    if (cell === undefined) chartChoices.set(name, next)
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
  const said = useKnownListing(slug)
  const preferred = useEnginePreference()
  const { reach } = useReach()
  const { unanswered, withoutData, withoutPrices } = useChartFailures()
  const chooseWith = useCallback(
    (timeframe: Timeframe, isWidgetUp: boolean): ChartChoice => {
      if (instrument === undefined) return { engine: 'none', timeframe, limit: undefined }
      const listing = listingOf(instrument, said)
      const request: ChartRequest = {
        preference: preferred,
        timeframe,
        isWidgetUp,
        hasNoData: (symbol, shown) => withoutData.has(dataKeyOf(symbol, shown)),
      }
      const chosen = chooseChart(listing, request)
      if (chosen.engine !== 'native' || preferred === 'tezi' || !withoutPrices.has(slug)) return chosen
      // Our own chart explains itself, and goes on by itself, where nothing else has prices either.
      const other = chooseChart({ ...listing, native: 'none' }, request)
      return other.engine === 'none' ? chosen : other
    },
    [instrument, slug, said, preferred, withoutData, withoutPrices],
  )
  // A silent provider is waited for where there is nothing else to show.
  const isUp = !unanswered.has(slug) && reach !== 'unreachable' && !(reach === 'slow' && said?.native !== 'none')
  return {
    choose: useCallback((timeframe) => chooseWith(timeframe, isUp), [chooseWith, isUp]),
    chooseOnline: useCallback((timeframe) => chooseWith(timeframe, true), [chooseWith]),
    chooseOffline: useCallback((timeframe) => chooseWith(timeframe, false), [chooseWith]),
  }
}
