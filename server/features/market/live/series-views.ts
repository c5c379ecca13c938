// The series that this process looks at: opened on the first wish, kept a while after the last.
import type { LiveCondition } from '#shared/market/live.ts'
import type { FeedClock } from '../feed.ts'
import type { MarketBus } from '../gateway/bus.ts'
import type { CandleHistory } from '../history/candle-history.ts'
import type { MarketSources } from '../history/market-sources.ts'
import type { SeriesView } from './series-view-port.ts'
import { seriesView } from './series-view.ts'

const lingerMs = 30_000
const roundMs = 10_000
/** How long a call waits for the first word about a series that nobody watched so far. */
const patienceMs = 4_000

export interface SeriesViews extends MarketSources {
  open(series: string): SeriesView
  /** How the series are that are looked at already; opens none. */
  conditions(): ReadonlyMap<string, LiveCondition>
  close(): Promise<void>
}

export interface ViewsNeeds {
  readonly bus: MarketBus
  readonly history: CandleHistory
  readonly clock: FeedClock
  readonly onError: (error: unknown) => void
}

export function seriesViews(needs: ViewsNeeds): SeriesViews {
  const { clock } = needs
  const views = new Map<string, { readonly view: SeriesView; usedMs: number }>()

  function open(series: string): SeriesView {
    const entry = views.get(series) ?? { view: seriesView({ ...needs, series, patienceMs }), usedMs: 0 }
    entry.usedMs = clock.monotonic()
    views.set(series, entry)
    return entry.view
  }

  function closeIdle(): void {
    for (const [series, { view, usedMs }] of views) {
      const idleSinceMs = view.idleSinceMs()
      if (idleSinceMs === undefined || clock.monotonic() - Math.max(idleSinceMs, usedMs) < lingerMs) view.forgetIdle()
      else {
        views.delete(series)
        view.close()
      }
    }
  }

  let stopRounds = clock.after(roundMs, function again() {
    closeIdle()
    stopRounds = clock.after(roundMs, again)
  })

  return {
    open,
    // The condition of a series is the same in every timeframe.
    conditions: () =>
      new Map([...views].map(([series, { view }]) => [series, view.look({ timeframe: '1', adjustment: 'none' }).condition])),
    async sourceOf(series) {
      const { source, condition } = await open(series).known()
      return { source, label: condition.label, sessionClass: condition.sessionClass, isStale: condition.isStale, reason: condition.reason }
    },
    close() {
      stopRounds()
      for (const { view } of views.values()) view.close()
      views.clear()
      return needs.bus.close()
    },
  }
}
