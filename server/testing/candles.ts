// Candles for tests: a store in a list, and made-up minutes.
import type { CandleKey, CandleStore } from '#server/features/market/store/candle-store.ts'
import type { Candle } from '#shared/market/candles/candle.ts'

export interface ListStore extends CandleStore {
  /** How often it was read. */
  reads(): number
  /** Makes the next append fail. */
  failNext(error: Error): void
}

/** A candle store that forgets everything with the test; keeps the newest revision and when it came. */
export function listStore(now: () => number = () => 0): ListStore {
  const kinds = new Map<string, Map<number, { readonly candle: Candle; readonly storedMs: number }>>()
  let reads = 0
  let failure: Error | undefined
  const rowsOf = (key: CandleKey) => {
    const name = Object.values(key).join(' ')
    const rows = kinds.get(name) ?? new Map<number, { readonly candle: Candle; readonly storedMs: number }>()
    kinds.set(name, rows)
    return rows
  }
  return {
    append(key, candles) {
      if (failure !== undefined) {
        const error = failure
        failure = undefined
        return Promise.reject(error)
      }
      for (const candle of candles) rowsOf(key).set(candle.timeMs, { candle, storedMs: now() })
      return Promise.resolve()
    },
    range(key, { fromMs, toMs, limit, storedSinceMs = -Infinity }) {
      reads += 1
      const found = [...rowsOf(key).values()]
        .filter(({ candle, storedMs }) => candle.timeMs >= fromMs && candle.timeMs < toMs && storedMs >= storedSinceMs)
        .map(({ candle }) => candle)
        .toSorted((one, other) => one.timeMs - other.timeMs)
      return Promise.resolve(limit === undefined ? found : found.slice(-limit))
    },
    bounds(key) {
      const stamps = [...rowsOf(key).keys()]
      return Promise.resolve(stamps.length === 0 ? undefined : { firstMs: Math.min(...stamps), lastMs: Math.max(...stamps) })
    },
    reads: () => reads,
    failNext: (error) => void (failure = error),
  }
}

/** Minutes from one instant up to another, with prices that follow from the time alone. */
export function minutesBetween(fromMs: number, toMs: number): Candle[] {
  const candles: Candle[] = []
  for (let timeMs = Math.ceil(fromMs / 60_000) * 60_000; timeMs < toMs; timeMs += 60_000) {
    const base = 100 + ((timeMs / 60_000) % 97)
    candles.push({
      timeMs,
      open: base,
      high: base + 3,
      low: base - 2,
      close: base + 1,
      volume: (timeMs / 60_000) % 11,
      takerBuyVolume: null,
    })
  }
  return candles
}
