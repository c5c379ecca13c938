// One series for the operator: its hours, its sources with what stands in their way, and how it is now.
import type { MarketSeries, MarketSource, SourceObstacle } from '#shared/market/admin-contract.ts'
import type { LiveCondition } from '#shared/market/live.ts'
import { instruments } from '#shared/market/instruments.ts'
import { marketStateAt } from '#shared/market/sessions/market-hours.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import { bindings, type RightsHolder, type SourceBinding } from '../bindings.ts'
import type { SourceName } from '../feed.ts'
import { symbolOn } from '../gateway/series-plan.ts'
import { demoLicence, licenceOf, licenceOfSource, sourceTitles, type Licence, type Licences } from '../licences.ts'
import type { MarketSetup } from '../market-data.ts'

export interface SeriesFacts {
  readonly licences: Licences
  /** Sources that can be used. */
  readonly sources: ReadonlySet<SourceName>
  readonly setup: Pick<MarketSetup, 'hasDemo' | 'missing'>
  /** By key of the prices; only what is looked at. */
  readonly conditions: ReadonlyMap<string, LiveCondition>
  /** Epoch milliseconds. */
  readonly nowMs: number
}

/** The report about a series key. Throws for a key without an instrument, which is a mistake in the registry. */
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
    sources: [...bindings.filter((binding) => binding.series === series).map((binding) => sourceOf(facts, binding)), demoOf(facts, series)],
    condition: facts.conditions.get(series) ?? null,
  }
}

function hoursAt(sessionClass: SessionClass, nowMs: number): MarketSeries['hours'] {
  const state = marketStateAt(sessionClass, nowMs)
  if (state.kind === 'open') return { isOpen: true, opensAtMs: null, reason: null }
  return { isOpen: false, opensAtMs: state.opensAtMs, reason: state.reason }
}

function sourceOf({ licences, sources, setup, nowMs }: SeriesFacts, binding: SourceBinding): MarketSource {
  const { source, holders, proxy } = binding
  // The same day as the plan of the hub.
  const symbol = symbolOn(binding.symbols, new Date(nowMs).toISOString().slice(0, 10)) ?? null
  const missing = setup.missing.get(source) ?? []
  const obstacles: SourceObstacle[] = []
  if (missing.length > 0) obstacles.push('missing-setting')
  else if (!sources.has(source)) obstacles.push('not-switched-on')
  if (licenceOfSource(licences, binding).mode === 'refused') obstacles.push('needs-licence')
  if (symbol === null) obstacles.push('no-symbol')
  return {
    source,
    title: sourceTitles[source],
    symbol,
    proxy,
    licences: holders.map((holder) => shownLicence(holder, licenceOf(licences, holder))),
    obstacles,
    missing: [...missing],
  }
}

/** Generated prices, which stand in where nothing else answers. */
function demoOf({ setup }: SeriesFacts, series: string): MarketSource {
  return {
    source: 'demo',
    title: sourceTitles.demo,
    symbol: series,
    proxy: null,
    licences: [shownLicence('public', demoLicence)],
    obstacles: setup.hasDemo ? [] : ['not-switched-on'],
    missing: [],
  }
}

/** Field by field, so that nothing that a licence may hold one day reaches the wire unseen. */
function shownLicence(holder: RightsHolder, { mode, reference, delayMinutes }: Licence): MarketSource['licences'][number] {
  return { holder, mode, reference, delayMinutes }
}
