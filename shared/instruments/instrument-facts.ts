// Price facts of each instrument: series, trading hours, decimals and currency.
import type { SessionClass } from '#shared/trading-hours/session-class.ts'

export interface InstrumentFacts {
  /** Price series key; several instruments may share one. */
  readonly series: string
  readonly sessionClass: SessionClass
  readonly priceDecimals: number
  /** Smallest step of a price. */
  readonly tickSize: number
  /** Quote currency, for example INR; null for an index, which is quoted in points. */
  readonly currency: string | null
  /** Whether volume exists: indices and currencies have none. */
  readonly hasVolume: boolean
}

type Facts = Omit<InstrumentFacts, 'series'>

const pair = (priceDecimals: number, currency: string): Facts => ({
  sessionClass: 'fx',
  priceDecimals,
  tickSize: priceDecimals === 3 ? 0.001 : 0.00001,
  currency,
  hasVolume: false,
})
const coin = (priceDecimals: number, tickSize: number, currency: string): Facts => ({
  sessionClass: 'crypto',
  priceDecimals,
  tickSize,
  currency,
  hasVolume: true,
})
const index = (sessionClass: SessionClass): Facts => ({
  sessionClass,
  priceDecimals: 2,
  tickSize: 0.05,
  currency: null,
  hasVolume: false,
})
const share = (tickSize: number): Facts => ({ sessionClass: 'nse-equity', priceDecimals: 2, tickSize, currency: 'INR', hasVolume: true })
const future = (sessionClass: SessionClass, priceDecimals: number, tickSize: number): Facts => ({
  sessionClass,
  priceDecimals,
  tickSize,
  currency: 'USD',
  hasVolume: true,
})

const factsBySeries: Readonly<Record<string, Facts>> = {
  'eur-usd': pair(5, 'USD'),
  'gbp-usd': pair(5, 'USD'),
  'eur-gbp': pair(5, 'GBP'),
  'usd-cad': pair(5, 'CAD'),
  'usd-jpy': pair(3, 'JPY'),
  'cad-jpy': pair(3, 'JPY'),
  'aud-usd': pair(5, 'USD'),
  'gbp-jpy': pair(3, 'JPY'),
  'eur-jpy': pair(3, 'JPY'),
  'btc-usd': coin(2, 0.01, 'USD'),
  'btc-usdt': coin(2, 0.01, 'USDT'),
  'eth-usdt': coin(2, 0.01, 'USDT'),
  'doge-usdt': coin(5, 0.00001, 'USDT'),
  'cake-usdt': coin(3, 0.001, 'USDT'),
  'xau-usd': { sessionClass: 'metals', priceDecimals: 2, tickSize: 0.01, currency: 'USD', hasVolume: false },
  sensex: index('bse-index'),
  nifty: index('nse-index'),
  banknifty: index('nse-index'),
  finnifty: index('nse-index'),
  'tata-motors': share(0.05),
  reliance: share(0.1),
  'tata-steel': share(0.01),
  havells: share(0.1),
  'bajaj-finance': share(0.05),
  es: future('cme', 2, 0.25),
  'gold-future': future('comex', 1, 0.1),
}

const otherNames: Readonly<Record<string, string>> = { bitcoin: 'btc-usd', nifty50: 'nifty' }

/** Unique keys of all series. */
export const seriesKeys: readonly string[] = Object.keys(factsBySeries)

/** The facts of an instrument's slug. Throws for a slug without facts, which is a bug in the registry. */
export function factsOf(slug: string): InstrumentFacts {
  const series = otherNames[slug] ?? slug
  const facts = Object.hasOwn(factsBySeries, series) ? factsBySeries[series] : undefined
  if (facts === undefined) throw new Error(`No facts about ${slug}`)
  return { series, ...facts }
}
