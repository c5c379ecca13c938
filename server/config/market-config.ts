// The settings of price sources, licences and brokers, and which of them a source lacks.
import { sourceNames, type DemoHours, type SourceName } from '../features/market-data/feed.ts'
import type { EnvironmentValues } from './environment-schema.ts'

export type MarketConfig = Readonly<ReturnType<typeof marketConfigOf>>

/** The market part of the parsed variables. */
export function marketConfigOf(values: EnvironmentValues, demo: NonNullable<EnvironmentValues['MARKET_DEMO']>) {
  const { KITE_APP_KEY: apiKey, KITE_APP_SECRET: apiSecret } = values
  const demoHours: DemoHours = demo === 'session' ? 'session' : 'always'
  return {
    /** Enabled sources; used if their settings are complete. */
    sources: values.MARKET_SOURCES,
    /** Whether generated prices are used if there are no others. */
    hasDemo: demo !== 'off',
    /** When generated prices move. */
    demoHours,
    /** The first chart of Automatic. */
    firstChart: values.CHART_FIRST,
    /** Whether this process may be the market data hub. */
    hasHub: values.MARKET_HUB === 'on',
    /** Prefix of keys and messages on Redis; sites that share a server need different ones. */
    channel: values.MARKET_CHANNEL,
    licences: values.MARKET_LICENCES,
    /** Hosts of a source that override the provider's own. */
    urls: values.MARKET_URLS,
    twelveDataKey: values.TWELVE_DATA_KEY,
    /** Calls included in the Twelve Data plan; the free one if undefined. */
    twelveDataCredits: values.TWELVE_DATA_CREDITS,
    kiteKey: values.KITE_API_KEY,
    kiteToken: values.KITE_ACCESS_TOKEN,
    openAlgoKey: values.OPENALGO_KEY,
    csvDir: values.CSV_DIR,
    /** For users' own brokers. */
    brokers: {
      /** Zerodha's login page; undefined for Zerodha's own. */
      kiteLoginUrl: values.MARKET_URLS.kite?.loginUrl,
      /** One Kite Connect app of the operator for all users; undefined if users bring their own. */
      kiteApp: apiKey === undefined || apiSecret === undefined ? undefined : { apiKey, apiSecret },
      /** Hosts of OpenAlgo that may have private addresses and no TLS, such as `openalgo.lan:5000`. */
      hosts: values.BROKER_HOSTS ?? new Set<string>(),
    },
  }
}

type Keys = Pick<MarketConfig, 'twelveDataKey' | 'kiteKey' | 'kiteToken' | 'openAlgoKey' | 'csvDir'>

const neededBy: Partial<Record<SourceName, Readonly<Record<string, keyof Keys>>>> = {
  'twelve-data': { TWELVE_DATA_KEY: 'twelveDataKey' },
  kite: { KITE_API_KEY: 'kiteKey', KITE_ACCESS_TOKEN: 'kiteToken' },
  openalgo: { OPENALGO_KEY: 'openAlgoKey' },
  csv: { CSV_DIR: 'csvDir' },
}

/** Names of missing variables, such as KITE_API_KEY, by source; complete and disabled sources are omitted. */
export function missingSettings(market: Pick<MarketConfig, 'sources' | keyof Keys>): ReadonlyMap<SourceName, readonly string[]> {
  const missing = new Map<SourceName, readonly string[]>()
  for (const source of sourceNames) {
    if (!market.sources.has(source)) continue
    const needed = Object.entries(neededBy[source] ?? {})
    const absent = needed.filter(([, key]) => market[key] === undefined).map(([name]) => name)
    if (absent.length > 0) missing.set(source, absent)
  }
  return missing
}
