// The newest candles of each key in memory, before the store: filled from it, kept up by what is appended.
import { listenerSet } from '#shared/base/listeners.ts'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import { stepMs } from '../feed.ts'
import { ascendingOnce } from './ascending-once.ts'
import { candleColumns, type CandleColumns } from './candle-columns.ts'
import { nameOfKey } from './candle-key.ts'
import { spanOf, type CandleKey, type CandleSpan, type CandleStore } from './candle-store.ts'
import { inOrder } from './in-order.ts'
import { memoryCoverage } from './memory-coverage.ts'

/** A stretch of one key whose candles are other ones now; both ends are stamps that may have changed. */
export interface CandleChange {
  readonly key: CandleKey
  readonly fromMs: number
  readonly toMs: number
}

export interface MemoryCandles extends CandleStore {
  /** Looks for newer candles that others stored, if the last look is more than two seconds ago and the key is in memory. */
  freshen(key: CandleKey): Promise<void>
  /** Reads what others have stored since the last look, however old its stamps are. */
  recheck(key: CandleKey): Promise<void>
  /** Tells every later change of what `range` answers, until the returned function is called. */
  onChange(listener: (change: CandleChange) => void): () => void
}

interface Options {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds that only grow. */
  readonly monotonic: () => number
  /** Candles of one key at most: 208 days of minutes that never rest. */
  readonly perKeyMax?: number
  /** Candles at most, 56 bytes each: 84 MB. */
  readonly totalMax?: number
}

/** Everything from `fromMs` on that the store has. */
interface Hot {
  readonly columns: CandleColumns
  fromMs: number
  /** When the newest candles were last read from the store, on the monotonic clock. */
  checkedMs: number
  /** When all of it was. */
  deepCheckedMs: number
  /** The same moment on the wall clock, by which rows are dated. */
  deepCheckedAtMs: number
}

/** Another process may append at any time, so the newest candles are read again after this long. */
const freshForMs = 2_000
/** Corrections of older candles, which come from other processes, show after this long. */
const deepFreshForMs = 5 * minuteMs
/** How far the newest candles reach. */
const newestMs = 2 * hourMs
/** Clocks of processes differ, and a row is dated before it is committed. */
const clockDoubtMs = minuteMs

const spanOfAll = { fromMs: -Infinity, toMs: Infinity }

/** A store with memory before it. Keys that nobody asked for the longest go first; what is not in memory is read from the store. */
export function memoryCandles(store: CandleStore, options: Options): MemoryCandles {
  const { now, monotonic, perKeyMax = 300_000, totalMax = 1_500_000 } = options
  const hots = new Map<string, { readonly key: CandleKey; readonly hot: Hot }>()
  const listeners = listenerSet<[change: CandleChange]>()
  const inTurn = inOrder()

  const tell = (key: CandleKey, span: { fromMs: number; toMs: number } | undefined): void => {
    if (span !== undefined) listeners.notify({ key, ...span })
  }

  const coverages = memoryCoverage({ store, monotonic, freshForMs, onChange: tell })

  /** The hot part of a key, last used now. */
  function touch(key: CandleKey): Hot | undefined {
    const name = nameOfKey(key)
    const found = hots.get(name)
    if (found === undefined) return undefined
    hots.delete(name)
    hots.set(name, found)
    return found.hot
  }

  function put(key: CandleKey, hot: Hot, candles: readonly Candle[]): { fromMs: number; toMs: number } | undefined {
    const changed = hot.columns.merge(candles.filter(({ timeMs }) => timeMs >= hot.fromMs))
    const excess = hot.columns.count() - perKeyMax
    if (excess > 0) {
      hot.columns.dropOldest(excess + Math.floor(perKeyMax / 10))
      hot.fromMs = hot.columns.stampAt(0)
    }
    evict(key)
    return changed
  }

  function evict(inUse: CandleKey): void {
    let total = [...hots.values()].reduce((sum, { hot }) => sum + hot.columns.count(), 0)
    for (const [name, { key, hot }] of hots) {
      if (total <= totalMax) return
      if (name === nameOfKey(inUse)) continue
      total -= hot.columns.count()
      hots.delete(name)
      // Nobody watches it any more, so what was made of it may grow old unnoticed.
      tell(key, spanOfAll)
    }
  }

  async function check(key: CandleKey, hot: Hot, isDeep: boolean): Promise<void> {
    const [startMs, startAtMs] = [monotonic(), now()]
    const lastMs = hot.columns.stampAt(hot.columns.count() - 1)
    const newestFromMs = Math.max(hot.fromMs, (Number.isNaN(lastMs) ? hot.fromMs : lastMs) - Math.max(newestMs, 2 * stepMs[key.step]))
    const span = isDeep
      ? { fromMs: hot.fromMs, toMs: Infinity, storedSinceMs: hot.deepCheckedAtMs - clockDoubtMs }
      : { fromMs: newestFromMs, toMs: Infinity }
    const candles = await store.range(key, span)
    hot.checkedMs = startMs
    if (isDeep) {
      hot.deepCheckedMs = startMs
      hot.deepCheckedAtMs = startAtMs
    }
    tell(key, put(key, hot, candles))
  }

  async function checkIfDue(key: CandleKey, hot: Hot): Promise<void> {
    if (monotonic() - hot.deepCheckedMs > deepFreshForMs) await check(key, hot, true)
    else if (monotonic() - hot.checkedMs > freshForMs) await check(key, hot, false)
  }

  /** Makes memory reach back to an instant; undefined where that is further than memory may reach. */
  async function reach(key: CandleKey, fromMs: number): Promise<Hot | undefined> {
    const known = touch(key)
    if (known !== undefined && known.fromMs <= fromMs) {
      await checkIfDue(key, known)
      return known
    }
    const [startMs, startAtMs] = [monotonic(), now()]
    if ((startAtMs - fromMs) / stepMs[key.step] > perKeyMax) return undefined
    if (known !== undefined) {
      const older = await store.range(key, { fromMs, toMs: known.fromMs })
      known.fromMs = fromMs
      put(key, known, older)
      await checkIfDue(key, known)
      return known
    }
    const hot: Hot = { columns: candleColumns(), fromMs, checkedMs: startMs, deepCheckedMs: startMs, deepCheckedAtMs: startAtMs }
    const candles = await store.range(key, { fromMs, toMs: Infinity })
    hots.set(nameOfKey(key), { key, hot })
    put(key, hot, candles)
    return hot
  }

  /** The newest so many candles before an instant, where memory has them all; undefined where it cannot say. */
  async function newest(key: CandleKey, { fromMs, toMs, limit }: CandleSpan): Promise<Candle[] | undefined> {
    const hot = touch(key)
    if (hot === undefined || limit === undefined) return undefined
    await checkIfDue(key, hot)
    const toIndex = hot.columns.indexOf(toMs)
    const fromIndex = toIndex - limit
    return fromIndex >= 0 && hot.columns.stampAt(fromIndex) >= fromMs ? hot.columns.slice(fromIndex, toIndex) : undefined
  }

  async function range(key: CandleKey, span: CandleSpan): Promise<Candle[]> {
    const found = await newest(key, span)
    if (found !== undefined) return found
    const hot = span.storedSinceMs === undefined ? await reach(key, span.fromMs) : undefined
    // Making room may have cost the oldest of what was just read.
    if (hot === undefined || hot.fromMs > span.fromMs) return store.range(key, span)
    const toIndex = hot.columns.indexOf(span.toMs)
    const fromIndex = hot.columns.indexOf(span.fromMs)
    return hot.columns.slice(span.limit === undefined ? fromIndex : Math.max(fromIndex, toIndex - span.limit), toIndex)
  }

  /** Takes closed candles into memory; what is older than memory reaches may have been read past it, so its change is told unseen. */
  function take(key: CandleKey, candles: readonly Candle[]): void {
    const ascending = ascendingOnce(candles)
    const [first, last] = [ascending[0], ascending.at(-1)]
    if (first === undefined || last === undefined) return
    const hot = hots.get(nameOfKey(key))?.hot
    const isAllInMemory = hot !== undefined && first.timeMs >= hot.fromMs
    const changed = hot === undefined ? undefined : put(key, hot, ascending)
    tell(key, isAllInMemory ? changed : { fromMs: first.timeMs, toMs: last.timeMs })
  }

  return {
    append: async (key, candles, covered = spanOf(key.step, candles)) => {
      await inTurn(nameOfKey(key), async () => {
        await store.append(key, candles, covered)
        take(key, candles)
      })
      if (covered !== null) await coverages.add(key, covered)
    },
    coverage: (of) => coverages.read(of),
    range: (key, span) => inTurn(nameOfKey(key), () => range(key, span)),
    freshen: (key) =>
      inTurn(nameOfKey(key), async () => {
        const hot = touch(key)
        if (hot !== undefined) await checkIfDue(key, hot)
      }),
    recheck: (key) =>
      inTurn(nameOfKey(key), async () => {
        const hot = touch(key)
        if (hot !== undefined) await check(key, hot, true)
        await coverages.read(key, true)
      }),
    bounds: (key) => store.bounds(key),
    onChange: listeners.add,
  }
}
