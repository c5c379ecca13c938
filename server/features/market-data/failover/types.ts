// Types of the follower: what it needs to follow one series, and what it emits.
import type { Candle, DataLabel } from '#shared/candles/candle.ts'
import type { CandleIssue } from '#shared/candles/candle-issue.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Feed, FeedClock, FeedLog, RejectedRow, SourceName } from '../feed.ts'

/** One way to get a series; the first working one is used. */
export interface SourceCandidate {
  readonly feed: Feed
  /** The source's symbol that is valid today. */
  readonly symbol: string
  /** Silence in milliseconds after which prices are stale while the market is open. */
  readonly staleAfterMs: number
  /** The source's trading hours, if they differ from the series: the demo trades at any hour. */
  readonly sessionClass?: SessionClass
  /** The source's display name. */
  readonly label?: Pick<DataLabel, 'source'>
}

export interface FollowOptions {
  /** Series key, for the log. */
  readonly series: string
  readonly sessionClass: SessionClass
  /** Best first. */
  readonly candidates: readonly SourceCandidate[]
  readonly clock: FeedClock
  readonly log: FeedLog
  /** Minutes of history to request if nothing is stored; otherwise stored history is continued. */
  readonly backfillMinutes: number
  /** Up to when the minutes of a source are stored without a gap, epoch milliseconds; undefined if there are none. */
  readonly storedUntilMs: (source: SourceName) => Promise<number | undefined>
  /** A response of a source's history, with its rejected rows: minutes that are not covered. */
  readonly onResponse?: (source: SourceName, requested: TimeSpan, rejected: readonly RejectedRow[]) => void
  /** A live message of a source that cannot be used. */
  readonly onRejected?: (source: SourceName, issue: CandleIssue) => void
}

export interface FollowedMinute {
  readonly candle: Candle
  /** Whether the minute is closed. It is emitted again only with other values, as a correction. */
  readonly isClosed: boolean
}

/** The selected candidate: its index in the list, and its name. */
export interface FollowedSource {
  readonly index: number
  readonly source: SourceName
}

export interface FollowSink {
  /**
   * The selected source changed, or there is none; every minute belongs to the last emitted source, and the minutes of a
   * new source start over. Emitted with the same source if only the reason changes. The reason says in plain words why
   * there is no source, a fallback, or why the selected one is cut; null if all is well.
   */
  source(current: FollowedSource | null, reason: string | null): void
  /**
   * Minutes that are new or changed, whole, ascending within one call; and spans that are now complete, including all
   * minutes emitted before.
   */
  minutes(minutes: readonly FollowedMinute[], covered: readonly TimeSpan[]): void
  /** Minutes are emitted although some before this instant (epoch milliseconds) are missing and follow later; undefined when filled. */
  gap?(untilMs: number | undefined): void
  /** Whether the selected source is silent or cut while its market is open. Emitted on changes; a new source starts as false. */
  stale(isStale: boolean): void
}
