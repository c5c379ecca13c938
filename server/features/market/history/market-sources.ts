// The port to who decides which source a series is shown from at the moment; history, UDF and the live frames all ask it.
import type { DataLabel } from '#shared/market/candles/candle.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import type { SourceName } from '../feed.ts'

/** What stands behind the prices of a series now. Source and label are null together. */
export interface ShownSource {
  readonly source: SourceName | null
  readonly label: DataLabel | null
  /** The hours of what is really shown: a demo or a proxy may keep others than the instrument. */
  readonly sessionClass: SessionClass
  /** The source is silent or cut while its market is open, or whoever makes the data is away. */
  readonly isStale: boolean
  /** Why there is no source, or a lesser one; null if all is well. For people. */
  readonly reason: string | null
}

export interface MarketSources {
  /** The present source of a series; never rejects for an unknown series, which has no source. */
  sourceOf(series: string): Promise<ShownSource>
}
