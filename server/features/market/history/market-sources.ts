// The port to who decides which source a series is shown from at the moment; history, UDF and the live frames all ask it.
import type { DataLabel } from '#shared/market/candles/candle.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import type { User } from '#shared/users/user.ts'
import type { SourceName } from '../feed.ts'

/** What stands behind the prices of a series now. Source and label are null together. */
export interface ShownSource {
  readonly source: SourceName | null
  readonly label: DataLabel | null
  /** The hours of what is really shown: a demo or a proxy may keep others than the instrument. */
  readonly sessionClass: SessionClass
  /** Why there is no source, or a lesser one; null if all is well. For people. */
  readonly reason: string | null
}

export interface MarketSources {
  /** The present source of a series; never rejects for an unknown series, which has no source. */
  sourceOf(series: string): Promise<ShownSource>
}

/** Key of the prices that a person sees of an instrument: the common ones, or those of his own broker. */
export type SeriesFor = (user: User, instrument: Instrument) => string
