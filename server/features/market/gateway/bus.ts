// The port between who makes the market data (the hub, exactly one) and who hands it on (every web process).
import type { Candle, DataLabel } from '#shared/market/candles/candle.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import type { SourceName } from '../feed.ts'

/** What is true of a series besides its prices. */
export interface SeriesCondition {
  /** Null where no source answers. */
  readonly source: SourceName | null
  readonly label: DataLabel | null
  /** The hours of what is really shown: a demo or a proxy may keep others than the instrument. */
  readonly sessionClass: SessionClass
  /** The source is silent or cut while its market is open. */
  readonly isStale: boolean
  /** Why there is no source, or a lesser one; null if all is well. For people. */
  readonly reason: string | null
}

/** What changed in a series since the update before; numbered without holes within an epoch. */
export interface SeriesUpdate {
  readonly series: string
  /** Another value means: forget what was known and read the state again. */
  readonly epoch: string
  readonly seq: number
  /** Minutes that are new or have changed, whole, ascending. */
  readonly minutes: readonly Candle[]
  readonly condition: SeriesCondition
}

/** What a late listener needs: the last minutes as they are after update `seq`. Older ones are in the store. */
export interface SeriesState extends SeriesUpdate {
  /** At least all minutes that may not be stored yet. */
  readonly minutes: readonly Candle[]
}

export interface BusListener {
  update(update: SeriesUpdate): void
  /** Updates may be missing: the state has to be read again. */
  lost(): void
  /** The hub is silent, or speaks again. */
  away(isAway: boolean): void
}

export interface MarketBus {
  /** Says that somebody here watches the series, until the returned function is called. */
  want(series: string): () => void
  /** Every update of a series from now on, in order, until the returned function is called. */
  listen(series: string, listener: BusListener): () => void
  /** The present state, or undefined while the hub has none. */
  state(series: string): Promise<SeriesState | undefined>
  /** Asks the hub to store older candles of a timeframe; resolves to whether there may be more now. */
  extend(series: string, timeframe: Timeframe, beforeMs: number): Promise<boolean>
  /** Whether the line to the hub is up, such as the one to Redis. */
  isConnected(): boolean
  /** Whether the hub is silent at the moment. */
  isHubAway(): boolean
  close(): Promise<void>
}

/** The hub's side of the bus. */
export interface HubBus {
  /** The series that somebody wants, now and on every change; none while another hub is at work. */
  onWanted(listener: (series: ReadonlySet<string>) => void): void
  /** An update without minutes and without a new number only repeats the state. */
  publish(state: SeriesState, update: SeriesUpdate): void
  /** What was published may be lost: everything has to be published again. */
  onRestored(listener: () => void): void
  onExtend(answer: (series: string, timeframe: Timeframe, beforeMs: number) => Promise<boolean>): void
  /** Whether this hub makes the data at the moment; another one may have the turn. */
  isAtWork(): boolean
  close(): Promise<void>
}
