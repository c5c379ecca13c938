// The port of a chart engine: it draws one view into an element and tells how that went.
import type { Timeframe } from '#shared/market/timeframe.ts'

export interface ChartView {
  readonly symbol: string
  /** For whoever cannot see the chart. */
  readonly title: string
  readonly timeframe: Timeframe
  /** IANA zone. */
  readonly zone: string
  readonly studies: readonly string[]
}

export type EngineReport = 'loaded' | 'no-data' | 'failed'

/** `View` is what the engine needs to know about a chart: a widget a symbol, our own an instrument and a source of candles. */
export interface ChartEngine<View = ChartView> {
  /**
   * Draws into an empty element and reports; a report may come late, or never.
   * Returns the way to stop: nothing of the engine stays in the element, and nothing is reported any more.
   */
  mount(host: HTMLElement, view: View, report: (report: EngineReport) => void): () => void
}
