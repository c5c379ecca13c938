// Caches the newest candles of each key in front of the store: loaded from it, updated by appends.
import type { TimeSpan } from '#shared/base/time-span.ts'
import { listenerSet } from '#shared/base/listeners.ts'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { stepMs } from '../feed.ts'
import { ascendingOnce } from './sort-unique.ts'
import { candleColumns, type CandleColumns } from './candle-columns.ts'
import { nameOfKey } from './candle-key.ts'
import { spansOfCandles, type CandleKey, type CandleSpan, type CandleStore } from './candle-store.ts'
import type { Coverage } from '../history-steps.ts'
import { inOrder } from './serial-queue.ts'
import { memoryCoverage, type MemoryCoverage } from './memory-coverage.ts'

/** A range of one key whose candles changed; both ends are timestamps that may have changed. */
export interface CandleChange {
  readonly key: CandleKey
  readonly fromMs: number
  readonly toMs: number
}

export interface MemoryCandles extends CandleStore {
  /** Checks for newer candles stored by others, if the key is cached and the last check is more than two seconds ago. */
  freshen(key: CandleKey): Promise<void>
  /** Reads everything that others have stored since the last check, however old its timestamps. */
  recheck(key: CandleKey): Promise<void>
  /** Notifies about later changes of `range` results, until the returned function is called. */
  onChange(listener: (change: CandleChange) => void): () => void
}

interface Options {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Monotonic milliseconds. */
  readonly monotonic: () => number
  /** Maximum candles per key: 208 days of around-the-clock minutes. */
  readonly perKeyMax?: number
  /** Maximum candles in total, 56 bytes each: 84 MB. */
  readonly totalMax?: number
}

/** All stored candles from `fromMs` on. */
interface Hot {
  readonly columns: CandleColumns
  fromMs: number
  /** When the newest candles were last read from the store, on the monotonic clock. */
  checkedMs: number
  /** When all candles were last read. */
  deepCheckedMs: number
  /** The same moment on the wall clock, which dates the rows. */
  deepCheckedAtMs: number
}

/** Other processes may append at any time, so the newest candles are reread after this long. */
const freshForMs = 2_000
/** Delay until corrections of older candles by other processes are visible. */
const deepFreshForMs = 5 * minuteMs
/** Range of the newest candles. */
const newestMs = 2 * hourMs
/** Clocks of processes differ, and a row is dated before it is committed. */
const clockDoubtMs = minuteMs

const spanOfAll = { fromMs: -Infinity, toMs: Infinity }

/** A store with a cache. Least recently used keys are evicted; uncached candles are read from the store. */
export class CandleCache implements MemoryCandles {
  readonly #store: CandleStore
  readonly #options: Options
  readonly #perKeyMax: number
  readonly #totalMax: number
  readonly #hots = new Map<string, { readonly key: CandleKey; readonly hot: Hot }>()
  readonly #listeners = listenerSet<[change: CandleChange]>()
  readonly #inTurn = inOrder()
  readonly #coverages: MemoryCoverage

  constructor(store: CandleStore, options: Options) {
    this.#store = store
    this.#options = options
    this.#perKeyMax = options.perKeyMax ?? 300_000
    this.#totalMax = options.totalMax ?? 1_500_000
    this.#coverages = memoryCoverage({
      store,
      monotonic: options.monotonic,
      freshForMs,
      onChange: (key, span) => this.#notify(key, span),
    })
  }

  async append(
    key: CandleKey,
    candles: readonly Candle[],
    covered: readonly TimeSpan[] = spansOfCandles(key.step, candles),
  ): Promise<void> {
    await this.#inTurn(nameOfKey(key), async () => {
      await this.#store.append(key, candles, covered)
      this.#take(key, candles)
    })
    if (covered.length > 0) await this.#coverages.add(key, covered)
  }

  coverage(of: Pick<CandleKey, 'series' | 'source'>): Promise<Coverage> {
    return this.#coverages.read(of)
  }

  range(key: CandleKey, span: CandleSpan): Promise<Candle[]> {
    return this.#inTurn(nameOfKey(key), () => this.#range(key, span))
  }

  freshen(key: CandleKey): Promise<void> {
    return this.#inTurn(nameOfKey(key), async () => {
      const hot = this.#touch(key)
      if (hot !== undefined) await this.#checkIfDue(key, hot)
    })
  }

  recheck(key: CandleKey): Promise<void> {
    return this.#inTurn(nameOfKey(key), async () => {
      const hot = this.#touch(key)
      if (hot !== undefined) await this.#check(key, hot, true)
      await this.#coverages.read(key, true)
    })
  }

  bounds(key: CandleKey): Promise<{ readonly firstMs: number; readonly lastMs: number } | undefined> {
    return this.#store.bounds(key)
  }

  onChange(listener: (change: CandleChange) => void): () => void {
    return this.#listeners.add(listener)
  }

  #notify(key: CandleKey, span: { fromMs: number; toMs: number } | undefined): void {
    if (span !== undefined) this.#listeners.notify({ key, ...span })
  }

  /** The cached part of a key, marked as most recently used. */
  #touch(key: CandleKey): Hot | undefined {
    const name = nameOfKey(key)
    const found = this.#hots.get(name)
    if (found === undefined) return undefined
    this.#hots.delete(name)
    this.#hots.set(name, found)
    return found.hot
  }

  #put(key: CandleKey, hot: Hot, candles: readonly Candle[]): { fromMs: number; toMs: number } | undefined {
    const changed = hot.columns.merge(candles.filter(({ timeMs }) => timeMs >= hot.fromMs))
    const excess = hot.columns.count() - this.#perKeyMax
    if (excess > 0) {
      hot.columns.dropOldest(excess + Math.floor(this.#perKeyMax / 10))
      hot.fromMs = hot.columns.stampAt(0)
    }
    this.#evict(key)
    return changed
  }

  #evict(inUse: CandleKey): void {
    let total = [...this.#hots.values()].reduce((sum, { hot }) => sum + hot.columns.count(), 0)
    for (const [name, { key, hot }] of this.#hots) {
      if (total <= this.#totalMax) return
      if (name === nameOfKey(inUse)) continue
      total -= hot.columns.count()
      this.#hots.delete(name)
      // Changes of it are no longer watched, so derived data may become outdated.
      this.#notify(key, spanOfAll)
    }
  }

  async #check(key: CandleKey, hot: Hot, isDeep: boolean): Promise<void> {
    const [startMs, startAtMs] = [this.#options.monotonic(), this.#options.now()]
    const lastMs = hot.columns.stampAt(hot.columns.count() - 1)
    const newestFromMs = Math.max(hot.fromMs, (Number.isNaN(lastMs) ? hot.fromMs : lastMs) - Math.max(newestMs, 2 * stepMs[key.step]))
    const span = isDeep
      ? { fromMs: hot.fromMs, toMs: Infinity, storedSinceMs: hot.deepCheckedAtMs - clockDoubtMs }
      : { fromMs: newestFromMs, toMs: Infinity }
    const candles = await this.#store.range(key, span)
    hot.checkedMs = startMs
    if (isDeep) {
      hot.deepCheckedMs = startMs
      hot.deepCheckedAtMs = startAtMs
    }
    this.#notify(key, this.#put(key, hot, candles))
  }

  async #checkIfDue(key: CandleKey, hot: Hot): Promise<void> {
    if (this.#options.monotonic() - hot.deepCheckedMs > deepFreshForMs) await this.#check(key, hot, true)
    else if (this.#options.monotonic() - hot.checkedMs > freshForMs) await this.#check(key, hot, false)
  }

  /** Extends the cache back to an instant; undefined if that is beyond its limit. */
  async #reach(key: CandleKey, fromMs: number): Promise<Hot | undefined> {
    const known = this.#touch(key)
    if (known !== undefined && known.fromMs <= fromMs) {
      await this.#checkIfDue(key, known)
      return known
    }
    const [startMs, startAtMs] = [this.#options.monotonic(), this.#options.now()]
    if ((startAtMs - fromMs) / stepMs[key.step] > this.#perKeyMax) return undefined
    if (known !== undefined) {
      const older = await this.#store.range(key, { fromMs, toMs: known.fromMs })
      known.fromMs = fromMs
      this.#put(key, known, older)
      await this.#checkIfDue(key, known)
      return known
    }
    const hot: Hot = { columns: candleColumns(), fromMs, checkedMs: startMs, deepCheckedMs: startMs, deepCheckedAtMs: startAtMs }
    const candles = await this.#store.range(key, { fromMs, toMs: Infinity })
    this.#hots.set(nameOfKey(key), { key, hot })
    this.#put(key, hot, candles)
    return hot
  }

  /** The newest `limit` candles before an instant, if all are cached; undefined if unknown. */
  async #newest(key: CandleKey, { fromMs, toMs, limit }: CandleSpan): Promise<Candle[] | undefined> {
    const hot = this.#touch(key)
    if (hot === undefined || limit === undefined) return undefined
    await this.#checkIfDue(key, hot)
    const toIndex = hot.columns.indexOf(toMs)
    const fromIndex = toIndex - limit
    return fromIndex >= 0 && hot.columns.stampAt(fromIndex) >= fromMs ? hot.columns.slice(fromIndex, toIndex) : undefined
  }

  async #range(key: CandleKey, span: CandleSpan): Promise<Candle[]> {
    const found = await this.#newest(key, span)
    if (found !== undefined) return found
    const hot = span.storedSinceMs === undefined ? await this.#reach(key, span.fromMs) : undefined
    // Eviction may have removed the oldest of the rows just read.
    if (hot === undefined || hot.fromMs > span.fromMs) return this.#store.range(key, span)
    const toIndex = hot.columns.indexOf(span.toMs)
    const fromIndex = hot.columns.indexOf(span.fromMs)
    return hot.columns.slice(span.limit === undefined ? fromIndex : Math.max(fromIndex, toIndex - span.limit), toIndex)
  }

  /** Caches closed candles; older ones than the cache holds may have been read around it, so they are notified unseen. */
  #take(key: CandleKey, candles: readonly Candle[]): void {
    const ascending = ascendingOnce(candles)
    const [first, last] = [ascending[0], ascending.at(-1)]
    if (first === undefined || last === undefined) return
    const hot = this.#hots.get(nameOfKey(key))?.hot
    const isAllInMemory = hot !== undefined && first.timeMs >= hot.fromMs
    const changed = hot === undefined ? undefined : this.#put(key, hot, ascending)
    this.#notify(key, isAllInMemory ? changed : { fromMs: first.timeMs, toMs: last.timeMs })
  }
}
