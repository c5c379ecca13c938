// Types of a series view: its subscribers' interface, and what it needs.
import type { Candle } from '#shared/candles/candle.ts'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { FeedClock } from '../feed.ts'
import type { MarketBus } from '../gateway/bus.ts'
import type { CandleHistory } from '../history/candle-history.ts'
import type { CandleTopic } from './candle-topic.ts'

/** Which candles of a series. */
export interface TopicName {
  readonly timeframe: Timeframe
  readonly adjustment: Adjustment
}

export interface TopicListener {
  /** All candles changed: initially, and when the source or history has changed. */
  reset(): void
  /** Candles that changed, from number `p` to `q`. */
  changed(candles: readonly Candle[], p: number, q: number): void
  condition(condition: LiveCondition): void
}

export interface TopicView {
  readonly epoch: string
  readonly condition: LiveCondition
  /** Undefined while there is no source, or while loading. */
  readonly topic: CandleTopic | undefined
  /** The store failed; candles that were sent before stay valid as old ones until it answers. */
  readonly isUnreadable: boolean
}

export interface ViewOptions {
  readonly series: string
  readonly bus: MarketBus
  readonly history: Pick<CandleHistory, 'candles' | 'recheck'>
  readonly clock: FeedClock
  readonly onError: (error: unknown) => void
  /** Timeout of `known`, and of a load: then the candles are shown as old. */
  readonly timeoutMs: number
}
