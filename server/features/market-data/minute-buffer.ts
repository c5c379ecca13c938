// Bounded buffer of the newest minutes of a series, with change tracking.

/**
 * One value per minute, ascending whatever the order of arrival, and the changes since the last drain.
 * Holds more than `minutesMax` until the next trim, so that a long batch can be drained completely before its oldest are evicted.
 */
export class MinuteBuffer<T> {
  readonly #minutesMax: number
  readonly #changed = new Map<number, T>()
  #values = new Map<number, T>()
  #isAscending = true
  #newestMs = Number.NEGATIVE_INFINITY

  constructor(minutesMax: number) {
    this.#minutesMax = minutesMax
  }

  /** -Infinity if empty. */
  get newestMs(): number {
    return this.#newestMs
  }

  /** By its timestamp, epoch milliseconds. */
  get(timeMs: number): T | undefined {
    return this.#values.get(timeMs)
  }

  /** Replaces an earlier value of the minute; the next drain returns it. */
  put(timeMs: number, value: T): void {
    if (timeMs < this.#newestMs && !this.#values.has(timeMs)) this.#isAscending = false
    this.#newestMs = Math.max(this.#newestMs, timeMs)
    this.#values.set(timeMs, value)
    this.#changed.set(timeMs, value)
  }

  /** Ascending. */
  values(): T[] {
    return [...this.#ascending().values()]
  }

  /** The latest value of each minute that was put since the last call, ascending. */
  drain(): T[] {
    const changed = [...this.#changed].toSorted(byTime).map(([, value]) => value)
    this.#changed.clear()
    return changed
  }

  /** Evicts the oldest beyond `minutesMax`, drained or not. Returns their timestamps, ascending. */
  trim(): number[] {
    const evicted: number[] = []
    for (const timeMs of this.#ascending().keys()) {
      if (this.#values.size <= this.#minutesMax) break
      this.#values.delete(timeMs)
      this.#changed.delete(timeMs)
      evicted.push(timeMs)
    }
    return evicted
  }

  clear(): void {
    this.#values.clear()
    this.#changed.clear()
    this.#isAscending = true
    this.#newestMs = Number.NEGATIVE_INFINITY
  }

  /** Sorts only after a late minute: a map keeps the order of insertion. */
  #ascending(): ReadonlyMap<number, T> {
    if (!this.#isAscending) this.#values = new Map([...this.#values].toSorted(byTime))
    this.#isAscending = true
    return this.#values
  }
}

function byTime([one]: readonly [number, unknown], [other]: readonly [number, unknown]): number {
  return one - other
}
