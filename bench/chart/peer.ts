// What the bench can do with a chart, whoever draws it.
import type { CandleRow } from '#shared/market/live.ts'

export interface MountedChart {
  /** Of a change of any kind: 2 where each picture is only drawn in the frame after next. */
  readonly framesPerPicture: 1 | 2
  /** The last candle changed. */
  tick(row: CandleRow): void
  /** Moves the view by so many bars towards the older ones. */
  pan(bars: number): void
  /** Distance of two bars, pixels; the newest bar in view stays. */
  setBarSpace(px: number): void
  /** Zooms out further, one step or all the way, until so many bars are in view; tells whether they are. */
  showMore(bars: number): boolean
  /** Lines above the candles, each in its own right. */
  addLines(lines: readonly TrendLine[]): void
  /** EMA 20 over the candles, RSI 14 and MACD 12, 26, 9 in panes of their own. */
  addStudies(): Promise<void>
  /** Bars in view, as the chart itself counts them. */
  visible(): number
}

interface LineEnd {
  readonly timeMs: number
  readonly price: number
}

export interface TrendLine {
  readonly from: LineEnd
  readonly to: LineEnd
}

/** Draws candles, ascending, into an empty element. */
export type Mount = (host: HTMLElement, rows: readonly CandleRow[]) => MountedChart

/** The smallest distance of two bars that our chart allows, pixels; the others get the same. */
export const barSpaceMinPx = 0.4
