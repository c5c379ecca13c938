// The subscriptions of one socket: each belongs to a channel, and moves when its user's prices come from elsewhere.
import type { Instrument } from '#shared/instruments/instruments.ts'
import type { LiveCursor } from '#shared/market-data/live.ts'
import type { User } from '#shared/users/user.ts'
import type { LiveLine, LiveRoom, Seat, SnapshotForm } from './broadcast-channel.ts'
import type { TopicName } from './series-view-port.ts'

export interface SubscriptionsOptions {
  readonly roomOf: (user: User, instrument: Instrument, topic: TopicName) => LiveRoom
  /** Sends frames to the client. */
  readonly line: Omit<LiveLine, 'defer'>
  /** A subscription waits for candles. */
  readonly onDefer: (seat: Seat, room: LiveRoom) => void
  /** A subscription ended. */
  readonly onLeave: (seat: Seat) => void
}

export interface Wanted {
  readonly id: number
  readonly bars: number
  readonly form: SnapshotForm
  readonly topic: TopicName
  readonly instrument: Instrument
}

export interface LiveSubscriptions {
  readonly size: number
  add(user: User, wanted: Wanted, since: LiveCursor | undefined): void
  remove(id: number): void
  /** Moves subscriptions whose source changed, and ends those that `maySee` denies; returns their ids. */
  follow(user: User, maySee: (instrument: Instrument) => boolean): readonly number[]
  clear(): void
}

interface Subscription extends Wanted {
  readonly seat: Seat
  readonly room: LiveRoom
}

export function liveSubscriptions({ roomOf, line, onDefer, onLeave }: SubscriptionsOptions): LiveSubscriptions {
  const subscriptions = new Map<number, Subscription>()

  function enter(wanted: Wanted, room: LiveRoom, since?: LiveCursor): void {
    const { id, bars, form } = wanted
    const seat: Seat = { id, bars, form, line: { ...line, defer: (deferring) => onDefer(deferring, room) }, seq: undefined, epoch: '' }
    subscriptions.set(id, { ...wanted, seat, room })
    room.enter(seat, since)
  }

  function remove(id: number): void {
    const found = subscriptions.get(id)
    if (found === undefined) return
    found.room.leave(found.seat)
    onLeave(found.seat)
    subscriptions.delete(id)
  }

  return {
    get size() {
      return subscriptions.size
    },
    add: (user, wanted, since) => enter(wanted, roomOf(user, wanted.instrument, wanted.topic), since),
    remove,
    follow(user, maySee) {
      const denied: number[] = []
      for (const { room, seat: _, ...wanted } of subscriptions.values()) {
        if (!maySee(wanted.instrument)) {
          remove(wanted.id)
          denied.push(wanted.id)
          continue
        }
        const next = roomOf(user, wanted.instrument, wanted.topic)
        if (next === room) continue
        remove(wanted.id)
        enter(wanted, next)
      }
      return denied
    },
    clear() {
      for (const id of subscriptions.keys()) remove(id)
    },
  }
}
