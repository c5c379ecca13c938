// One series for the operator: its hours, its sources with their issues, and its state.
import { nativeSources, type NativeSource } from '#shared/chart/chart-choice.ts'
import type { MarketSeries, MarketSource, SourceIssue } from '#shared/market-admin/contract.ts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import { instruments } from '#shared/instruments/instruments.ts'
import { marketStateAt } from '#shared/trading-hours/market-state.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { sourceBindings, type RightsHolder, type SourceBinding } from './source-bindings.ts'
import type { FeedClock, SourceName } from './feed.ts'
import type { SourceProbes, SourceReach } from './source-probes.ts'
import { symbolOn } from './gateway/series-plan.ts'
import { demoLicence, licenceOf, licenceOfSource, sourceTitles, type Licence, type Licences } from './licences.ts'
import type { MarketSetup } from './live/market-data.ts'
import type { SeriesViews } from './live/series-view.ts'

export interface SeriesFacts {
  readonly licences: Licences
  /** Usable sources. */
  readonly sources: ReadonlySet<SourceName>
  readonly setup: Pick<MarketSetup, 'hasDemo' | 'missing'>
  /** What the sources have answered. */
  readonly reach: ReadonlyMap<SourceName, SourceReach>
  /** By series key; only open ones. */
  readonly conditions: ReadonlyMap<string, LiveCondition>
  /** Epoch milliseconds. */
  readonly nowMs: number
}

/** The parts of the market that the facts are read from. */
export interface SeriesMarket extends Pick<SeriesFacts, 'licences' | 'sources' | 'setup'> {
  readonly probes: Pick<SourceProbes, 'reach'>
  readonly clock: Pick<FeedClock, 'now'>
}

/** The facts of this moment. */
export function seriesFactsOf(
  { licences, sources, setup, probes, clock }: SeriesMarket,
  views: Pick<SeriesViews, 'conditions'>,
): SeriesFacts {
  return { licences, sources, setup, reach: probes.reach(), conditions: views.conditions(), nowMs: clock.now() }
}

/** The report of a series key. Throws for a key without an instrument, which is a registry bug. */
export function seriesReport(facts: SeriesFacts, series: string): MarketSeries {
  const named = instruments.filter((instrument) => instrument.series === series)
  const [first] = named
  if (first === undefined) throw new Error(`No instrument has the prices ${series}`)
  const { sessionClass, name } = first
  return {
    series,
    labels: named.map(({ label }) => label),
    name,
    sessionClass,
    hours: hoursAt(sessionClass, facts.nowMs),
    sources: [
      ...sourceBindings.filter((binding) => binding.series === series).map((binding) => sourceOf(facts, binding)),
      demoOf(facts, series),
    ],
    condition: facts.conditions.get(series) ?? null,
  }
}

/**
 * What the Tezi chart can show of a series now, to every user: without own brokers. Uses the hub's current state if known, else the configuration.
 * A source that is briefly down still counts.
 */
export function nativeSourceOf(facts: SeriesFacts, series: string): NativeSource {
  const label = facts.conditions.get(series)?.label ?? null
  if (label !== null) return label.mode === 'demo' || label.mode === 'end-of-day' ? label.mode : 'real'
  const usable = seriesReport(facts, series).sources.filter(({ issues }) => issues.length === 0)
  if (usable.length === 0) return 'none'
  const kinds = new Set(usable.map(({ source }) => kindOf(source)))
  return nativeSources.find((kind) => kinds.has(kind)) ?? 'none'
}

/** Imported files have no updates; every other source streams or polls. */
function kindOf(source: string): NativeSource {
  return source === 'demo' ? 'demo' : source === 'csv' ? 'end-of-day' : 'real'
}

function hoursAt(sessionClass: SessionClass, nowMs: number): MarketSeries['hours'] {
  const state = marketStateAt(sessionClass, nowMs)
  if (state.kind === 'open') return { isOpen: true, opensAtMs: null, reason: null }
  return { isOpen: false, opensAtMs: state.opensAtMs, reason: state.reason }
}

function sourceOf({ licences, sources, setup, reach, nowMs }: SeriesFacts, binding: SourceBinding): MarketSource {
  const { source, holders, proxy } = binding
  // The same day as the plan of the hub.
  const symbol = symbolOn(binding.symbols, new Date(nowMs).toISOString().slice(0, 10)) ?? null
  const missing = setup.missing.get(source) ?? []
  const issues: SourceIssue[] = []
  if (missing.length > 0) issues.push('missing-setting')
  else if (!sources.has(source)) issues.push('not-switched-on')
  if (licenceOfSource(licences, binding).mode === 'refused') issues.push('needs-licence')
  if (symbol === null) issues.push('no-symbol')
  return {
    source,
    title: sourceTitles[source],
    symbol,
    proxy,
    licences: holders.map((holder) => shownLicence(holder, licenceOf(licences, holder))),
    issues,
    missing: [...missing],
    failure: reach.get(source)?.failure ?? null,
    isAnswering: reach.get(source)?.failure === null,
  }
}

/** Generated prices, used if no other source works. */
function demoOf({ setup }: SeriesFacts, series: string): MarketSource {
  return {
    source: 'demo',
    title: sourceTitles.demo,
    symbol: series,
    proxy: null,
    licences: [shownLicence('public', demoLicence)],
    issues: setup.hasDemo ? [] : ['not-switched-on'],
    missing: [],
    failure: null,
    isAnswering: setup.hasDemo,
  }
}

/** Copied by field, so that new licence fields never leak to the client. */
function shownLicence(holder: RightsHolder, { mode, reference, delayMinutes }: Licence): MarketSource['licences'][number] {
  return { holder, mode, reference, delayMinutes }
}
