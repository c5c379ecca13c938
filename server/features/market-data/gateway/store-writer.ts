// Write queue of closed candles: batched for a second, retried while the database is down, bounded.
import { addSpan, subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { FeedClock, FeedLog } from '../feed.ts'
import type { CandleKey, CandleStore } from '../store/candle-store.ts'

const gatherMs = 1_000
const retryMs = 5_000
/** A week of one series: dropped candles are refilled from the source's history. */
const waitingMax = 10_080

export type StoreWriter = ReturnType<typeof storeWriter>

export function storeWriter({ store, clock, log }: { store: CandleStore; clock: FeedClock; log: FeedLog }) {
  const waiting = new Map<string, { readonly key: CandleKey; candles: Candle[]; covered: readonly TimeSpan[] }>()
  let cancel: (() => void) | undefined
  let writing: Promise<void> = Promise.resolve()

  async function writeAll(): Promise<void> {
    for (const [name, entry] of waiting) {
      const { key, candles, covered } = entry
      const batch = candles
      entry.candles = []
      entry.covered = []
      if (batch.length === 0 && covered.length === 0) {
        waiting.delete(name)
        continue
      }
      try {
        await store.append(key, batch, covered)
      } catch (error) {
        const all = batch.concat(entry.candles)
        const excess = Math.max(0, all.length - waitingMax)
        entry.candles = all.slice(excess)
        const known = entry.covered.reduce(addSpan, [...covered])
        entry.covered = excess === 0 ? known : subtractSpans(known, [{ fromMs: -Infinity, toMs: (all[excess - 1]?.timeMs ?? 0) + 1 }])
        log('candles cannot be stored', { series: key.series, waiting: entry.candles.length, reason: String(error) })
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
    /** Queues a write; never throws. */
    add(key: CandleKey, candles: readonly Candle[], covered: readonly TimeSpan[]): void {
      const name = `${key.series} ${key.source} ${key.step}`
      const entry = waiting.get(name) ?? { key, candles: [], covered: [] }
      waiting.set(name, entry)
      for (const candle of candles) entry.candles.push(candle)
      entry.covered = covered.reduce(addSpan, [...entry.covered])
      soon(gatherMs)
    },
    /** Stores immediately, with the covered spans. Rejects when the database does. */
    write: store.append.bind(store),
    /** Flushes the queue, as far as the database allows; `close` likewise. */
    flush: (): Promise<void> => (writing = writing.then(writeAll)),
    async close(): Promise<void> {
      cancel?.()
      await writing
      await writeAll()
      cancel?.()
    },
  }
}
