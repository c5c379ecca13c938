// The series views of this process: opened on the first request, kept for a while after the last.
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import type { FeedClock } from '../feed.ts'
import { repeat } from '../real-clock.ts'
import type { MarketBus } from '../gateway/market-bus.ts'
import type { CandleHistory } from '../history/candle-history.ts'
import type { MarketSources } from '../history/candles-service.ts'
import { SeriesView } from './series-view.ts'

const idleTimeoutMs = 30_000
const roundMs = 10_000
/** Timeout of the first state of a series without subscribers. */
const timeoutMs = 4_000

export interface SeriesViews extends MarketSources {
  open(series: string): SeriesView
  /** The conditions of the open series views; opens none. */
  conditions(): ReadonlyMap<string, LiveCondition>
  close(): Promise<void>
}

export interface ViewsOptions {
  readonly bus: MarketBus
  readonly history: Pick<CandleHistory, 'candles' | 'recheck'>
  readonly clock: FeedClock
  readonly onError: (error: unknown) => void
}

export function seriesViews(options: ViewsOptions): SeriesViews {
  const { clock } = options
  const views = new Map<string, { readonly view: SeriesView; usedMs: number }>()

  function open(series: string): SeriesView {
    const entry = views.get(series) ?? { view: new SeriesView({ ...options, series, timeoutMs }), usedMs: 0 }
    entry.usedMs = clock.monotonic()
    views.set(series, entry)
    return entry.view
  }

  function closeIdle(): void {
    for (const [series, { view, usedMs }] of views) {
      const idleSinceMs = view.idleSinceMs()
      if (idleSinceMs === undefined || clock.monotonic() - Math.max(idleSinceMs, usedMs) < idleTimeoutMs) view.forgetIdle()
      else {
        views.delete(series)
        view.close()
      }
    }
  }

  const stopRounds = repeat(clock, roundMs, closeIdle)

  return {
    open,
    // The condition of a series is the same in every timeframe.
    conditions: () =>
      new Map([...views].map(([series, { view }]) => [series, view.topicState({ timeframe: '1', adjustment: 'none' }).condition])),
    async sourceOf(series) {
      const { source, condition } = await open(series).whenKnown()
      return { source, label: condition.label, sessionClass: condition.sessionClass, reason: condition.reason }
    },
    close() {
      stopRounds()
      for (const { view } of views.values()) view.close()
      views.clear()
      return options.bus.close()
    },
  }
}
