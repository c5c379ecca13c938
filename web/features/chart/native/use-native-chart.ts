// The chart outside of React: its engine, the view of each series, and what reaches it later.
import { useEffect, useState } from 'react'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { pageClock } from '#web/lib/page-clock.ts'
import { useCell } from '../cell-context.ts'
import { nativeEngine, type NativeEngine, type NativeView } from './native-engine.ts'
import { showMarketStatus } from '#web/features/market-data/market-status.ts'
import { adjustedSource } from '#web/features/market-data/candle-source.ts'
import type { ChartOptions } from './chart-options.ts'
import type { NativeChart } from './chart-port.ts'
import { linkCrosshair } from './linked-crosshairs.ts'
import { liveCandles } from '#web/features/market-data/live-candles.ts'
import { axisZone } from './axis-zone.ts'
import type { StudyPicture } from './studies/study-setup.ts'

export interface Ended {
  readonly code: string
  readonly message: string
}

export interface NativeChartRequest {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly adjustment: Adjustment
  /** Counts the user's retries. */
  readonly attempt: number
  readonly options: ChartOptions
  readonly studies: StudyPicture | undefined
}

export interface MountedNativeChart {
  readonly engine: NativeEngine
  readonly view: NativeView
  /** Undefined until it is mounted. */
  readonly chart: NativeChart | undefined
  /** The server ended the subscription. */
  readonly ended: Ended | undefined
  /** Market status, undefined until it is known. */
  readonly condition: LiveCondition | undefined
  readonly isConnected: boolean
}

/** The chart lives as long as the component; whatever changes is swapped in it. */
export function useNativeChart(request: NativeChartRequest): MountedNativeChart {
  const { instrument, options, studies } = request
  const [chart, setChart] = useState<NativeChart>()
  const [reported, setReported] = useState<Reported>(nothingYet)
  const [engine] = useState(() => nativeEngine(setChart))
  useEffect(() => () => engine.end(), [engine])
  const [held, setHeld] = useState(() => ({ key: keyOf(request), view: viewOf(request, setReported) }))
  if (held.key !== keyOf(request)) {
    // Nothing that was said of the series before may stand beside this one, not for one frame.
    setHeld({ key: keyOf(request), view: viewOf(request, setReported) })
    setReported(nothingYet)
  }
  useShownMarket(instrument.slug, reported)
  useEffect(() => {
    const setOptions = () => chart?.setOptions(options)
    setOptions()
    // The colours are read again with the options.
    const forced = window.matchMedia('(forced-colors: active)')
    forced.addEventListener('change', setOptions)
    return () => forced.removeEventListener('change', setOptions)
  }, [chart, options])
  useEffect(() => chart?.setStudies(studies), [chart, studies])
  const isLinked = useCell()?.isCrosshairLinked === true
  useEffect(() => (chart !== undefined && isLinked ? linkCrosshair(chart.crosshair) : undefined), [chart, isLinked])
  return { engine, view: held.view, chart, ...reported }
}

type Reported = Pick<MountedNativeChart, 'ended' | 'condition' | 'isConnected'>

const nothingYet: Reported = { ended: undefined, condition: undefined, isConnected: true }

const keyOf = ({ instrument, timeframe, adjustment, attempt }: NativeChartRequest): string =>
  [instrument.slug, timeframe, adjustment, attempt].join(' ')

function viewOf(
  { instrument, timeframe, adjustment, options, studies }: NativeChartRequest,
  report: (change: (before: Reported) => Reported) => void,
): NativeView {
  return {
    instrument,
    timeframe,
    adjustment,
    zone: axisZone(instrument),
    source: adjustedSource(liveCandles, adjustment),
    clock: pageClock,
    options,
    studies,
    events: {
      condition: (condition) => report((before) => ({ ...before, condition })),
      connected: (isConnected) => report((before) => ({ ...before, isConnected })),
      ended: (code, message) => report((before) => ({ ...before, ended: { code, message } })),
    },
  }
}

/** Tells the market status to the header and the toolbar. */
function useShownMarket(slug: string, { condition, isConnected }: Reported): void {
  useEffect(() => {
    if (condition === undefined) return undefined
    return showMarketStatus({ slug, condition, isConnected, clockOffsetMs: () => liveCandles.clockOffsetMs() })
  }, [slug, condition, isConnected])
}
