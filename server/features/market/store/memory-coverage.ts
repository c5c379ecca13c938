// What the store covers, in memory: read again when it may be old, kept up by what is appended.
import { addSpan, subtractSpans, type TimeSpan } from '#shared/base/time-spans.ts'
import { historySteps } from '../feed.ts'
import type { CandleKey, CandleStore, Coverage } from './candle-store.ts'
import { inOrder } from './in-order.ts'

type SeriesOfSource = Pick<CandleKey, 'series' | 'source'>

export interface MemoryCoverageDeps {
  readonly store: Pick<CandleStore, 'coverage'>
  /** Milliseconds that only grow. */
  readonly monotonic: () => number
  /** How long what was read is believed: other processes append as well. */
  readonly freshForMs: number
  /** Stamps that are covered now and were not. */
  readonly onChange: (key: CandleKey, span: TimeSpan) => void
}

export interface MemoryCoverage {
  read(of: SeriesOfSource, isForced?: boolean): Promise<Coverage>
  /** Puts in a span that was just stored. */
  add(key: CandleKey, span: TimeSpan): Promise<void>
}

/** Series that are kept; those that were read the longest ago go first. */
const keptMax = 500
const everything = { fromMs: -Infinity, toMs: Infinity }

export function memoryCoverage({ store, monotonic, freshForMs, onChange }: MemoryCoverageDeps): MemoryCoverage {
  const kept = new Map<string, { readonly of: SeriesOfSource; coverage: Coverage; checkedMs: number }>()
  const inTurn = inOrder()

  function notify(key: CandleKey, news: readonly TimeSpan[]): void {
    const [first, last] = [news[0], news.at(-1)]
    if (first !== undefined && last !== undefined) onChange(key, { fromMs: first.fromMs, toMs: last.toMs })
  }

  function dropOldest(): void {
    for (const [name, { of }] of kept) {
      if (kept.size <= keptMax) return
      kept.delete(name)
      // Its changes go unnoticed from now on.
      onChange({ series: of.series, source: of.source, step: '1m' }, everything)
    }
  }

  return {
    read({ series, source }, isForced = false) {
      const name = `${series} ${source}`
      return inTurn(name, async () => {
        const known = kept.get(name)
        const startMs = monotonic()
        if (known !== undefined && !isForced && startMs - known.checkedMs <= freshForMs) return known.coverage
        const coverage = await store.coverage({ series, source })
        kept.delete(name)
        kept.set(name, { of: { series, source }, coverage, checkedMs: startMs })
        if (known === undefined) dropOldest()
        else
          for (const step of historySteps) notify({ series, source, step }, subtractSpans(coverage[step] ?? [], known.coverage[step] ?? []))
        return coverage
      })
    },
    add(key, span) {
      const name = `${key.series} ${key.source}`
      return inTurn(name, () => {
        const known = kept.get(name)
        if (known === undefined) return Promise.resolve()
        const before = known.coverage[key.step] ?? []
        known.coverage = { ...known.coverage, [key.step]: addSpan(before, span) }
        notify(key, subtractSpans([span], before))
        return Promise.resolve()
      })
    },
  }
}
