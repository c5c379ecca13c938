// Where the user is: the instrument of the path and the timeframe of the address, which goes along everywhere.
import { useCallback } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { findInstrumentAt, type Instrument } from '#shared/market/instruments.ts'
import { defaultTimeframe, effectiveTimeframe, findTimeframeForce, parseTimeframe, type Timeframe } from '#shared/market/timeframe.ts'

export interface Place {
  readonly instrument: Instrument | undefined
  /** What the user chose; one choice for all charts. */
  readonly chosen: Timeframe
  /** What the chart shows of it. */
  readonly shown: Timeframe
  /** Why the instrument has nothing shorter than 1D, if it has not. */
  readonly limit: ReturnType<typeof findTimeframeForce>
  /** To be appended to the path of any other chart. */
  readonly search: string
  readonly choose: (timeframe: Timeframe) => void
}

const timeframeParam = 'tf'

export function usePlace(): Place {
  const { pathname } = useLocation()
  const [params, setParams] = useSearchParams()
  const instrument = findInstrumentAt(pathname)
  const chosen = parseTimeframe(params.get(timeframeParam))
  const choose = useCallback(
    // Replaces the entry, so that Back leads to the chart before and not through every timeframe.
    (timeframe: Timeframe) => setParams({ [timeframeParam]: timeframe }, { replace: true }),
    [setParams],
  )
  return {
    instrument,
    chosen,
    shown: instrument === undefined ? chosen : effectiveTimeframe(instrument, chosen),
    limit: instrument === undefined ? undefined : findTimeframeForce(instrument, defaultTimeframe),
    search: chosen === defaultTimeframe ? '' : `?${timeframeParam}=${chosen}`,
    choose,
  }
}
