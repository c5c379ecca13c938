// The candles of one user's own broker: in memory only, bounded, and gone with the connection.
import { listenerSet } from '#shared/base/listeners.ts'
import { minuteMs } from '#shared/base/durations.ts'
import { addSpan, subtractSpans, type TimeSpan } from '#shared/base/time-spans.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import { historySteps } from '../feed.ts'
import { ascendingOnce } from '../store/ascending-once.ts'
import { candleColumns, type CandleColumns } from '../store/candle-columns.ts'
import { nameOfKey } from '../store/candle-key.ts'
import { spanOf, type CandleKey } from '../store/candle-store.ts'
import type { CandleChange, MemoryCandles } from '../store/memory-candles.ts'

export interface OwnCandlesOptions {
  /** Asks the broker for what is newer and appends it; must not reject. */
  readonly refresh: (key: CandleKey) => Promise<void>
  /** Milliseconds that only grow. */
  readonly monotonic: () => number
  /** Candles of all series together, 56 bytes each. */
  readonly totalMax?: number
}

export interface OwnCandles extends MemoryCandles {
  /** Whether a series can take more of the past. */
  hasRoom(series: string): boolean
}

interface Held {
  readonly key: CandleKey
  readonly columns: CandleColumns
  covered: readonly TimeSpan[]
  /** When the broker was last asked for newer ones, on the monotonic clock. */
  checkedMs: number
}

/** A user's page asks often; the broker is asked once a minute and key. */
const freshForMs = minuteMs
const spanOfAll = { fromMs: -Infinity, toMs: Infinity }

export function ownCandles({ refresh, monotonic, totalMax = 60_000 }: OwnCandlesOptions): OwnCandles {
  const helds = new Map<string, Held>()
  const listeners = listenerSet<[change: CandleChange]>()
  const checking = new Map<string, Promise<void>>()

  /** What is held of a key, used last now. */
  function touch(key: CandleKey): Held {
    const name = nameOfKey(key)
    const held = helds.get(name) ?? { key, columns: candleColumns(), covered: [], checkedMs: -Infinity }
    helds.delete(name)
    helds.set(name, held)
    return held
  }

  function notify(key: CandleKey, span: { readonly fromMs: number; readonly toMs: number } | undefined): void {
    if (span !== undefined) listeners.notify({ key, ...span })
  }

  const total = (): number => [...helds.values()].reduce((sum, { columns }) => sum + columns.count(), 0)

  /** Keys that were not asked for the longest go first and whole, so that what is left has no holes. */
  function evict(inUse: Held): void {
    let count = total()
    for (const [name, held] of helds) {
      if (count <= totalMax) return
      if (held === inUse) continue
      count -= held.columns.count()
      helds.delete(name)
      notify(held.key, spanOfAll)
    }
    const excess = inUse.columns.count() - totalMax
    if (excess <= 0) return
    inUse.columns.dropOldest(excess)
    inUse.covered = subtractSpans(inUse.covered, [{ fromMs: -Infinity, toMs: inUse.columns.stampAt(0) }])
  }

  function take(key: CandleKey, candles: readonly Candle[], span: TimeSpan | null): void {
    const held = touch(key)
    notify(key, held.columns.merge(ascendingOnce(candles)))
    if (span !== null) {
      const [first, ...others] = subtractSpans([span], held.covered)
      held.covered = addSpan(held.covered, span)
      notify(key, first && { fromMs: first.fromMs, toMs: others.at(-1)?.toMs ?? first.toMs })
    }
    evict(held)
  }

  async function check(key: CandleKey): Promise<void> {
    const held = touch(key)
    if (monotonic() - held.checkedMs < freshForMs) return
    held.checkedMs = monotonic()
    await refresh(key)
  }

  return {
    append(key, candles, covered = spanOf(key.step, candles)) {
      take(key, candles, covered)
      return Promise.resolve()
    },
    range(key, { fromMs, toMs, limit }) {
      const { columns } = touch(key)
      const toIndex = columns.indexOf(toMs)
      const fromIndex = columns.indexOf(fromMs)
      return Promise.resolve(columns.slice(limit === undefined ? fromIndex : Math.max(fromIndex, toIndex - limit), toIndex))
    },
    bounds(key) {
      const { columns } = touch(key)
      const count = columns.count()
      return Promise.resolve(count === 0 ? undefined : { firstMs: columns.stampAt(0), lastMs: columns.stampAt(count - 1) })
    },
    coverage({ series, source }) {
      const steps = historySteps.map((step) => [step, helds.get(nameOfKey({ series, source, step }))?.covered ?? []] as const)
      return Promise.resolve(Object.fromEntries(steps.filter(([, spans]) => spans.length > 0)))
    },
    freshen(key) {
      const name = nameOfKey(key)
      const running = checking.get(name) ?? check(key).finally(() => checking.delete(name))
      checking.set(name, running)
      return running
    },
    recheck: () => Promise.resolve(),
    onChange: listeners.add,
    hasRoom: (series) =>
      [...helds.values()].reduce((sum, { key, columns }) => sum + (key.series === series ? columns.count() : 0), 0) < totalMax / 2,
  }
}
