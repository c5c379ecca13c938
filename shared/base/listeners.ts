// Who wants to know of something.

export interface Listeners<Args extends readonly unknown[] = []> {
  /** Adds a listener once; returns the way to stop. */
  readonly add: (listener: (...args: Args) => void) => () => void
  /** Calls all in the order in which they came. */
  readonly tell: (...args: Args) => void
  readonly count: () => number
  readonly clear: () => void
}

export function listenerSet<Args extends readonly unknown[] = []>(): Listeners<Args> {
  const listeners = new Set<(...args: Args) => void>()
  return {
    add(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell(...args) {
      for (const listener of listeners) listener(...args)
    },
    count: () => listeners.size,
    clear: () => listeners.clear(),
  }
}
