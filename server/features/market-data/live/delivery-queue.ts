// Queue of sockets that wait for candles: users are served round-robin and in short slices, so that other requests run in between.
import { attempt, repeat } from '../real-clock.ts'
import type { FeedClock } from '../feed.ts'

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

export type DeliveryQueue = ReturnType<typeof deliveryQueue>

const sliceMs = 2
const retryMs = 250
/** Candles per user and turn; a whole snapshot takes five turns. */
const quantum = 300

/** An error of one socket does not keep the others waiting. */
export function deliveryQueue(clock: FeedClock, onError: (error: unknown) => void) {
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
    /** Sockets with frames to send: queued, and blocked by their connection or their user's budget. */
    get waiting(): Readonly<Record<'ready' | 'blocked', number>> {
      return { ready: ready.size, blocked: blocked.size }
    },
    /** Serves a socket when it is its user's turn. */
    add(waiting: Waiting): void {
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

/**
 * Deficit round robin: owners take turns of equal cost, and an owner's backlog delays that owner only.
 * Adding is O(1); taking is one step per turn. `quantum` is the maximum cost of an owner per turn; a more expensive item
 * waits for several turns.
 */
export function fairQueue<Item>({ quantum, costOf }: { readonly quantum: number; readonly costOf: (item: Item) => number }) {
  /** Backlogs in turn order. */
  const owners = new Map<string, { readonly items: Set<Item>; credit: number }>()

  return {
    get isEmpty(): boolean {
      return owners.size === 0
    },
    /** Items of all owners. */
    get size(): number {
      let size = 0
      for (const { items } of owners.values()) size += items.size
      return size
    },
    /** Appends the item to the owner's backlog; one that is already queued keeps its position. */
    add(owner: string, item: Item): void {
      const backlog = owners.get(owner) ?? { items: new Set<Item>(), credit: quantum }
      owners.set(owner, backlog)
      backlog.items.add(item)
    },
    /** Removes and returns the next item. */
    next(): Item | undefined {
      for (;;) {
        const [entry] = owners
        if (entry === undefined) return undefined
        const [owner, backlog] = entry
        const [item] = backlog.items
        if (item === undefined) {
          owners.delete(owner)
          continue
        }
        const cost = costOf(item)
        if (backlog.credit >= cost) {
          backlog.credit -= cost
          backlog.items.delete(item)
          // Credit is not accumulated.
          if (backlog.items.size === 0) owners.delete(owner)
          return item
        }
        owners.delete(owner)
        backlog.credit += quantum
        owners.set(owner, backlog)
      }
    },
    clear: (): void => owners.clear(),
  }
}
