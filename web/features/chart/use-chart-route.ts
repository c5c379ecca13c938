// Current chart route: instrument from the path and timeframe from the query, which every chart link keeps.
import { useCallback } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { findInstrumentAt, type Instrument } from '#shared/instruments/instruments.ts'
import type { ChartChoice, TimeframeLimit } from '#shared/chart/chart-choice.ts'
import { defaultTimeframe, parseTimeframe, type Timeframe } from '#shared/candles/timeframe.ts'
import { useInstrumentChart } from './use-engine.ts'

export interface Address {
  readonly instrument: Instrument | undefined
  /** Timeframe that the user chose; kept across instruments. */
  readonly chosen: Timeframe
}

export interface ShownPlace {
  /** Timeframe that the chart actually shows. */
  readonly shown: Timeframe
  /** Engine that shows it. */
  readonly choice: ChartChoice
  /** Why the instrument has nothing shorter than 1D; undefined where it has. */
  readonly limit: TimeframeLimit | undefined
  /** Query string to append to the path of any other chart. */
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
    // Replaces the history entry, so that Back leads to the previous chart and not through every timeframe.
    (timeframe: Timeframe) => setParams({ [timeframeParam]: timeframe }, { replace: true, flushSync: true }),
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

/** Resolves instrument and timeframe to what is shown, by the settings of the chart that shows them. */
export function useShown(instrument: Instrument | undefined, chosen: Timeframe): ShownPlace {
  const { choose } = useInstrumentChart(instrument)
  const choice = choose(chosen)
  return { shown: choice.timeframe, choice, limit: choose(defaultTimeframe).limit, search: searchOf(chosen) }
}

/** Query string of a chart's address. */
export function searchOf(timeframe: Timeframe): string {
  return timeframe === defaultTimeframe ? '' : `?${timeframeParam}=${timeframe}`
}
