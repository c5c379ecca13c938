// Whose permission there is to show what: decided from the configuration, enforced before a price enters the gateway.
import type { DataLabel } from '#shared/market/candles/candle.ts'
import { rightsHolders, type RightsHolder, type SourceBinding } from './bindings.ts'
import type { Feed, SourceName } from './feed.ts'

export type LicenceMode = 'open' | 'licensed' | 'own-broker' | 'delayed' | 'edu-30d' | 'refused'

export interface Licence {
  readonly mode: LicenceMode
  /** Contract, or email of the one who owns the account; what the operator wrote down. */
  readonly reference: string | null
  readonly delayMinutes: number
}

export type Licences = ReadonlyMap<RightsHolder, Licence>

const educationMinutes = 30 * 24 * 60

const open: Licence = { mode: 'open', reference: null, delayMinutes: 0 }
/** What exchanges of India allow without a contract: teaching with data that is a month old. */
const education: Licence = { mode: 'edu-30d', reference: null, delayMinutes: educationMinutes }
const refused: Licence = { mode: 'refused', reference: null, delayMinutes: 0 }

const defaults: Readonly<Record<RightsHolder, Licence>> = {
  public: open,
  nse: education,
  bse: education,
  cme: education,
  'twelve-data': refused,
  yahoo: refused,
}

/**
 * Reads `nse=licensed:REFERENCE,bse=delayed-15:REFERENCE,twelve-data=own-broker:EMAIL`. Everything live or delayed needs
 * its reference, so that nobody shows an exchange's prices by accident. Returns the licences, or a sentence saying what is wrong.
 */
export function parseLicences(text: string): Licences | string {
  const licences = new Map<RightsHolder, Licence>()
  for (const part of text.split(',').filter((piece) => piece.trim() !== '')) {
    const match = /^\s*([a-z-]+)=(licensed|own-broker|delayed-(\d{1,5})|edu-30d)(?::(.+))?$/.exec(part)
    const holder = rightsHolders.find((known) => known === match?.[1])
    if (match === null || holder === undefined || holder === 'public') return 'must be like nse=licensed:REFERENCE,bse=delayed-15:REFERENCE'
    const reference = match[4]?.trim() ?? ''
    if (match[2] === 'edu-30d') licences.set(holder, education)
    else if (reference === '') return `needs a reference behind ${holder}=${match[2]}:`
    else if (match[2] === 'licensed') licences.set(holder, { mode: 'licensed', reference, delayMinutes: 0 })
    else if (match[2] === 'own-broker') licences.set(holder, { mode: 'own-broker', reference: reference.toLowerCase(), delayMinutes: 0 })
    else licences.set(holder, { mode: 'delayed', reference, delayMinutes: Number(match[3]) })
  }
  return licences
}

/** The licence of a rights holder: what is configured, else what needs no permission. */
export function licenceOf(licences: Licences, holder: RightsHolder): Licence {
  return licences.get(holder) ?? defaults[holder]
}

/** Names of the sources for people. */
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

/** What a chart must say about the prices of a source under a licence. */
export function labelOf(binding: Pick<SourceBinding, 'source' | 'proxy'>, live: Feed['live'], licence: Licence): DataLabel {
  const label = { source: sourceTitles[binding.source], delayMinutes: licence.delayMinutes, proxy: binding.proxy }
  if (binding.source === 'demo') return { ...label, mode: 'demo' }
  if (licence.mode === 'edu-30d') return { ...label, mode: 'education' }
  if (live === 'none') return { ...label, mode: 'end-of-day' }
  return { ...label, mode: licence.mode === 'delayed' ? 'delayed' : 'live' }
}

export const demoLicence: Licence = open
