// The market data of one web process, made from the bus: history and the series that are looked at, under the licences.
import { minuteMs } from '#shared/base/durations.ts'
import type { HubPlace } from '#shared/market/admin-contract.ts'
import type { User } from '#shared/users/user.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import { bindings } from './bindings.ts'
import type { Feed, FeedClock, SourceName } from './feed.ts'
import type { MarketBus } from './gateway/bus.ts'
import { candleHistory, type CandleHistory } from './history/candle-history.ts'
import { licenceOf, type Licences } from './licences.ts'
import { seriesViews, type SeriesViews } from './live/series-views.ts'
import type { MemoryCandles } from './store/memory-candles.ts'
import { ownSeriesOf } from './gateway/series-plan.ts'

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
  /** Sources that are switched on and lack something: the names of the absent settings. */
  readonly missing: ReadonlyMap<SourceName, readonly string[]>
  /** Who makes the data at the moment. */
  hubPlace(): HubPlace
}

export interface MarketData {
  readonly history: CandleHistory
  readonly views: SeriesViews
  /** Key of the prices that a user gets for an instrument: his own broker's where he has one here. */
  seriesFor(user: Pick<User, 'email'>, instrument: Instrument): string
}

export function marketData({ bus, store, demo, licences, sources, clock }: MarketWiring, onError: (error: unknown) => void): MarketData {
  const history = candleHistory({
    store,
    demo,
    policyOf: (series, source) => ({ holdBackMs: holdBackMsOf(licences, series, source) }),
    extend: (series, step, beforeMs) => bus.extend(series, step, beforeMs),
    now: () => clock.now(),
  })
  return {
    history,
    views: seriesViews({ bus, history, clock, onError }),
    seriesFor: ({ email }, { series }) => (isOwnBroker({ licences, sources }, series, email) ? ownSeriesOf(series) : series),
  }
}

/** How old prices of a source must be, in milliseconds; asked again here, whatever the store holds from other times. */
function holdBackMsOf(licences: Licences, key: string, source: SourceName): number {
  const series = key.replace(/~own$/, '')
  const binding = bindings.find((known) => known.series === series && known.source === source)
  return binding === undefined ? 0 : licenceOf(licences, binding.holder).delayMinutes * minuteMs
}

function isOwnBroker({ licences, sources }: Pick<MarketWiring, 'licences' | 'sources'>, series: string, email: string): boolean {
  return bindings.some((binding) => {
    const licence = licenceOf(licences, binding.holder)
    return (
      binding.series === series && sources.has(binding.source) && licence.mode === 'own-broker' && licence.reference === email.toLowerCase()
    )
  })
}
