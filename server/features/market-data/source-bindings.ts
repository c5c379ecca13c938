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

type Symbols = Readonly<Record<string, string | readonly DatedSymbol[]>>

interface BindingOptions {
  readonly holders: readonly RightsHolder[]
  readonly proxy?: string | null
  readonly delayMinutes?: number
}

/** The bindings of a source by series. */
function bind(source: SourceName, { holders, proxy = null, delayMinutes = 0 }: BindingOptions, symbols: Symbols): SourceBinding[] {
  return Object.entries(symbols).map(([series, symbol]) => ({
    series,
    source,
    symbols: typeof symbol === 'string' ? [{ symbol }] : symbol,
    holders,
    proxy,
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

const symbolsOfPairs = (pairs: readonly string[]): Symbols =>
  Object.fromEntries(pairs.map((pair) => [pair, pair.toUpperCase().replace('-', '/')]))

const symbolsOfFiles = (series: readonly string[]): Symbols => Object.fromEntries(series.map((key) => [key, key]))

const tataMotors = (old: string, now: string): readonly DatedSymbol[] => [
  { symbol: old, to: '2025-10-23' },
  { symbol: now, from: '2025-10-24' },
]

/** Their symbols at the National Stock Exchange, which brokers use with a prefix. */
const sharesWith = (prefix: string, suffix = ''): Symbols => ({
  'tata-motors': tataMotors(`${prefix}TATAMOTORS${suffix}`, `${prefix}TMPV${suffix}`),
  reliance: `${prefix}RELIANCE${suffix}`,
  'tata-steel': `${prefix}TATASTEEL${suffix}`,
  havells: `${prefix}HAVELLS${suffix}`,
  'bajaj-finance': `${prefix}BAJFINANCE${suffix}`,
})

const kiteIndices = { nifty: 'NSE:NIFTY 50', banknifty: 'NSE:NIFTY BANK', finnifty: 'NSE:NIFTY FIN SERVICE' }
const openAlgoIndices = { nifty: 'NSE_INDEX:NIFTY', banknifty: 'NSE_INDEX:BANKNIFTY', finnifty: 'NSE_INDEX:FINNIFTY' }
const yahooIndices = { nifty: '^NSEI', banknifty: '^NSEBANK', finnifty: 'NIFTY_FIN_SERVICE.NS' }
const filesOfNse = ['nifty', 'banknifty', 'finnifty', 'tata-motors', 'reliance', 'tata-steel', 'havells', 'bajaj-finance']

/** All bindings except the demo, in order of preference for each series. */
export const sourceBindings: readonly SourceBinding[] = [
  ...bind(
    'binance',
    { holders: ['public'] },
    { 'btc-usdt': 'BTCUSDT', 'eth-usdt': 'ETHUSDT', 'doge-usdt': 'DOGEUSDT', 'cake-usdt': 'CAKEUSDT' },
  ),
  ...bind('coinbase', { holders: ['public'] }, { 'btc-usd': 'BTC-USD' }),
  ...bind('kraken', { holders: ['public'] }, { 'btc-usd': 'BTC/USD' }),
  ...bind('twelve-data', { holders: ['twelve-data'] }, symbolsOfPairs([...forexPairs, 'xau-usd'])),
  ...bind('kraken', { holders: ['public'], proxy: krakenProxy }, symbolsOfPairs(forexPairsOfKraken)),
  ...bind('binance', { holders: ['public'], proxy: goldProxy }, { 'xau-usd': 'PAXGUSDT' }),
  ...bind('kite', { holders: ['nse', 'kite'] }, { ...kiteIndices, ...sharesWith('NSE:') }),
  ...bind('kite', { holders: ['bse', 'kite'] }, { sensex: 'BSE:SENSEX' }),
  ...bind('openalgo', { holders: ['nse', 'openalgo'] }, { ...openAlgoIndices, ...sharesWith('NSE:') }),
  ...bind('openalgo', { holders: ['bse', 'openalgo'] }, { sensex: 'BSE_INDEX:SENSEX' }),
  ...bind('csv', { holders: ['nse'] }, symbolsOfFiles(filesOfNse)),
  ...bind('csv', { holders: ['bse'] }, symbolsOfFiles(['sensex'])),
  ...bind('csv', { holders: ['cme'] }, symbolsOfFiles(['es', 'gold-future'])),
  ...bind('yahoo', { holders: ['yahoo'] }, yahooPairs()),
  ...bind('yahoo', { holders: ['bse', 'yahoo'] }, { sensex: '^BSESN' }),
  ...bind('yahoo', { holders: ['nse', 'yahoo'] }, { ...yahooIndices, ...sharesWith('', '.NS') }),
  ...bind('yahoo', { holders: ['cme', 'yahoo'], delayMinutes: yahooFutureDelayMinutes }, { es: 'ES=F', 'gold-future': 'GC=F' }),
]

/** Yahoo leaves out the dollar in front. */
function yahooPairs(): Symbols {
  return Object.fromEntries(forexPairs.map((pair) => [pair, `${pair.replace(/^usd-/, '').replace('-', '').toUpperCase()}=X`]))
}
