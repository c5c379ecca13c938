// A set of callbacks.

export interface Listeners<Args extends readonly unknown[] = []> {
  /** Adds a listener; returns the function that removes it. */
  readonly add: (listener: (...args: Args) => void) => () => void
  /** Calls every listener in the order of registration. */
  readonly notify: (...args: Args) => void
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
    notify(...args) {
      for (const listener of listeners) listener(...args)
    },
    count: () => listeners.size,
    clear: () => listeners.clear(),
  }
}
