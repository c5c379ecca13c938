// Queue of sockets that wait for candles: users are served round-robin and in short slices, so that other requests run in between.
import { fairQueue } from '#server/http/fair-queue.ts'
import { attempt } from '../attempt.ts'
import type { FeedClock } from '../feed.ts'
import { repeat } from '../real-clock.ts'

/** `again`: has more to send now. `blocked`: has more, but must wait. */
export type Delivery = 'again' | 'blocked' | 'done'

export interface Waiting {
  /** User whose quota its frames use. */
  readonly userId: string | undefined
  /** Maximum candles of its next frame. */
  readonly nextCost: number
  /** Sends one frame. */
  deliverNext(): Delivery
}

export interface DeliveryQueue {
  /** Sockets with frames to send: queued, and blocked by their connection or their user's budget. */
  readonly waiting: Readonly<Record<'ready' | 'blocked', number>>
  /** Serves a socket when it is its user's turn. */
  add(waiting: Waiting): void
  close(): void
}

const sliceMs = 2
const retryMs = 250
/** Candles per user and turn; a whole snapshot takes five turns. */
const quantum = 300

/** An error of one socket does not keep the others waiting. */
export function deliveryQueue(clock: FeedClock, onError: (error: unknown) => void): DeliveryQueue {
  const ready = fairQueue<Waiting>({ quantum, costOf: ({ nextCost }) => nextCost })
  const blocked = new Set<Waiting>()
  let next: NodeJS.Immediate | undefined

  const enqueue = (waiting: Waiting): void => ready.add(waiting.userId ?? '', waiting)

  function serveSlice(): void {
    next = undefined
    const endMs = clock.monotonic() + sliceMs
    do {
      const waiting = ready.next()
      if (waiting === undefined) return
      let outcome = 'done' as Delivery
      attempt(() => (outcome = waiting.deliverNext()), onError)
      if (outcome === 'again') enqueue(waiting)
      else if (outcome === 'blocked') blocked.add(waiting)
    } while (clock.monotonic() < endMs)
    schedule()
  }

  function schedule(): void {
    if (!ready.isEmpty) next ??= setImmediate(serveSlice)
  }

  const stopRetries = repeat(clock, retryMs, () => {
    for (const waiting of blocked) enqueue(waiting)
    blocked.clear()
    schedule()
  })

  return {
    get waiting() {
      return { ready: ready.size, blocked: blocked.size }
    },
    add(waiting) {
      blocked.delete(waiting)
      enqueue(waiting)
      schedule()
    },
    close() {
      stopRetries()
      clearImmediate(next)
      ready.clear()
      blocked.clear()
    },
  }
}
