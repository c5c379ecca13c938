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
  /** Consecutive loads that failed or take long. */
  failures: number
  /** Cancels the timeout of a load; set until one has ended. */
  cancelSlow: (() => void) | undefined
  readonly mending: Mending
}

export function newSeat(name: TopicName): ViewSeat {
  return { name, listeners: new Set(), topic: undefined, loading: 0, failures: 0, cancelSlow: undefined, mending: { dueMs: 0, checks: 0 } }
}

/** A load has ended. */
export function settle(seat: ViewSeat, failures: number): void {
  seat.cancelSlow?.()
  seat.cancelSlow = undefined
  seat.failures = failures
}

export function idOf({ timeframe, adjustment }: TopicName): string {
  return `${timeframe} ${adjustment}`
}
