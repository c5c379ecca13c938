// All instruments with charts: address, menu position and symbol.
import { factsOf, type InstrumentFacts } from './instrument-facts.ts'
import { instrumentNotes } from '#shared/instruments/text/en.ts'
import type { WidgetSupport } from '#shared/chart/widget-support.ts'

export const groups = ['FOREX', 'CRYPTO', 'FUTURE', 'STOCKS'] as const

export type Group = (typeof groups)[number]

export interface Instrument extends InstrumentFacts {
  /** Last part of its address, and its id in the API. */
  readonly slug: string
  readonly label: string
  /** Null for a chart with an address but without a menu entry. */
  readonly group: Group | null
  readonly name: string
  /** Symbol at the charting provider, for example FX:EURUSD. */
  readonly symbol: string
  readonly widget: WidgetSupport
  /** For users without premium as well. */
  readonly isFree: boolean
  /** A note that the chart must show. */
  readonly note: string | null
}

type Listing = readonly [slug: string, label: string, symbol: string, name: string]

/** The default chart, at `/`. Every name of its prices is free. */
export const freeSlug = 'nifty'

const forex: readonly Listing[] = [
  ['eur-usd', 'EUR/USD', 'FX:EURUSD', 'Euro / US Dollar'],
  ['gbp-usd', 'GBP/USD', 'FX:GBPUSD', 'British Pound / US Dollar'],
  ['eur-gbp', 'EUR/GBP', 'FX:EURGBP', 'Euro / British Pound'],
  ['usd-cad', 'USD/CAD', 'FX:USDCAD', 'US Dollar / Canadian Dollar'],
  ['usd-jpy', 'USD/JPY', 'FX:USDJPY', 'US Dollar / Japanese Yen'],
  ['cad-jpy', 'CAD/JPY', 'FX:CADJPY', 'Canadian Dollar / Japanese Yen'],
  ['aud-usd', 'AUD/USD', 'FX:AUDUSD', 'Australian Dollar / US Dollar'],
  ['gbp-jpy', 'GBP/JPY', 'FX:GBPJPY', 'British Pound / Japanese Yen'],
  ['eur-jpy', 'EUR/JPY', 'FX:EURJPY', 'Euro / Japanese Yen'],
]

const crypto: readonly Listing[] = [
  ['btc-usd', 'BTC/USD', 'COINBASE:BTCUSD', 'Bitcoin / US Dollar'],
  ['btc-usdt', 'BTC/USDT', 'BINANCE:BTCUSDT', 'Bitcoin / Tether'],
  ['xau-usd', 'XAU/USD', 'OANDA:XAUUSD', 'Gold Spot / US Dollar'],
  ['bitcoin', 'BITCOIN', 'COINBASE:BTCUSD', 'Bitcoin / US Dollar'],
  ['cake-usdt', 'CAKE/USDT', 'BINANCE:CAKEUSDT', 'PancakeSwap / Tether'],
  ['eth-usdt', 'ETH/USDT', 'BINANCE:ETHUSDT', 'Ethereum / Tether'],
  ['doge-usdt', 'DOGE/USDT', 'BINANCE:DOGEUSDT', 'Dogecoin / Tether'],
]

const future: readonly Listing[] = [['sensex', 'SENSEX', 'BSE:SENSEX', 'S&P BSE SENSEX Index']]

const stocks: readonly Listing[] = [
  ['tata-motors', 'TATA MOTORS', 'BSE:TMPV', 'Tata Motors Passenger Vehicles Ltd'],
  ['reliance', 'RELIANCE', 'BSE:RELIANCE', 'Reliance Industries Ltd'],
  ['tata-steel', 'TATA STEEL', 'BSE:TATASTEEL', 'Tata Steel Ltd'],
  ['havells', 'HAVELLS', 'BSE:HAVELLS', 'Havells India Ltd'],
  ['bajaj-finance', 'BAJAJ FINANCE', 'BSE:BAJFINANCE', 'Bajaj Finance Ltd'],
]

const unlisted: readonly Listing[] = [
  [freeSlug, 'NIFTY', 'NSE:NIFTY', 'Nifty 50 Index'],
  ['es', 'ES1!', 'CME_MINI:ES1!', 'E-mini S&P 500 Futures'],
  ['nifty50', 'NIFTY 50', 'NSE:NIFTY', 'Nifty 50 Index'],
  ['gold-future', 'GC1!', 'COMEX:GC1!', 'Gold Futures'],
  ['banknifty', 'BANKNIFTY', 'NSE:BANKNIFTY', 'Nifty Bank Index'],
  ['finnifty', 'FINNIFTY', 'NSE:CNXFINANCE', 'Nifty Financial Services Index'],
]

function list(group: Group | null, widget: WidgetSupport, listings: readonly Listing[]): Instrument[] {
  return listings.map(([slug, label, symbol, name]) => ({
    ...factsOf(slug),
    slug,
    label,
    group,
    name,
    symbol,
    widget,
    isFree: factsOf(slug).series === factsOf(freeSlug).series,
    note: slug === 'tata-motors' ? instrumentNotes.demerger : null,
  }))
}

/** All instruments; within a group in menu order. */
export const instruments: readonly Instrument[] = [
  ...list('FOREX', 'live', forex),
  ...list('CRYPTO', 'live', crypto),
  ...list('FUTURE', 'end-of-day', future),
  ...list('STOCKS', 'end-of-day', stocks),
  ...list(null, 'none', unlisted),
]

/** The instrument with this slug, or undefined. */
export function findInstrument(slug: string): Instrument | undefined {
  return instruments.find((instrument) => instrument.slug === slug)
}

/** The instruments of a group in menu order, without hidden ones. */
export function menuOf(group: Group, hidden: ReadonlySet<string> = new Set()): readonly Instrument[] {
  return instruments.filter((instrument) => instrument.group === group && !hidden.has(instrument.slug))
}

/** Path of an instrument's chart, for example `/eur-usd`; the default one is `/`. */
export function chartPathOf(instrument: Instrument): string {
  return instrument.slug === freeSlug ? '/' : `/${instrument.slug}`
}

/** The instrument at a path, or undefined if it is not a chart. */
export function findInstrumentAt(path: string): Instrument | undefined {
  return instruments.find((instrument) => chartPathOf(instrument) === path)
}

/** Paths of all charts, including `/`. */
export const chartPaths: readonly string[] = instruments.map(chartPathOf)
