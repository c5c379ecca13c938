// The port that decides which source a series is shown from; used by history and live frames.
import type { DataLabel } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { SourceName } from '../feed.ts'

/** The current source of a series. Source and label are null together. */
export interface ShownSource {
  readonly source: SourceName | null
  readonly label: DataLabel | null
  /** The hours of the shown instrument: a demo or a proxy may have other hours. */
  readonly sessionClass: SessionClass
  /** Why there is no source, or a fallback; null if all is well. User-facing. */
  readonly reason: string | null
}

export interface MarketSources {
  /** The current source of a series; an unknown series has no source and does not reject. */
  sourceOf(series: string): Promise<ShownSource>
}
