// Caches the newest candles of each key in front of the store: loaded from it, updated by appends.
import { addSpan, subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import { listenerSet } from '#shared/base/listeners.ts'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { historySteps, stepMs } from '../feed.ts'
import { candleColumns, type CandleColumns } from './candle-columns.ts'
import { nameOfKey, sortUnique, spansOfCandles, type CandleKey, type CandleSpan, type CandleStore } from './candle-store.ts'
import type { Coverage } from '../coverage.ts'

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
interface CachedCandles {
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

/** Maximum cached series; the least recently read ones are evicted. */
const coveragesMax = 500

const spanOfAll = { fromMs: -Infinity, toMs: Infinity }

/** A store with a cache. Least recently used keys are evicted; uncached candles are read from the store. */
export class CandleCache implements MemoryCandles {
  readonly #store: CandleStore
  readonly #options: Options
  readonly #perKeyMax: number
  readonly #totalMax: number
  readonly #cached = new Map<string, { readonly key: CandleKey; readonly cached: CachedCandles }>()
  readonly #listeners = listenerSet<[change: CandleChange]>()
  readonly #queue = new SerialQueue()
  readonly #coverages: CoverageCache

  constructor(store: CandleStore, options: Options) {
    this.#store = store
    this.#options = options
    this.#perKeyMax = options.perKeyMax ?? 300_000
    this.#totalMax = options.totalMax ?? 1_500_000
    this.#coverages = new CoverageCache(store, options.monotonic, (key, span) => this.#notify(key, span))
  }

  async append(
    key: CandleKey,
    candles: readonly Candle[],
    covered: readonly TimeSpan[] = spansOfCandles(key.step, candles),
  ): Promise<void> {
    await this.#queue.run(nameOfKey(key), async () => {
      await this.#store.append(key, candles, covered)
      this.#cache(key, candles)
    })
    if (covered.length > 0) await this.#coverages.add(key, covered)
  }

  coverage(of: Pick<CandleKey, 'series' | 'source'>): Promise<Coverage> {
    return this.#coverages.read(of)
  }

  range(key: CandleKey, span: CandleSpan): Promise<Candle[]> {
    return this.#queue.run(nameOfKey(key), () => this.#range(key, span))
  }

  freshen(key: CandleKey): Promise<void> {
    return this.#queue.run(nameOfKey(key), async () => {
      const cached = this.#touch(key)
      if (cached !== undefined) await this.#checkIfDue(key, cached)
    })
  }

  recheck(key: CandleKey): Promise<void> {
    return this.#queue.run(nameOfKey(key), async () => {
      const cached = this.#touch(key)
      if (cached !== undefined) await this.#check(key, cached, true)
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
  #touch(key: CandleKey): CachedCandles | undefined {
    const name = nameOfKey(key)
    const found = this.#cached.get(name)
    if (found === undefined) return undefined
    this.#cached.delete(name)
    this.#cached.set(name, found)
    return found.cached
  }

  #put(key: CandleKey, cached: CachedCandles, candles: readonly Candle[]): { fromMs: number; toMs: number } | undefined {
    const changed = cached.columns.merge(candles.filter(({ timeMs }) => timeMs >= cached.fromMs))
    const excess = cached.columns.count() - this.#perKeyMax
    if (excess > 0) {
      cached.columns.dropOldest(excess + Math.floor(this.#perKeyMax / 10))
      cached.fromMs = cached.columns.stampAt(0)
    }
    this.#evict(key)
    return changed
  }

  #evict(inUse: CandleKey): void {
    let total = [...this.#cached.values()].reduce((sum, { cached }) => sum + cached.columns.count(), 0)
    for (const [name, { key, cached }] of this.#cached) {
      if (total <= this.#totalMax) return
      if (name === nameOfKey(inUse)) continue
      total -= cached.columns.count()
      this.#cached.delete(name)
      // Changes of it are no longer watched, so derived data may become outdated.
      this.#notify(key, spanOfAll)
    }
  }

  async #check(key: CandleKey, cached: CachedCandles, isDeep: boolean): Promise<void> {
    const [startMs, startAtMs] = [this.#options.monotonic(), this.#options.now()]
    const lastMs = cached.columns.stampAt(cached.columns.count() - 1)
    const newestFromMs = Math.max(cached.fromMs, (Number.isNaN(lastMs) ? cached.fromMs : lastMs) - Math.max(newestMs, 2 * stepMs[key.step]))
    const span = isDeep
      ? { fromMs: cached.fromMs, toMs: Infinity, storedSinceMs: cached.deepCheckedAtMs - clockDoubtMs }
      : { fromMs: newestFromMs, toMs: Infinity }
    const candles = await this.#store.range(key, span)
    cached.checkedMs = startMs
    if (isDeep) {
      cached.deepCheckedMs = startMs
      cached.deepCheckedAtMs = startAtMs
    }
    this.#notify(key, this.#put(key, cached, candles))
  }

  async #checkIfDue(key: CandleKey, cached: CachedCandles): Promise<void> {
    if (this.#options.monotonic() - cached.deepCheckedMs > deepFreshForMs) await this.#check(key, cached, true)
    else if (this.#options.monotonic() - cached.checkedMs > freshForMs) await this.#check(key, cached, false)
  }

  /** Extends the cache back to an instant; undefined if that is beyond its limit. */
  async #reach(key: CandleKey, fromMs: number): Promise<CachedCandles | undefined> {
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
    const cached: CachedCandles = {
      columns: candleColumns(),
      fromMs,
      checkedMs: startMs,
      deepCheckedMs: startMs,
      deepCheckedAtMs: startAtMs,
    }
    const candles = await this.#store.range(key, { fromMs, toMs: Infinity })
    this.#cached.set(nameOfKey(key), { key, cached })
    this.#put(key, cached, candles)
    return cached
  }

  /** The newest `limit` candles before an instant, if all are cached; undefined if unknown. */
  async #newest(key: CandleKey, { fromMs, toMs, limit }: CandleSpan): Promise<Candle[] | undefined> {
    const cached = this.#touch(key)
    if (cached === undefined || limit === undefined) return undefined
    await this.#checkIfDue(key, cached)
    const toIndex = cached.columns.indexOf(toMs)
    const fromIndex = toIndex - limit
    return fromIndex >= 0 && cached.columns.stampAt(fromIndex) >= fromMs ? cached.columns.slice(fromIndex, toIndex) : undefined
  }

  async #range(key: CandleKey, span: CandleSpan): Promise<Candle[]> {
    const found = await this.#newest(key, span)
    if (found !== undefined) return found
    const cached = span.storedSinceMs === undefined ? await this.#reach(key, span.fromMs) : undefined
    // Eviction may have removed the oldest of the rows just read.
    if (cached === undefined || cached.fromMs > span.fromMs) return this.#store.range(key, span)
    const toIndex = cached.columns.indexOf(span.toMs)
    const fromIndex = cached.columns.indexOf(span.fromMs)
    return cached.columns.slice(span.limit === undefined ? fromIndex : Math.max(fromIndex, toIndex - span.limit), toIndex)
  }

  /** Caches closed candles; older ones than the cache holds may have been read around it, so they are notified unseen. */
  #cache(key: CandleKey, candles: readonly Candle[]): void {
    const ascending = sortUnique(candles)
    const [first, last] = [ascending[0], ascending.at(-1)]
    if (first === undefined || last === undefined) return
    const cached = this.#cached.get(nameOfKey(key))?.cached
    const isAllInMemory = cached !== undefined && first.timeMs >= cached.fromMs
    const changed = cached === undefined ? undefined : this.#put(key, cached, ascending)
    this.#notify(key, isAllInMemory ? changed : { fromMs: first.timeMs, toMs: last.timeMs })
  }
}

type SeriesOfSource = Pick<CandleKey, 'series' | 'source'>

/** Caches the coverage of the store: reread when it may be outdated, updated by appends. */
class CoverageCache {
  readonly #store: Pick<CandleStore, 'coverage'>
  readonly #monotonic: () => number
  /** Newly covered timestamps. */
  readonly #onChange: (key: CandleKey, span: TimeSpan) => void
  readonly #cached = new Map<string, { readonly of: SeriesOfSource; coverage: Coverage; checkedMs: number }>()
  readonly #queue = new SerialQueue()

  constructor(store: Pick<CandleStore, 'coverage'>, monotonic: () => number, onChange: (key: CandleKey, span: TimeSpan) => void) {
    this.#store = store
    this.#monotonic = monotonic
    this.#onChange = onChange
  }

  read({ series, source }: SeriesOfSource, isForced = false): Promise<Coverage> {
    const name = `${series} ${source}`
    return this.#queue.run(name, async () => {
      const known = this.#cached.get(name)
      const startMs = this.#monotonic()
      if (known !== undefined && !isForced && startMs - known.checkedMs <= freshForMs) return known.coverage
      const coverage = await this.#store.coverage({ series, source })
      this.#cached.delete(name)
      this.#cached.set(name, { of: { series, source }, coverage, checkedMs: startMs })
      if (known === undefined) this.#evict()
      else
        for (const step of historySteps)
          this.#notify({ series, source, step }, subtractSpans(coverage[step] ?? [], known.coverage[step] ?? []))
      return coverage
    })
  }

  /** Adds spans that were just stored. */
  add(key: CandleKey, spans: readonly TimeSpan[]): Promise<void> {
    const name = `${key.series} ${key.source}`
    return this.#queue.run(name, () => {
      const known = this.#cached.get(name)
      if (known === undefined) return Promise.resolve()
      const before = known.coverage[key.step] ?? []
      known.coverage = { ...known.coverage, [key.step]: spans.reduce(addSpan, [...before]) }
      this.#notify(key, subtractSpans(spans, before))
      return Promise.resolve()
    })
  }

  #notify(key: CandleKey, added: readonly TimeSpan[]): void {
    const [first, last] = [added[0], added.at(-1)]
    if (first !== undefined && last !== undefined) this.#onChange(key, { fromMs: first.fromMs, toMs: last.toMs })
  }

  #evict(): void {
    for (const [name, { of }] of this.#cached) {
      if (this.#cached.size <= coveragesMax) return
      this.#cached.delete(name)
      // Its changes are no longer watched.
      this.#onChange({ ...of, step: '1m' }, spanOfAll)
    }
  }
}

/** Work of the same name runs one after the other; other names are not blocked, and a failure does not stop the queue. */
class SerialQueue {
  readonly #lasts = new Map<string, Promise<unknown>>()

  run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#lasts.get(name) ?? Promise.resolve()).then(work, work)
    this.#lasts.set(name, result)
    const forget = (): void => {
      if (this.#lasts.get(name) === result) this.#lasts.delete(name)
    }
    result.then(forget, forget)
    return result
  }
}
