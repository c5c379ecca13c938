// Market data licences: parsed from the configuration, enforced before a price enters the gateway.
import type { DataLabel } from '#shared/candles/candle.ts'
import { sourceBindings, rightsHolders, type RightsHolder, type SourceBinding } from './source-bindings.ts'
import type { Feed, SourceName } from './feed.ts'

export type LicenceMode = 'open' | 'licensed' | 'delayed' | 'edu-30d' | 'refused'

export interface Licence {
  readonly mode: LicenceMode
  /** The contract reference entered by the operator. */
  readonly reference: string | null
  readonly delayMinutes: number
}

const ownBrokerRemoved = 'own-broker was removed: each user connects their own broker on the account page (needs SECRET_KEY)'

export type Licences = ReadonlyMap<RightsHolder, Licence>

const educationMinutes = 30 * 24 * 60

/** SEBI's circular of 8 May 2026: 30 days, for solely educational use, under an agreement. */
const educationRule = ' that of your agreement, without which SEBI allows no display since 8 May 2026, however old the data is'

const open: Licence = { mode: 'open', reference: null, delayMinutes: 0 }
const refused: Licence = { mode: 'refused', reference: null, delayMinutes: 0 }

const defaults: Readonly<Record<RightsHolder, Licence>> = {
  public: open,
  nse: refused,
  bse: refused,
  cme: refused,
  'twelve-data': refused,
  yahoo: refused,
  kite: refused,
  openalgo: refused,
}

/**
 * Parses `nse=licensed:REFERENCE,bse=delayed-15:REFERENCE,kite=licensed:REFERENCE`. A contract reference is mandatory,
 * so that nothing is redistributed by accident. Returns the licences, or a sentence about the error.
 */
export function parseLicences(text: string): Licences | string {
  const licences = new Map<RightsHolder, Licence>()
  for (const part of text.split(',').filter((piece) => piece.trim() !== '')) {
    if (/=\s*own-broker\b/.test(part)) return ownBrokerRemoved
    const match = /^\s*([a-z-]+)=(licensed|delayed-(\d{1,5})|edu-30d)(?::(.+))?$/.exec(part)
    const holder = rightsHolders.find((known) => known === match?.[1])
    if (match === null || holder === undefined || holder === 'public') return 'must be like nse=licensed:REFERENCE,bse=delayed-15:REFERENCE'
    const reference = match[4]?.trim() ?? ''
    if (reference === '') return `needs a reference behind ${holder}=${match[2]}:${match[2] === 'edu-30d' ? educationRule : ''}`
    if (match[2] === 'edu-30d') licences.set(holder, { mode: 'edu-30d', reference, delayMinutes: educationMinutes })
    else if (match[2] === 'licensed') licences.set(holder, { mode: 'licensed', reference, delayMinutes: 0 })
    else licences.set(holder, { mode: 'delayed', reference, delayMinutes: Number(match[3]) })
  }
  return licences
}

/** The licence of a rights holder: the configured one, else the default, which only allows public data. */
export function licenceOf(licences: Licences, holder: RightsHolder): Licence {
  return licences.get(holder) ?? defaults[holder]
}

/** The later one wins if a source needs several licences. */
const byStrictness: readonly LicenceMode[] = ['open', 'licensed', 'delayed', 'edu-30d', 'refused']

/** Holders whose licence is missing for a source; empty if it may be shown. */
export function missingHolders(licences: Licences, { holders }: Pick<SourceBinding, 'holders'>): readonly RightsHolder[] {
  return holders.filter((holder) => licenceOf(licences, holder).mode === 'refused')
}

/** The effective licence of a source: the strictest one, with the longest delay. */
export function licenceOfSource(licences: Licences, binding: Pick<SourceBinding, 'holders'>): Licence {
  const given = binding.holders.map((holder) => licenceOf(licences, holder))
  const [strictest = refused] = given.toSorted((one, other) => byStrictness.indexOf(other.mode) - byStrictness.indexOf(one.mode))
  if (strictest.mode === 'refused') return refused
  return { ...strictest, delayMinutes: Math.max(...given.map(({ delayMinutes }) => delayMinutes)) }
}

/** Unlicensed holders by enabled source, for a warning at startup. */
export function unlicensedSources(licences: Licences, sources: ReadonlySet<SourceName>): ReadonlyMap<SourceName, readonly RightsHolder[]> {
  const unlicensed = new Map<SourceName, readonly RightsHolder[]>()
  for (const binding of sourceBindings) {
    const missing = missingHolders(licences, binding)
    if (missing.length === 0 || !sources.has(binding.source)) continue
    unlicensed.set(binding.source, [...new Set([...(unlicensed.get(binding.source) ?? []), ...missing])])
  }
  return unlicensed
}

/** Display names of the sources. */
export const sourceTitles: Readonly<Record<SourceName, string>> = {
  binance: 'Binance',
  kraken: 'Kraken',
  coinbase: 'Coinbase',
  'twelve-data': 'Twelve Data',
  yahoo: 'Yahoo Finance',
  kite: 'Zerodha Kite',
  openalgo: 'OpenAlgo',
  csv: 'imported file',
  demo: 'Tezi demo',
}

/** The mandatory label of a source's prices under a licence. */
export function labelOf(
  binding: Pick<SourceBinding, 'source' | 'proxy' | 'delayMinutes'>,
  live: Feed['live'],
  licence: Pick<Licence, 'mode' | 'delayMinutes'>,
): DataLabel {
  const delayMinutes = Math.max(licence.delayMinutes, binding.delayMinutes)
  const label = { source: sourceTitles[binding.source], delayMinutes, proxy: binding.proxy }
  if (binding.source === 'demo') return { ...label, mode: 'demo' }
  if (licence.mode === 'edu-30d') return { ...label, mode: 'education' }
  if (live === 'none') return { ...label, mode: 'end-of-day' }
  return { ...label, mode: delayMinutes > 0 ? 'delayed' : 'live' }
}

export const demoLicence: Licence = open
