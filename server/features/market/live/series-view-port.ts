// What watchers of one series see of it, and what it needs.
import type { Candle } from '#shared/market/candles/candle.ts'
import type { Adjustment } from '#shared/market/corporate-actions.ts'
import type { LiveCondition } from '#shared/market/live.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import type { FeedClock, SourceName } from '../feed.ts'
import type { MarketBus } from '../gateway/bus.ts'
import type { CandleHistory } from '../history/candle-history.ts'
import type { CandleTopic } from './candle-topic.ts'

/** Which candles of a series. */
export interface TopicName {
  readonly timeframe: Timeframe
  readonly adjustment: Adjustment
}

export interface TopicListener {
  /** All anew: at first, and whenever the source or the past has changed. */
  reset(): void
  /** Candles that changed, from number `p` to `q`. */
  changed(candles: readonly Candle[], p: number, q: number): void
  condition(condition: LiveCondition): void
}

export interface TopicView {
  readonly epoch: string
  readonly condition: LiveCondition
  /** Undefined while there is no source, or while it loads. */
  readonly topic: CandleTopic | undefined
}

export interface SeriesView {
  /** Present source and condition; waits for the first word of the hub, but not long. */
  known(): Promise<{ readonly source: SourceName | null; readonly condition: LiveCondition }>
  watch(name: TopicName, listener: TopicListener): () => void
  look(name: TopicName): TopicView
  /** Since when nobody watches, on the monotonic clock; undefined while somebody does. */
  idleSinceMs(): number | undefined
  /** Stops keeping timeframes that nobody watches. */
  forgetIdle(): void
  close(): void
}

export interface ViewNeeds {
  readonly series: string
  readonly bus: MarketBus
  readonly history: CandleHistory
  readonly clock: FeedClock
  readonly onError: (error: unknown) => void
  /** How long `known` waits for a source. */
  readonly patienceMs: number
}
