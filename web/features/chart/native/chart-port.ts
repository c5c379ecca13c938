// Interface of the Tezi chart: options, events and methods.
import type { IChartApi } from 'lightweight-charts'
import type { DrawingSurface } from '#web/features/drawings/drawing-surface.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { SecondClock } from '#web/lib/page-clock.ts'
import type { CrosshairLink } from './linked-crosshairs.ts'
import type { CandleSource } from '#web/features/market-data/candle-source.ts'
import type { BarTexts, LegendSnapshot } from './legend-snapshot.ts'
import type { GoToOutcome } from './go-to.ts'
import type { ChartOptions } from './chart-options.ts'
import type { Place } from './kept-place.ts'
import type { StudyPicture } from './studies/study-setup.ts'

export interface ChartEvents {
  /** The first candles are on the screen. */
  readonly painted: () => void
  readonly condition: (condition: LiveCondition) => void
  readonly connected: (isConnected: boolean) => void
  readonly ended: (code: string, message: string) => void
}

export interface NativeChartOptions {
  readonly host: HTMLElement
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  /** IANA zone of the time axis. */
  readonly zone: string
  readonly source: CandleSource
  /** Ticks once a second by the browser's clock. */
  readonly clock: SecondClock
  readonly options: ChartOptions
  /** Undefined for none. */
  readonly studies: StudyPicture | undefined
  readonly events: ChartEvents
}

export interface SeriesChartOptions extends NativeChartOptions {
  /** Empty; other series have been on it, and will be. */
  readonly library: IChartApi
  /** The visible time to begin with; the chart saves its own here when it stops. */
  readonly place: Place
}

export interface NativeChart {
  /** Surface for drawings. */
  readonly surface: DrawingSurface
  /** Links the crosshairs of charts that show the same time. */
  readonly crosshair: CrosshairLink
  /** Legend snapshot; a new object whenever it changes. */
  readonly frame: () => LegendSnapshot
  readonly onFrame: (listener: () => void) => () => void
  setOptions(options: ChartOptions): void
  setStudies(picture: StudyPicture | undefined): void
  /** Marks candles that are missing for good, by their timestamps, ascending. */
  setMissing(times: readonly number[]): void
  /** Moves the crosshair by a number of bars, or to the first or last one; returns that bar. */
  walk(to: number | 'first' | 'last'): BarTexts | undefined
  /** Zooms in for 1, out for -1. */
  zoom(direction: 1 | -1): void
  leave(): void
  /** Scrolls to the newest bar. */
  toLatest(): void
  /** Scrolls to a time, loading history until there. */
  goTo(timeMs: number): Promise<GoToOutcome>
  /** Whether the price scale fits itself to the visible bars. */
  isAutoScaled(): boolean
  setAutoScaled(isAuto: boolean): void
  /** The visible bars, oldest first, limited to the newest `max`. */
  visibleBars(max: number): readonly BarTexts[]
  screenshot(): HTMLCanvasElement
  stop(): void
}
