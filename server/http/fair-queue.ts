// Deficit round robin: owners take turns of equal cost, and an owner's backlog delays that owner only.

export interface FairQueueOptions<Item> {
  /** Maximum cost of an owner per turn; a more expensive item waits for several turns. */
  readonly quantum: number
  /** Called when it is the item's turn. */
  readonly costOf: (item: Item) => number
}

export interface FairQueue<Item> {
  readonly isEmpty: boolean
  /** Items of all owners. */
  readonly size: number
  /** Appends the item to the owner's queue; one that is already queued keeps its place. */
  add(owner: string, item: Item): void
  /** Removes and returns the next item. */
  next(): Item | undefined
  clear(): void
}

interface Backlog<Item> {
  readonly items: Set<Item>
  credit: number
}

/** A queue with one backlog per owner. Adding is O(1); taking is one step per turn. */
export function fairQueue<Item>({ quantum, costOf }: FairQueueOptions<Item>): FairQueue<Item> {
  /** In turn order. */
  const owners = new Map<string, Backlog<Item>>()

  return {
    get isEmpty() {
      return owners.size === 0
    },
    get size() {
      let size = 0
      for (const { items } of owners.values()) size += items.size
      return size
    },
    add(owner, item) {
      const backlog = owners.get(owner) ?? { items: new Set<Item>(), credit: quantum }
      owners.set(owner, backlog)
      backlog.items.add(item)
    },
    next() {
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
    clear: () => owners.clear(),
  }
}
