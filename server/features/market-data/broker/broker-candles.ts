// The candles of one user's own broker: in memory only, bounded, and dropped with the connection.
import { minuteMs } from '#shared/base/durations.ts'
import { listenerSet } from '#shared/base/listeners.ts'
import { addSpan, subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { historySteps } from '../feed.ts'
import type { Coverage } from '../coverage.ts'
import { candleColumns, type CandleColumns } from '../store/candle-columns.ts'
import { nameOfKey, spansOfCandles, sortUnique, type CandleKey, type CandleSpan } from '../store/candle-store.ts'
import type { CandleChange, MemoryCandles } from '../store/candle-cache.ts'

export interface BrokerCandlesOptions {
  /** Requests newer candles from the broker and appends them; must not reject. */
  readonly refresh: (key: CandleKey) => Promise<void>
  /** Monotonic milliseconds. */
  readonly monotonic: () => number
  /** Maximum candles of all series together, 56 bytes each. */
  readonly totalMax?: number
}

interface CachedCandles {
  readonly key: CandleKey
  readonly columns: CandleColumns
  covered: readonly TimeSpan[]
  /** When newer candles were last requested from the broker, on the monotonic clock. */
  checkedMs: number
}

/** A user's page polls often; the broker is called once a minute and key. */
const checkEveryMs = minuteMs
const spanOfAll = { fromMs: -Infinity, toMs: Infinity }

export class BrokerCandles implements MemoryCandles {
  readonly #options: BrokerCandlesOptions
  readonly #totalMax: number
  readonly #cached = new Map<string, CachedCandles>()
  readonly #listeners = listenerSet<[change: CandleChange]>()
  readonly #checking = new Map<string, Promise<void>>()

  constructor(options: BrokerCandlesOptions) {
    this.#options = options
    this.#totalMax = options.totalMax ?? 60_000
  }

  append(key: CandleKey, candles: readonly Candle[], covered: readonly TimeSpan[] = spansOfCandles(key.step, candles)): Promise<void> {
    this.#merge(key, candles, covered)
    return Promise.resolve()
  }

  range(key: CandleKey, { fromMs, toMs, limit }: CandleSpan): Promise<Candle[]> {
    const { columns } = this.#touch(key)
    const toIndex = columns.indexOf(toMs)
    const fromIndex = columns.indexOf(fromMs)
    return Promise.resolve(columns.slice(limit === undefined ? fromIndex : Math.max(fromIndex, toIndex - limit), toIndex))
  }

  bounds(key: CandleKey): Promise<{ readonly firstMs: number; readonly lastMs: number } | undefined> {
    const { columns } = this.#touch(key)
    const count = columns.count()
    return Promise.resolve(count === 0 ? undefined : { firstMs: columns.stampAt(0), lastMs: columns.stampAt(count - 1) })
  }

  coverage({ series, source }: Pick<CandleKey, 'series' | 'source'>): Promise<Coverage> {
    const steps = historySteps.map((step) => [step, this.#cached.get(nameOfKey({ series, source, step }))?.covered ?? []] as const)
    return Promise.resolve(Object.fromEntries(steps.filter(([, spans]) => spans.length > 0)))
  }

  freshen(key: CandleKey): Promise<void> {
    const name = nameOfKey(key)
    const running = this.#checking.get(name) ?? this.#check(key).finally(() => this.#checking.delete(name))
    this.#checking.set(name, running)
    return running
  }

  recheck(): Promise<void> {
    return Promise.resolve()
  }

  onChange(listener: (change: CandleChange) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Whether a series can take more history. */
  hasCapacity(series: string): boolean {
    return (
      [...this.#cached.values()].reduce((sum, { key, columns }) => sum + (key.series === series ? columns.count() : 0), 0) <
      this.#totalMax / 2
    )
  }

  /** The entry of a key, marked as most recently used. */
  #touch(key: CandleKey): CachedCandles {
    const name = nameOfKey(key)
    const cached = this.#cached.get(name) ?? { key, columns: candleColumns(), covered: [], checkedMs: -Infinity }
    this.#cached.delete(name)
    this.#cached.set(name, cached)
    return cached
  }

  #notify(key: CandleKey, span: { readonly fromMs: number; readonly toMs: number } | undefined): void {
    if (span !== undefined) this.#listeners.notify({ key, ...span })
  }

  #total(): number {
    return [...this.#cached.values()].reduce((sum, { columns }) => sum + columns.count(), 0)
  }

  /** Least recently used keys are evicted whole, so that the rest has no gaps. */
  #evict(inUse: CachedCandles): void {
    let count = this.#total()
    for (const [name, cached] of this.#cached) {
      if (count <= this.#totalMax) return
      if (cached === inUse) continue
      count -= cached.columns.count()
      this.#cached.delete(name)
      this.#notify(cached.key, spanOfAll)
    }
    const excess = inUse.columns.count() - this.#totalMax
    if (excess <= 0) return
    inUse.columns.dropOldest(excess)
    inUse.covered = subtractSpans(inUse.covered, [{ fromMs: -Infinity, toMs: inUse.columns.stampAt(0) }])
  }

  #merge(key: CandleKey, candles: readonly Candle[], spans: readonly TimeSpan[]): void {
    const cached = this.#touch(key)
    this.#notify(key, cached.columns.merge(sortUnique(candles)))
    const [first, ...others] = subtractSpans(spans, cached.covered)
    cached.covered = spans.reduce(addSpan, cached.covered)
    this.#notify(key, first && { fromMs: first.fromMs, toMs: others.at(-1)?.toMs ?? first.toMs })
    this.#evict(cached)
  }

  async #check(key: CandleKey): Promise<void> {
    const cached = this.#touch(key)
    if (this.#options.monotonic() - cached.checkedMs < checkEveryMs) return
    cached.checkedMs = this.#options.monotonic()
    await this.#options.refresh(key)
  }
}
