// The market data of one web process, made from the bus: history and the series that are looked at, under the licences.
import { minuteMs } from '#shared/base/durations.ts'
import type { HubPlace } from '#shared/market/admin-contract.ts'
import type { FirstChart } from '#shared/market/engine-choice.ts'
import { bindings } from './bindings.ts'
import type { Feed, FeedClock, SourceName } from './feed.ts'
import type { MarketBus } from './gateway/bus.ts'
import { candleHistory, type CandleHistory } from './history/candle-history.ts'
import { licenceOfSource, type Licences } from './licences.ts'
import { seriesViews, type SeriesViews } from './live/series-views.ts'
import type { MemoryCandles } from './store/memory-candles.ts'

/** What the app is given: chosen adapters, and nothing that is started yet. */
export interface MarketWiring {
  readonly bus: MarketBus
  /** The store with its memory; the same one that the hub of this process writes to. */
  readonly store: MemoryCandles
  readonly demo: Feed
  readonly licences: Licences
  /** Sources that the hub can use. */
  readonly sources: ReadonlySet<SourceName>
  readonly clock: FeedClock
  readonly setup: MarketSetup
}

/** What the operator is told about how this process is set up; names of settings, and no value of any. */
export interface MarketSetup {
  readonly hasDemo: boolean
  /** Which chart Automatic tries first, where no admin said otherwise. */
  readonly firstChart: FirstChart
  /** Sources that are switched on and lack something: the names of the absent settings. */
  readonly missing: ReadonlyMap<SourceName, readonly string[]>
  /** Who makes the data at the moment. */
  hubPlace(): HubPlace
}

export interface MarketData {
  readonly history: CandleHistory
  readonly views: SeriesViews
}

export function marketData({ bus, store, demo, licences, clock }: MarketWiring, onError: (error: unknown) => void): MarketData {
  const history = candleHistory({
    store,
    demo,
    policyOf: (series, source) => ({ holdBackMs: holdBackMsOf(licences, series, source) }),
    extend: (series, timeframe, beforeMs) => bus.extend(series, timeframe, beforeMs),
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
  })
  return {
    history,
    views: seriesViews({ bus, history, clock, onError }),
  }
}

/** How old prices of a source must be, in milliseconds; asked again here, whatever the store holds from other times. */
function holdBackMsOf(licences: Licences, series: string, source: SourceName): number {
  const binding = bindings.find((known) => known.series === series && known.source === source)
  return binding === undefined ? 0 : licenceOfSource(licences, binding).delayMinutes * minuteMs
}
