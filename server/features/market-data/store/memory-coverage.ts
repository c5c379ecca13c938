// Caches the coverage of the store: reread when it may be outdated, updated by appends.
import { addSpan, subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import { historySteps } from '../feed.ts'
import type { CandleKey, CandleStore } from './candle-store.ts'
import type { Coverage } from '../history-steps.ts'
import { inOrder } from './serial-queue.ts'

type SeriesOfSource = Pick<CandleKey, 'series' | 'source'>

export interface MemoryCoverageDeps {
  readonly store: Pick<CandleStore, 'coverage'>
  /** Monotonic milliseconds. */
  readonly monotonic: () => number
  /** Cache lifetime, because other processes append as well. */
  readonly freshForMs: number
  /** Newly covered timestamps. */
  readonly onChange: (key: CandleKey, span: TimeSpan) => void
}

export interface MemoryCoverage {
  read(of: SeriesOfSource, isForced?: boolean): Promise<Coverage>
  /** Adds spans that were just stored. */
  add(key: CandleKey, spans: readonly TimeSpan[]): Promise<void>
}

/** Maximum cached series; the least recently read ones are evicted. */
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
      // Its changes are no longer watched.
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
    add(key, spans) {
      const name = `${key.series} ${key.source}`
      return inTurn(name, () => {
        const known = kept.get(name)
        if (known === undefined) return Promise.resolve()
        const before = known.coverage[key.step] ?? []
        known.coverage = { ...known.coverage, [key.step]: spans.reduce(addSpan, [...before]) }
        notify(key, subtractSpans(spans, before))
        return Promise.resolve()
      })
    },
  }
}
