// The subscriptions of one socket that wait for candles: one frame per turn.
import type { Delivery } from './delivery-queue.ts'
import type { LiveRoom, Seat } from './broadcast-channel.ts'

export interface DeferredSeatsOptions {
  readonly isRoomy: () => boolean
  /** Requests a turn. */
  readonly queue: () => void
}

export interface DeferredSeats {
  readonly nextCost: number
  defer(seat: Seat, room: LiveRoom): void
  delete(seat: Seat): void
  clear(): void
  /** The socket has drained: a new turn makes sense before the next retry. */
  flushed(): void
  deliverNext(): Delivery
}

export function deferredSeats({ isRoomy, queue }: DeferredSeatsOptions): DeferredSeats {
  /** In delivery order. */
  const deferred = new Map<Seat, LiveRoom>()
  let isDelivering = false
  /** Whether a turn is already requested: each update defers every subscription of a socket that does not read. */
  let isQueued = false

  function deliverOne(): Delivery {
    const [entry] = deferred
    if (entry === undefined) return 'done'
    if (!isRoomy()) return 'blocked'
    const [seat, room] = entry
    deferred.delete(seat)
    isDelivering = true
    room.deliver(seat)
    isDelivering = false
    // Deferred again: over the user's budget.
    if (deferred.has(seat)) return 'blocked'
    return deferred.size > 0 ? 'again' : 'done'
  }

  return {
    get nextCost() {
      for (const [seat, room] of deferred) return room.costOf(seat)
      return 0
    },
    defer(seat, room) {
      deferred.set(seat, room)
      if (isDelivering || isQueued) return
      isQueued = true
      queue()
    },
    delete: (seat) => void deferred.delete(seat),
    clear: () => deferred.clear(),
    flushed() {
      if (deferred.size > 0 && isRoomy()) queue()
    },
    deliverNext() {
      const outcome = deliverOne()
      isQueued = outcome !== 'done'
      return outcome
    },
  }
}
