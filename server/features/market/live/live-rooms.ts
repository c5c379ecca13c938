// All rooms of this process: opened with the first watcher, closed a while after the last.
import type { Timeframe } from '#shared/market/timeframe.ts'
import type { FeedClock } from '../feed.ts'
import { liveRoom, type LiveRoom } from './live-room.ts'
import type { SeriesViews } from './series-views.ts'

const catchUpMs = 250
/** Long enough for a line that was cut to come back and go on where it was. */
const lingerMs = 20_000

export interface LiveRooms {
  room(series: string, timeframe: Timeframe): LiveRoom
  close(): void
}

export function liveRooms(views: SeriesViews, clock: FeedClock): LiveRooms {
  const rooms = new Map<string, { readonly room: LiveRoom; emptySinceMs: number | undefined }>()

  function round(): void {
    for (const [name, entry] of rooms) {
      entry.room.catchUp()
      if (entry.room.size > 0) entry.emptySinceMs = undefined
      else entry.emptySinceMs ??= clock.now()
      if (entry.emptySinceMs === undefined || clock.now() - entry.emptySinceMs < lingerMs) continue
      rooms.delete(name)
      entry.room.close()
    }
  }

  let stopRounds = clock.after(catchUpMs, function again() {
    round()
    stopRounds = clock.after(catchUpMs, again)
  })

  return {
    room(series, timeframe) {
      const name = `${series}:${timeframe}`
      const entry = rooms.get(name) ?? { room: liveRoom(views.open(series), name, timeframe), emptySinceMs: undefined }
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
