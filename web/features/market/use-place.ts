// Where the user is: the instrument of the path and the timeframe of the address, which goes along everywhere.
import { useCallback } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { findInstrumentAt, type Instrument } from '#shared/market/instruments.ts'
import type { ChartChoice, TimeframeLimit } from '#shared/market/engine-choice.ts'
import { defaultTimeframe, parseTimeframe, type Timeframe } from '#shared/market/timeframe.ts'
import { useInstrumentChart } from './use-engine.ts'

export interface Address {
  readonly instrument: Instrument | undefined
  /** What the user chose; one choice for all charts that are looked at one after the other. */
  readonly chosen: Timeframe
}

export interface ShownPlace {
  /** What the chart shows of the chosen timeframe. */
  readonly shown: Timeframe
  /** Which chart shows it. */
  readonly choice: ChartChoice
  /** Why the instrument has nothing shorter than 1D, if it has not. */
  readonly limit: TimeframeLimit | undefined
  /** To be appended to the path of any other chart. */
  readonly search: string
}

export interface Place extends Address, ShownPlace {
  /** Whether choosing this timeframe would show it. */
  readonly isOffered: (timeframe: Timeframe) => boolean
  readonly choose: (timeframe: Timeframe) => void
}

const timeframeParam = 'tf'

export function useAddress(): Address {
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  return { instrument: findInstrumentAt(pathname), chosen: parseTimeframe(params.get(timeframeParam)) }
}

export function usePlace(): Place {
  const { instrument, chosen } = useAddress()
  const [, setParams] = useSearchParams()
  const choose = useCallback(
    // Replaces the entry, so that Back leads to the chart before and not through every timeframe.
    (timeframe: Timeframe) => setParams({ [timeframeParam]: timeframe }, { replace: true }),
    [setParams],
  )
  const { choose: chooseChart } = useInstrumentChart(instrument)
  return {
    instrument,
    chosen,
    ...useShown(instrument, chosen),
    isOffered: (code) => instrument === undefined || chooseChart(code).timeframe === code,
    choose,
  }
}

/** What becomes of an instrument and a timeframe, by the choices of the chart that shows them. */
export function useShown(instrument: Instrument | undefined, chosen: Timeframe): ShownPlace {
  const { choose } = useInstrumentChart(instrument)
  const choice = choose(chosen)
  return { shown: choice.timeframe, choice, limit: choose(defaultTimeframe).limit, search: searchOf(chosen) }
}

/** What the address of a chart ends with. */
export function searchOf(timeframe: Timeframe): string {
  return timeframe === defaultTimeframe ? '' : `?${timeframeParam}=${timeframe}`
}
