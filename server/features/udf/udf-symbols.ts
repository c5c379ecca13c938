// Instruments as UDF symbols: names, exchanges, types and search.
import { AppError } from '#shared/http/app-error.ts'
import { instruments, type Instrument } from '#shared/instruments/instruments.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { udfText } from '#shared/text/en/udf.ts'
import type { UdfFound } from '#shared/udf/contract.ts'

export type UdfExchange = keyof typeof udfText.exchanges
export type UdfType = keyof typeof udfText.types

const kinds: Readonly<Record<SessionClass, readonly [UdfExchange, UdfType]>> = {
  'nse-equity': ['NSE', 'stock'],
  'nse-index': ['NSE', 'index'],
  'bse-index': ['BSE', 'index'],
  fx: ['FX', 'forex'],
  metals: ['METAL', 'commodity'],
  crypto: ['CRYPTO', 'crypto'],
  cme: ['CME', 'futures'],
  comex: ['CME', 'futures'],
}

export function exchangeOf(instrument: Instrument): UdfExchange {
  return kinds[instrument.sessionClass][0]
}

export function typeOf(instrument: Instrument): UdfType {
  return kinds[instrument.sessionClass][1]
}

/** For example NSE:NIFTY 50. */
export function fullNameOf(instrument: Instrument): string {
  return `${exchangeOf(instrument)}:${instrument.label}`
}

const byName = new Map<string, Instrument>(
  instruments.flatMap((instrument) =>
    [instrument.slug, instrument.label].flatMap((name) => [
      [name.toLowerCase(), instrument] as const,
      [`${exchangeOf(instrument)}:${name}`.toLowerCase(), instrument] as const,
    ]),
  ),
)

/** The instrument of a slug or label, case-insensitive, with or without our exchange prefix. Throws `not-found` for any other name. */
export function instrumentOf(symbol: string): Instrument {
  const instrument = byName.get(symbol.trim().toLowerCase())
  if (instrument === undefined) throw new AppError('not-found', 'udf.unknownSymbol')
  return instrument
}

interface Search {
  readonly query: string
  readonly type: string
  readonly exchange: string
  readonly limit: number
}

/** Instruments whose names or description contain the text; name prefixes first. */
export function searchInstruments({ query, type, exchange, limit }: Search): UdfFound[] {
  const text = query.trim().toLowerCase()
  const isMeant = (instrument: Instrument): boolean =>
    (type === '' || typeOf(instrument) === type.toLowerCase()) && (exchange === '' || exchangeOf(instrument) === exchange.toUpperCase())
  const rankOf = ({ label, slug, name }: Instrument): number => {
    const at = Math.min(...[label, slug].map((each) => each.toLowerCase().indexOf(text)).map((index) => (index < 0 ? Infinity : index)))
    if (at === 0) return 0
    if (at < Infinity) return 1
    return name.toLowerCase().includes(text) ? 2 : Infinity
  }
  return instruments
    .filter(isMeant)
    .map((instrument) => ({ instrument, rank: rankOf(instrument) }))
    .filter(({ rank }) => rank < Infinity)
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, limit)
    .map(({ instrument }) => ({
      symbol: instrument.label,
      full_name: fullNameOf(instrument),
      description: instrument.name,
      exchange: exchangeOf(instrument),
      ticker: instrument.slug,
      type: typeOf(instrument),
    }))
}
