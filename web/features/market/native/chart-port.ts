// What our own chart needs, what it tells, and what can be done with it.
import type { DrawingSurface } from '../drawings/drawing-surface.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import type { LiveCondition } from '#shared/market/live.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import type { SecondClock } from '#web/lib/use-now.ts'
import type { CrosshairLink } from './chart-crosshair.ts'
import type { CandleSource } from './candle-source.ts'
import type { BarTexts, ChartFrame } from './chart-frame.ts'
import type { ChartOptions } from './chart-options.ts'
import type { StudyPicture } from './studies/study-picture.ts'

export interface ChartEvents {
  /** The first candles are on the screen. */
  readonly painted: () => void
  readonly condition: (condition: LiveCondition) => void
  readonly connected: (isConnected: boolean) => void
  readonly ended: (code: string, message: string) => void
}

export interface NativeChartNeeds {
  readonly host: HTMLElement
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  /** IANA zone of the time axis. */
  readonly zone: string
  readonly source: CandleSource
  /** Of the browser. */
  readonly clock: SecondClock
  readonly options: ChartOptions
  /** Undefined for none. */
  readonly studies: StudyPicture | undefined
  readonly events: ChartEvents
}

export interface NativeChart {
  /** Where drawings lie. */
  readonly surface: DrawingSurface
  /** For charts beside it that show the same time. */
  readonly crosshair: CrosshairLink
  readonly setOptions: (options: ChartOptions) => void
  readonly setStudies: (picture: StudyPicture | undefined) => void
  /** What the legend shows; another object as soon as it differs. */
  readonly frame: () => ChartFrame
  readonly onFrame: (listener: () => void) => () => void
  /** Moves the crosshair by so many bars, or to the first or last one; returns what stands there. */
  readonly walk: (to: number | 'first' | 'last') => BarTexts | undefined
  /** Closer for 1, further for -1. */
  readonly zoom: (direction: 1 | -1) => void
  readonly leave: () => void
  /** The bars that can be seen, oldest first, at most so many of the newest. */
  readonly visibleBars: (max: number) => readonly BarTexts[]
  readonly screenshot: () => HTMLCanvasElement
  readonly stop: () => void
}
