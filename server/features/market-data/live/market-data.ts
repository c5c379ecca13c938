// The market data of one web process, built on the bus: history and series views, under the licences.
import { minuteMs } from '#shared/base/durations.ts'
import type { HubPlace } from '#shared/market-admin/contract.ts'
import type { FirstChart } from '#shared/chart/chart-choice.ts'
import { sourceBindings } from '../source-bindings.ts'
import type { Feed, FeedClock, SourceName } from '../feed.ts'
import type { MarketBus } from '../gateway/market-bus.ts'
import { CandleHistory } from '../history/candle-history.ts'
import { licenceOfSource, type Licences } from '../licences.ts'
import type { SourceProbes } from '../source-probes.ts'
import { SeriesViews } from './series-view.ts'
import type { MemoryCandles } from '../store/candle-cache.ts'

/** Dependencies of the app: chosen adapters, not started yet. */
export interface MarketWiring {
  readonly bus: MarketBus
  /** The store with its cache; the instance that this process's hub writes to. */
  readonly store: MemoryCandles
  readonly demo: Feed
  readonly licences: Licences
  /** Sources that the hub can use. */
  readonly sources: ReadonlySet<SourceName>
  readonly clock: FeedClock
  readonly setup: MarketSetup
  readonly probes: Pick<SourceProbes, 'sources' | 'reach'>
}

/** What operators see of this process's setup; names of settings, never values. */
export interface MarketSetup {
  readonly hasDemo: boolean
  /** The first chart of Automatic, unless an admin changed it. */
  readonly firstChart: FirstChart
  /** Enabled sources with missing settings: the names of these settings. */
  readonly missing: ReadonlyMap<SourceName, readonly string[]>
  /** Which process is the active hub. */
  hubPlace(): HubPlace
}

export function marketData({ bus, store, demo, licences, clock }: MarketWiring, onError: (error: unknown) => void) {
  const history = new CandleHistory({
    store,
    demo,
    delayMsOf: (series, source) => delayMsOf(licences, series, source),
    extend: (series, timeframe, beforeMs) => bus.extend(series, timeframe, beforeMs),
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
  })
  return {
    history,
    views: new SeriesViews({ bus, history, clock, onError }),
  }
}

/** Licence delay of a source; enforced again here, whatever the store contains. */
function delayMsOf(licences: Licences, series: string, source: SourceName): number {
  const binding = sourceBindings.find((known) => known.series === series && known.source === source)
  return binding === undefined ? 0 : licenceOfSource(licences, binding).delayMinutes * minuteMs
}
