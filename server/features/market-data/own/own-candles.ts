// The candles of one user's own broker: in memory only, bounded, and dropped with the connection.
import { listenerSet } from '#shared/base/listeners.ts'
import { minuteMs } from '#shared/base/durations.ts'
import { addSpan, subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { historySteps } from '../feed.ts'
import { ascendingOnce } from '../store/sort-unique.ts'
import { candleColumns, type CandleColumns } from '../store/candle-columns.ts'
import { nameOfKey } from '../store/candle-key.ts'
import { spansOfCandles, type CandleKey, type CandleSpan } from '../store/candle-store.ts'
import type { Coverage } from '../history-steps.ts'
import type { CandleChange, MemoryCandles } from '../store/memory-candles.ts'

export interface OwnCandlesOptions {
  /** Requests newer candles from the broker and appends them; must not reject. */
  readonly refresh: (key: CandleKey) => Promise<void>
  /** Monotonic milliseconds. */
  readonly monotonic: () => number
  /** Maximum candles of all series together, 56 bytes each. */
  readonly totalMax?: number
}

interface Held {
  readonly key: CandleKey
  readonly columns: CandleColumns
  covered: readonly TimeSpan[]
  /** When newer candles were last requested from the broker, on the monotonic clock. */
  checkedMs: number
}

/** A user's page polls often; the broker is called once a minute and key. */
const freshForMs = minuteMs
const spanOfAll = { fromMs: -Infinity, toMs: Infinity }

export class OwnCandles implements MemoryCandles {
  readonly #options: OwnCandlesOptions
  readonly #totalMax: number
  readonly #helds = new Map<string, Held>()
  readonly #listeners = listenerSet<[change: CandleChange]>()
  readonly #checking = new Map<string, Promise<void>>()

  constructor(options: OwnCandlesOptions) {
    this.#options = options
    this.#totalMax = options.totalMax ?? 60_000
  }

  append(key: CandleKey, candles: readonly Candle[], covered: readonly TimeSpan[] = spansOfCandles(key.step, candles)): Promise<void> {
    this.#take(key, candles, covered)
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
    const steps = historySteps.map((step) => [step, this.#helds.get(nameOfKey({ series, source, step }))?.covered ?? []] as const)
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
  hasRoom(series: string): boolean {
    return (
      [...this.#helds.values()].reduce((sum, { key, columns }) => sum + (key.series === series ? columns.count() : 0), 0) <
      this.#totalMax / 2
    )
  }

  /** The entry of a key, marked as most recently used. */
  #touch(key: CandleKey): Held {
    const name = nameOfKey(key)
    const held = this.#helds.get(name) ?? { key, columns: candleColumns(), covered: [], checkedMs: -Infinity }
    this.#helds.delete(name)
    this.#helds.set(name, held)
    return held
  }

  #notify(key: CandleKey, span: { readonly fromMs: number; readonly toMs: number } | undefined): void {
    if (span !== undefined) this.#listeners.notify({ key, ...span })
  }

  #total(): number {
    return [...this.#helds.values()].reduce((sum, { columns }) => sum + columns.count(), 0)
  }

  /** Least recently used keys are evicted whole, so that the rest has no gaps. */
  #evict(inUse: Held): void {
    let count = this.#total()
    for (const [name, held] of this.#helds) {
      if (count <= this.#totalMax) return
      if (held === inUse) continue
      count -= held.columns.count()
      this.#helds.delete(name)
      this.#notify(held.key, spanOfAll)
    }
    const excess = inUse.columns.count() - this.#totalMax
    if (excess <= 0) return
    inUse.columns.dropOldest(excess)
    inUse.covered = subtractSpans(inUse.covered, [{ fromMs: -Infinity, toMs: inUse.columns.stampAt(0) }])
  }

  #take(key: CandleKey, candles: readonly Candle[], spans: readonly TimeSpan[]): void {
    const held = this.#touch(key)
    this.#notify(key, held.columns.merge(ascendingOnce(candles)))
    const [first, ...others] = subtractSpans(spans, held.covered)
    held.covered = spans.reduce(addSpan, held.covered)
    this.#notify(key, first && { fromMs: first.fromMs, toMs: others.at(-1)?.toMs ?? first.toMs })
    this.#evict(held)
  }

  async #check(key: CandleKey): Promise<void> {
    const held = this.#touch(key)
    if (this.#options.monotonic() - held.checkedMs < freshForMs) return
    held.checkedMs = this.#options.monotonic()
    await this.#options.refresh(key)
  }
}
