// All channels of this process: opened with the first subscriber, closed some time after the last.
import { effectiveAdjustment } from '#shared/candles/price-adjuster.ts'
import type { FeedClock } from '../feed.ts'
import { repeat } from '../feed-clock.ts'
import { LiveRoom } from './broadcast-channel.ts'
import type { TopicName } from './series-view-port.ts'
import type { SeriesViews } from './series-views.ts'

const roundMs = 1_000
/** Idle timeout: long enough for a disconnected client to come back and resume. */
const idleTimeoutMs = 20_000

export interface LiveRooms {
  /** Users whose adjustment choices give the same candles, now and after future ex-dates, share a channel. */
  room(series: string, topic: TopicName): LiveRoom
  close(): void
}

/** The prefix separates the topics of different channel sets on the same socket. */
export function liveRooms(views: Pick<SeriesViews, 'open'>, clock: FeedClock, prefix = ''): LiveRooms {
  const rooms = new Map<string, { readonly room: LiveRoom; emptySinceMs: number | undefined }>()

  function round(): void {
    for (const [name, entry] of rooms) {
      if (entry.room.size > 0) entry.emptySinceMs = undefined
      else entry.emptySinceMs ??= clock.monotonic()
      if (entry.emptySinceMs === undefined || clock.monotonic() - entry.emptySinceMs < idleTimeoutMs) continue
      rooms.delete(name)
      entry.room.close()
    }
  }

  const stopRounds = repeat(clock, roundMs, round)

  return {
    room(series, { timeframe, adjustment: wanted }) {
      const adjustment = effectiveAdjustment(series, wanted, Infinity)
      const name = adjustment === 'none' ? `${prefix}${series}:${timeframe}` : `${prefix}${series}:${timeframe}:${adjustment}`
      const entry = rooms.get(name) ?? { room: new LiveRoom(views.open(series), name, { timeframe, adjustment }), emptySinceMs: undefined }
      rooms.set(name, entry)
      return entry.room
    },
    close() {
      stopRounds()
      for (const { room } of rooms.values()) room.close()
      rooms.clear()
    },
  }
}
