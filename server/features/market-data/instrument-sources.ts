// Which source provides which series under which symbol, since when, and which licences are required to show it.
import type { SourceName } from './feed.ts'

/** Owners of data, and providers whose terms limit its display; `public` data may be shown to every user. */
export const rightsHolders = ['public', 'nse', 'bse', 'cme', 'twelve-data', 'yahoo', 'kite', 'openalgo'] as const

export type RightsHolder = (typeof rightsHolders)[number]

export interface DatedSymbol {
  readonly symbol: string
  /** First and last day of validity, such as 2025-10-24; unbounded where undefined. */
  readonly from?: string
  readonly to?: string
}

/** One way to get one series; the bindings of a series are listed in the order in which they are tried. */
export interface SourceBinding {
  readonly series: string
  readonly source: SourceName
  readonly symbols: readonly DatedSymbol[]
  /** All of these licences are required: the exchange's for its data, the provider's for its service. */
  readonly holders: readonly RightsHolder[]
  /** The instrument that is actually shown, if it differs. */
  readonly proxy: string | null
  /** Delay of the source itself; 0 for live prices. */
  readonly delayMinutes: number
}

type Row = readonly [series: string, symbol: string | readonly DatedSymbol[], proxy?: string]

function bind(source: SourceName, holders: readonly RightsHolder[], rows: readonly Row[], delayMinutes = 0): SourceBinding[] {
  return rows.map(([series, symbol, proxy]) => ({
    series,
    source,
    symbols: typeof symbol === 'string' ? [{ symbol }] : symbol,
    holders,
    proxy: proxy ?? null,
    delayMinutes,
  }))
}

const goldProxy = 'PAX Gold token (PAXG)'
const krakenProxy = 'Kraken spot market, not bank rates'

/** As documented by Yahoo for CME and COMEX. */
const yahooFutureDelayMinutes = 10

const forexPairs = ['eur-usd', 'gbp-usd', 'eur-gbp', 'usd-cad', 'usd-jpy', 'cad-jpy', 'aud-usd', 'gbp-jpy', 'eur-jpy']

/** Kraken does not list these two. */
const forexPairsOfKraken = forexPairs.filter((pair) => pair !== 'cad-jpy' && pair !== 'gbp-jpy')

const pairSymbol = (pair: string): string => pair.toUpperCase().replace('-', '/')

const tataMotors = (old: string, now: string): readonly DatedSymbol[] => [
  { symbol: old, to: '2025-10-23' },
  { symbol: now, from: '2025-10-24' },
]

/** All bindings except the demo, in order of preference for each series. */
export const bindings: readonly SourceBinding[] = [
  ...bind(
    'binance',
    ['public'],
    [
      ['btc-usdt', 'BTCUSDT'],
      ['eth-usdt', 'ETHUSDT'],
      ['doge-usdt', 'DOGEUSDT'],
      ['cake-usdt', 'CAKEUSDT'],
    ],
  ),
  ...bind('coinbase', ['public'], [['btc-usd', 'BTC-USD']]),
  ...bind('kraken', ['public'], [['btc-usd', 'BTC/USD']]),
  ...bind(
    'twelve-data',
    ['twelve-data'],
    [...forexPairs, 'xau-usd'].map((pair): Row => [pair, pairSymbol(pair)]),
  ),
  ...bind(
    'kraken',
    ['public'],
    forexPairsOfKraken.map((pair): Row => [pair, pairSymbol(pair), krakenProxy]),
  ),
  ...bind('binance', ['public'], [['xau-usd', 'PAXGUSDT', goldProxy]]),
  ...bind(
    'kite',
    ['nse', 'kite'],
    [
      ['nifty', 'NSE:NIFTY 50'],
      ['banknifty', 'NSE:NIFTY BANK'],
      ['finnifty', 'NSE:NIFTY FIN SERVICE'],
      ['tata-motors', tataMotors('NSE:TATAMOTORS', 'NSE:TMPV')],
      ['reliance', 'NSE:RELIANCE'],
      ['tata-steel', 'NSE:TATASTEEL'],
      ['havells', 'NSE:HAVELLS'],
      ['bajaj-finance', 'NSE:BAJFINANCE'],
    ],
  ),
  ...bind('kite', ['bse', 'kite'], [['sensex', 'BSE:SENSEX']]),
  ...bind(
    'openalgo',
    ['nse', 'openalgo'],
    [
      ['nifty', 'NSE_INDEX:NIFTY'],
      ['banknifty', 'NSE_INDEX:BANKNIFTY'],
      ['finnifty', 'NSE_INDEX:FINNIFTY'],
      ['tata-motors', tataMotors('NSE:TATAMOTORS', 'NSE:TMPV')],
      ['reliance', 'NSE:RELIANCE'],
      ['tata-steel', 'NSE:TATASTEEL'],
      ['havells', 'NSE:HAVELLS'],
      ['bajaj-finance', 'NSE:BAJFINANCE'],
    ],
  ),
  ...bind('openalgo', ['bse', 'openalgo'], [['sensex', 'BSE_INDEX:SENSEX']]),
  ...bind(
    'csv',
    ['nse'],
    ['nifty', 'banknifty', 'finnifty', 'tata-motors', 'reliance', 'tata-steel', 'havells', 'bajaj-finance'].map((slug): Row => [
      slug,
      slug,
    ]),
  ),
  ...bind('csv', ['bse'], [['sensex', 'sensex']]),
  ...bind(
    'csv',
    ['cme'],
    [
      ['es', 'es'],
      ['gold-future', 'gold-future'],
    ],
  ),
  ...bind(
    'yahoo',
    ['yahoo'],
    [
      ['eur-usd', 'EURUSD=X'],
      ['gbp-usd', 'GBPUSD=X'],
      ['eur-gbp', 'EURGBP=X'],
      ['usd-cad', 'CAD=X'],
      ['usd-jpy', 'JPY=X'],
      ['cad-jpy', 'CADJPY=X'],
      ['aud-usd', 'AUDUSD=X'],
      ['gbp-jpy', 'GBPJPY=X'],
      ['eur-jpy', 'EURJPY=X'],
    ],
  ),
  ...bind('yahoo', ['bse', 'yahoo'], [['sensex', '^BSESN']]),
  ...bind(
    'yahoo',
    ['nse', 'yahoo'],
    [
      ['nifty', '^NSEI'],
      ['banknifty', '^NSEBANK'],
      ['finnifty', 'NIFTY_FIN_SERVICE.NS'],
      ['tata-motors', tataMotors('TATAMOTORS.NS', 'TMPV.NS')],
      ['reliance', 'RELIANCE.NS'],
      ['tata-steel', 'TATASTEEL.NS'],
      ['havells', 'HAVELLS.NS'],
      ['bajaj-finance', 'BAJFINANCE.NS'],
    ],
  ),
  ...bind(
    'yahoo',
    ['cme', 'yahoo'],
    [
      ['es', 'ES=F'],
      ['gold-future', 'GC=F'],
    ],
    yahooFutureDelayMinutes,
  ),
]
