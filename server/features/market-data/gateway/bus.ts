// The port between the producer of market data (the hub, exactly one) and its consumers (every web process).
import type { Candle, DataLabel } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { SourceName } from '../feed.ts'

/** State of a series besides its prices. */
export interface SeriesCondition {
  /** Null if no source responds. */
  readonly source: SourceName | null
  readonly label: DataLabel | null
  /** The hours of the shown instrument: a demo or a proxy may have other hours. */
  readonly sessionClass: SessionClass
  /** The source is silent or cut while its market is open. */
  readonly isStale: boolean
  /** Why there is no source, or a fallback; null if all is well. User-facing. */
  readonly reason: string | null
}

/** Changes of a series since the previous update; numbered without gaps within an epoch. */
export interface SeriesUpdate {
  readonly series: string
  /** A new value means: discard the known state and read it again. */
  readonly epoch: string
  readonly seq: number
  /** New and changed minutes, whole, ascending. */
  readonly minutes: readonly Candle[]
  readonly condition: SeriesCondition
}

/** State for a new listener: the last minutes after update `seq`. Older ones are in the store. */
export interface SeriesState extends SeriesUpdate {
  /** At least all minutes that may not be stored yet. */
  readonly minutes: readonly Candle[]
}

export interface BusListener {
  update(update: SeriesUpdate): void
  /** Updates may be missing: the state has to be read again. */
  lost(): void
  /** The hub went away, or is back. */
  away(isAway: boolean): void
}

export interface MarketBus {
  /** Requests the series until the returned function is called. */
  want(series: string): () => void
  /** Every update of a series from now on, in order, until the returned function is called. */
  listen(series: string, listener: BusListener): () => void
  /** The current state, or undefined while the hub has none. */
  state(series: string): Promise<SeriesState | undefined>
  /** Asks the hub to backfill older candles of a timeframe; resolves to whether there may be more now. */
  extend(series: string, timeframe: Timeframe, beforeMs: number): Promise<boolean>
  /** Whether the connection to the hub is up, such as the one to Redis. */
  isConnected(): boolean
  /** Whether the hub is away. */
  isHubAway(): boolean
  close(): Promise<void>
}

/** The hub's side of the bus. */
export interface HubBus {
  /** Requested series, now and on every change; empty while another hub is active. */
  onWanted(listener: (series: ReadonlySet<string>) => void): void
  /** An update without minutes and without a new number only repeats the state. */
  publish(state: SeriesState, update: SeriesUpdate): void
  /** Published updates may be lost: publish everything again. */
  onRestored(listener: () => void): void
  onExtend(answer: (series: string, timeframe: Timeframe, beforeMs: number) => Promise<boolean>): void
  /** Whether this hub is active; another one may hold the lease. */
  isAtWork(): boolean
  close(): Promise<void>
}
