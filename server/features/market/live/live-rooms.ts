// All rooms of this process: opened with the first watcher, closed a while after the last.
import { effectiveAdjustment } from '#shared/market/adjustment.ts'
import type { FeedClock } from '../feed.ts'
import { liveRoom, type LiveRoom } from './live-room.ts'
import type { TopicName } from './series-view-port.ts'
import type { SeriesViews } from './series-views.ts'

const roundMs = 1_000
/** Long enough for a line that was cut to come back and go on where it was. */
const lingerMs = 20_000

export interface LiveRooms {
  /** Users whose choices of adjustment give the same candles, now and after coming ex-dates, share a room. */
  room(series: string, topic: TopicName): LiveRoom
  close(): void
}

/** The prefix sets the topics of a set of rooms apart from those of others on the same socket. */
export function liveRooms(views: Pick<SeriesViews, 'open'>, clock: FeedClock, prefix = ''): LiveRooms {
  const rooms = new Map<string, { readonly room: LiveRoom; emptySinceMs: number | undefined }>()

  function round(): void {
    for (const [name, entry] of rooms) {
      if (entry.room.size > 0) entry.emptySinceMs = undefined
      else entry.emptySinceMs ??= clock.monotonic()
      if (entry.emptySinceMs === undefined || clock.monotonic() - entry.emptySinceMs < lingerMs) continue
      rooms.delete(name)
      entry.room.close()
    }
  }

  let stopRounds = clock.after(roundMs, function again() {
    round()
    stopRounds = clock.after(roundMs, again)
  })

  return {
    room(series, { timeframe, adjustment: wanted }) {
      const adjustment = effectiveAdjustment(series, wanted, Infinity)
      const name = adjustment === 'none' ? `${prefix}${series}:${timeframe}` : `${prefix}${series}:${timeframe}:${adjustment}`
      const entry = rooms.get(name) ?? { room: liveRoom(views.open(series), name, { timeframe, adjustment }), emptySinceMs: undefined }
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
