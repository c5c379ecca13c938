// The port of the follower: what it needs to follow one series, and where it puts what it finds out.
import type { Candle, DataLabel } from '#shared/market/candles/candle.ts'
import type { TimeSpan } from '#shared/base/time-spans.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import type { Feed, FeedClock, FeedLog, SourceName } from '../feed.ts'

/** One way to get a series; of several the first that works is used. */
export interface Candidate {
  readonly feed: Feed
  /** The source's own symbol, the one that is valid today. */
  readonly symbol: string
  /** A silence of so many milliseconds while the market is open is called stale. */
  readonly staleAfterMs: number
  /** The trading hours that this source keeps, where they are not those of the series: the demo trades at any hour. */
  readonly sessionClass?: SessionClass
  /** What people call the source. */
  readonly label?: Pick<DataLabel, 'source'>
}

export interface FollowNeeds {
  /** Key of the series, for the log. */
  readonly series: string
  readonly sessionClass: SessionClass
  /** Best first. */
  readonly candidates: readonly Candidate[]
  readonly clock: FeedClock
  readonly log: FeedLog
  /** How many minutes of history to ask for where nothing is stored; what is stored is continued instead. */
  readonly backfillMinutes: number
  /** Up to when the minutes of a source are stored without a hole, epoch milliseconds; undefined where none are. */
  readonly storedUntilMs: (source: SourceName) => Promise<number | undefined>
}

export interface StatedMinute {
  readonly candle: Candle
  /** Whether the minute is over. It comes again only with other values, which then are a correction. */
  readonly isClosed: boolean
}

/** Which candidate is used: its place in the list, and its name. */
export interface FollowedSource {
  readonly index: number
  readonly source: SourceName
}

export interface FollowSink {
  /**
   * Another source is used from here on, or none; every minute belongs to the source that was told last, and those of a
   * new source begin anew. Told again with the same source when only the reason changes. The reason says in plain words
   * why there is none, or a lesser one, or why the used one is cut; null if all is well.
   */
  source(current: FollowedSource | null, reason: string | null): void
  /**
   * Minutes that are new or have changed, whole, ascending within one call; and spans in which, with all that was told before, no minute is
   * missing that the source has.
   */
  minutes(minutes: readonly StatedMinute[], covered: readonly TimeSpan[]): void
  /** Minutes are told although some before this instant (epoch milliseconds) are missing, which follow later; undefined once they are there. */
  gap?(untilMs: number | undefined): void
  /** Whether the used source is silent or cut while its market is open. Told on changes; of each newly told source it is false at first. */
  stale(isStale: boolean): void
}
