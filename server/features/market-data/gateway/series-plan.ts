// Plans the sources of a series in order, each with its restrictions and trading hours; or the reason why there is none.
import { minuteMs } from '#shared/base/durations.ts'
import type { DataLabel } from '#shared/candles/candle.ts'
import { findInstrument } from '#shared/instruments/instruments.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { liveServerText } from '#shared/market-data/text/en.ts'
import { sourceBindings, type DatedSymbol } from '../source-bindings.ts'
import type { DemoHours, Feed, FeedClock, SourceName } from '../feed.ts'
import { demoLicence, labelOf, licenceOfSource, type Licences } from '../licences.ts'
import { feedWithoutVolume } from '../without-volume.ts'
import { delayedFeed } from './delayed-feed.ts'
import type { SeriesCondition } from './market-bus.ts'
import { unadjustedFeed } from './unadjusted-feed.ts'

/** A source of a series, with its restrictions. */
export interface SeriesSource {
  readonly feed: Feed
  readonly symbol: string
  readonly label: DataLabel
  readonly sessionClass: SessionClass
}

export interface SeriesPlan {
  /** The hours of the instrument itself. */
  readonly sessionClass: SessionClass
  /** In order of preference; may be empty. */
  readonly candidates: readonly SeriesSource[]
  /** Why better sources were skipped, user-facing; null if none was. */
  readonly skipped: string | null
}

export interface PlanOptions {
  readonly feeds: ReadonlyMap<SourceName, Feed>
  readonly licences: Licences
  /** Set if generated prices may be used. */
  readonly demo: Feed | undefined
  readonly demoHours?: DemoHours
  readonly clock: FeedClock
}

/** The plan of a series key on a day such as 2026-11-21, or undefined for an unknown key. */
export function planSeries({ feeds, licences, demo, demoHours, clock }: PlanOptions, series: string, day: string): SeriesPlan | undefined {
  const instrument = findInstrument(series)
  if (instrument === undefined) return undefined
  const { sessionClass, hasVolume, priceDecimals } = instrument
  const candidates: SeriesSource[] = []
  let skipped: string | null = null
  for (const binding of sourceBindings) {
    if (binding.series !== series) continue
    const feed = feeds.get(binding.source)
    const symbol = symbolOn(binding.symbols, day)
    if (feed === undefined || symbol === undefined) continue
    const licence = licenceOfSource(licences, binding)
    if (licence.mode === 'refused') skipped = liveServerText.needsLicence
    if (licence.mode === 'refused') continue
    const traded = unadjustedFeed(feed, { series, priceDecimals, clock })
    const allowed = delayedFeed(hasVolume ? traded : feedWithoutVolume(traded), licence.delayMinutes * minuteMs, clock)
    candidates.push({ feed: allowed, symbol, label: labelOf(binding, feed.live, licence), sessionClass })
  }
  if (demo !== undefined) {
    const label = labelOf({ source: 'demo', proxy: null, delayMinutes: 0 }, demo.live, demoLicence)
    // Around the clock by default, so that a first start shows a moving chart at any hour.
    candidates.push({ feed: demo, symbol: series, label, sessionClass: demoHours === 'session' ? sessionClass : 'crypto' })
  }
  return { sessionClass, candidates, skipped: candidates.length === 0 ? (skipped ?? liveServerText.noSource) : skipped }
}

/** The symbol that is valid on a day, or undefined. */
export function symbolOn(symbols: readonly DatedSymbol[], day: string): string | undefined {
  return symbols.find(({ from, to }) => (from === undefined || from <= day) && (to === undefined || day <= to))?.symbol
}

/** The condition of a series at the start of a candidate, or without one. */
export function conditionOf(plan: SeriesPlan, candidate: SeriesSource | undefined, reason: string | null): SeriesCondition {
  const { feed, label = null, sessionClass = plan.sessionClass } = candidate ?? {}
  return { source: feed?.source ?? null, label, sessionClass, isStale: false, reason }
}

/** Pushing sources send data every two seconds, polled ones every minute. With checks twice a second it shows within five. */
const staleAfterMs = { minutes: 4_000, trades: 15_000, poll: 150_000, none: Number.POSITIVE_INFINITY } as const

/** Age of the last tick from which a feed counts as stale. Kraken sends minutes, but only when there are trades. */
export function staleAfterMsOf({ source, live }: Pick<Feed, 'source' | 'live'>): number {
  return source === 'kraken' ? minuteMs : staleAfterMs[live]
}
