// The chart outside of React: its engine, its first view, and what reaches it later.
import { useEffect, useMemo, useState } from 'react'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import type { LiveCondition } from '#shared/market-data/live.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { pageClock } from '#web/lib/page-clock.ts'
import { useCell } from '../cell-context.ts'
import type { ChartEngine } from '../engines/engine.ts'
import { nativeEngine, type NativeView } from './native-engine.ts'
import { showMarket } from '#web/features/market-data/market-status-store.ts'
import { adjustedSource } from '#web/features/market-data/candle-source.ts'
import type { ChartOptions } from './chart-options.ts'
import type { NativeChart } from './chart-port.ts'
import type { Place } from './kept-place.ts'
import { linkCrosshair } from './linked-crosshairs.ts'
import { liveLine } from '#web/features/market-data/live-candles.ts'
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
  readonly place: Place
  readonly options: ChartOptions
  readonly studies: StudyPicture | undefined
}

export interface MountedNativeChart {
  readonly engine: ChartEngine<NativeView>
  readonly view: NativeView
  /** Undefined until it is mounted. */
  readonly chart: NativeChart | undefined
  /** The server ended the subscription. */
  readonly ended: Ended | undefined
  /** Market status, undefined until it is known. */
  readonly condition: LiveCondition | undefined
  readonly isConnected: boolean
}

/** Only options and studies may change for the life of the component. */
export function useNativeChart({ instrument, timeframe, adjustment, place, options, studies }: NativeChartRequest): MountedNativeChart {
  const [chart, setChart] = useState<NativeChart>()
  const [ended, setEnded] = useState<Ended>()
  const { current, isConnected, events } = useMarketOnScreen(instrument.slug)
  const engine = useMemo(() => nativeEngine(adjustment, setChart), [adjustment])
  const [view] = useState<NativeView>(() => ({
    instrument,
    timeframe,
    zone: axisZone(instrument),
    source: adjustedSource(liveLine, adjustment),
    clock: pageClock,
    options,
    place,
    studies,
    events: { ...events, ended: (code, message) => setEnded({ code, message }) },
  }))
  useEffect(() => chart?.setOptions(options), [chart, options])
  useEffect(() => chart?.setStudies(studies), [chart, studies])
  const isLinked = useCell()?.isCrosshairLinked === true
  useEffect(() => (chart !== undefined && isLinked ? linkCrosshair(chart.crosshair) : undefined), [chart, isLinked])
  return { engine, view, chart, ended, condition: current, isConnected }
}

interface MarketOnScreen {
  readonly current: LiveCondition | undefined
  readonly isConnected: boolean
  readonly events: Pick<NativeView['events'], 'condition' | 'connected'>
}

/** Keeps the market status, here and for the header and the toolbar. */
function useMarketOnScreen(slug: string): MarketOnScreen {
  const [current, setCurrent] = useState<LiveCondition>()
  const [isConnected, setIsConnected] = useState(true)
  useEffect(() => {
    if (current === undefined) return undefined
    return showMarket({ slug, condition: current, isConnected, clockOffsetMs: () => liveLine.clockOffsetMs() })
  }, [slug, current, isConnected])
  const [events] = useState(() => ({ condition: setCurrent, connected: setIsConnected }))
  return { current, isConnected, events }
}
