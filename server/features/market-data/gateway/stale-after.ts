// Silence after which the prices of a feed are stale while its market is open.
import { minuteMs } from '#shared/base/durations.ts'
import type { Feed } from '../feed.ts'

/** Pushing sources send data every two seconds, polled ones every minute. With checks twice a second it shows within five. */
const staleAfterMs = { minutes: 4_000, trades: 15_000, poll: 150_000, none: Number.POSITIVE_INFINITY } as const

/** Kraken sends minutes, but only when there are trades. */
export function staleAfterMsOf({ source, live }: Pick<Feed, 'source' | 'live'>): number {
  return source === 'kraken' ? minuteMs : staleAfterMs[live]
}
