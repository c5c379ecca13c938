// Interface of a chart engine: draws one view into an element and reports the outcome.
import type { Timeframe } from '#shared/candles/timeframe.ts'

export interface ChartView {
  readonly symbol: string
  /** Accessible name of the chart. */
  readonly title: string
  readonly timeframe: Timeframe
  /** IANA zone. */
  readonly zone: string
  readonly studies: readonly string[]
}

export type EngineReport = 'loaded' | 'no-data' | 'failed'

/** `View` is what the engine needs: a symbol for the widget, instrument and candle source for the Tezi chart. */
export interface ChartEngine<View = ChartView> {
  /**
   * Draws into the element and reports; a report may come late, or never.
   * Returns a dispose function, after which nothing of the view is drawn and no more reports come.
   */
  mount(host: HTMLElement, view: View, report: (report: EngineReport) => void): () => void
}
