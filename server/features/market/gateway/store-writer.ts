// Closed candles on their way into the store: gathered for a second, tried again while the database is away, bounded.
import type { Candle } from '#shared/market/candles/candle.ts'
import type { FeedClock, FeedLog } from '../feed.ts'
import type { CandleKey, CandleStore } from '../store/candle-store.ts'

const gatherMs = 1_000
const retryMs = 5_000
/** A week of one series: what is lost beyond comes back from the source's history. */
const waitingMax = 10_080

export interface StoreWriter {
  /** Stores soon; never throws. */
  add(key: CandleKey, candles: readonly Candle[]): void
  /** Stores now. Rejects when the database does. */
  write(key: CandleKey, candles: readonly Candle[]): Promise<void>
  /** Stores what is waiting, as far as the database lets it. */
  close(): Promise<void>
}

export function storeWriter({ store, clock, log }: { store: CandleStore; clock: FeedClock; log: FeedLog }): StoreWriter {
  const waiting = new Map<string, { readonly key: CandleKey; readonly candles: Candle[] }>()
  let cancel: (() => void) | undefined
  let writing: Promise<void> = Promise.resolve()

  async function writeAll(): Promise<void> {
    for (const [name, { key, candles }] of waiting) {
      const batch = candles.splice(0)
      if (batch.length === 0) {
        waiting.delete(name)
        continue
      }
      try {
        await store.append(key, batch)
      } catch (error) {
        candles.unshift(...batch)
        candles.splice(0, Math.max(0, candles.length - waitingMax))
        log('candles cannot be stored', { series: key.series, waiting: candles.length, reason: String(error) })
        soon(retryMs)
        return
      }
    }
  }

  function soon(delayMs: number): void {
    cancel ??= clock.after(delayMs, () => {
      cancel = undefined
      writing = writing.then(writeAll)
    })
  }

  return {
    add(key, candles) {
      const name = `${key.series} ${key.source} ${key.step}`
      const entry = waiting.get(name) ?? { key, candles: [] }
      waiting.set(name, entry)
      entry.candles.push(...candles)
      soon(gatherMs)
    },
    async write(key, candles) {
      if (candles.length > 0) await store.append(key, candles)
    },
    async close() {
      cancel?.()
      await writing
      await writeAll()
      cancel?.()
    },
  }
}
