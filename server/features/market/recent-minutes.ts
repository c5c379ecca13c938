// The newest minutes of a series, one candle for each stamp.
import type { Candle } from '#shared/market/candles/candle.ts'

export interface RecentMinutes {
  /** Each replaces an earlier statement of its minute. Returns whether the oldest were dropped, beyond the bound. */
  add(minutes: readonly Candle[]): boolean
  /** By its stamp, epoch milliseconds. */
  get(timeMs: number): Candle | undefined
  /** Ascending. */
  list(): Candle[]
  /** -Infinity where there are none. */
  newestMs(): number
  clear(): void
}

export function recentMinutes(minutesMax: number): RecentMinutes {
  const kept = new Map<number, Candle>()
  return {
    add(minutes) {
      for (const minute of minutes) kept.set(minute.timeMs, minute)
      if (kept.size <= minutesMax) return false
      const stamps = [...kept.keys()].toSorted((one, other) => one - other)
      for (const timeMs of stamps.slice(0, stamps.length - minutesMax)) kept.delete(timeMs)
      return true
    },
    get: (timeMs) => kept.get(timeMs),
    list: () => [...kept.values()].toSorted((one, other) => one.timeMs - other.timeMs),
    newestMs: () => Math.max(...kept.keys()),
    clear: () => kept.clear(),
  }
}
