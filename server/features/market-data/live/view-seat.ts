// One timeframe of a series view, with its subscribers.
import type { CandleTopic } from './candle-topic.ts'
import type { Mending } from './mend-truncated.ts'
import type { TopicListener, TopicName } from './series-view-port.ts'

export interface ViewSeat {
  readonly name: TopicName
  readonly listeners: Set<TopicListener>
  topic: CandleTopic | undefined
  /** Number of loads; an older one that ends later is ignored. */
  loading: number
  /** Consecutive loads that failed. */
  failures: number
  readonly mending: Mending
}

export function newSeat(name: TopicName): ViewSeat {
  return { name, listeners: new Set(), topic: undefined, loading: 0, failures: 0, mending: { dueMs: 0, checks: 0 } }
}

export function idOf({ timeframe, adjustment }: TopicName): string {
  return `${timeframe} ${adjustment}`
}
