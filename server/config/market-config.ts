// The settings of price sources, licences and brokers, and which of them a source lacks.
import type { FirstChart } from '#shared/chart/chart-choice.ts'
import { sourceNames, type DemoHours, type SourceName } from '../features/market-data/feed.ts'
import type { Licences } from '../features/market-data/licences.ts'
import type { EnvironmentValues } from './environment-schema.ts'

/** Hosts of a source that override the provider's own. */
export interface SourceUrls {
  readonly restUrl?: string | undefined
  readonly socketUrl?: string | undefined
  /** Login page of a user's broker; Kite only. */
  readonly loginUrl?: string | undefined
}

/** Settings for users' own brokers. */
export interface BrokerConfig {
  /** Zerodha's login page and API; undefined for Zerodha's own. */
  readonly kiteLoginUrl: string | undefined
  /** One Kite Connect app of the operator for all users; undefined if users bring their own. */
  readonly kiteApp: { readonly apiKey: string; readonly apiSecret: string } | undefined
  /** Hosts of OpenAlgo that may have private addresses and no TLS, such as `openalgo.lan:5000`. */
  readonly hosts: ReadonlySet<string>
}

export interface MarketConfig {
  /** Enabled sources; used if their settings are complete. */
  readonly sources: ReadonlySet<SourceName>
  /** Whether generated prices are used if there are no others. */
  readonly hasDemo: boolean
  /** The first chart of Automatic. */
  readonly firstChart: FirstChart
  /** When generated prices move. */
  readonly demoHours: DemoHours
  /** Whether this process may be the market data hub. */
  readonly hasHub: boolean
  /** Prefix of keys and messages on Redis; sites that share a server need different ones. */
  readonly channel: string
  readonly licences: Licences
  readonly urls: Readonly<Partial<Record<SourceName, SourceUrls>>>
  readonly twelveDataKey: string | undefined
  /** Calls included in the Twelve Data plan; the free one if undefined. */
  readonly twelveDataCredits: { readonly perMinute: number; readonly perDay?: number } | undefined
  readonly kiteKey: string | undefined
  readonly kiteToken: string | undefined
  readonly openAlgoKey: string | undefined
  readonly csvDir: string | undefined
  readonly brokers: BrokerConfig
}

/** The market part of the parsed variables. */
export function marketConfigOf(values: EnvironmentValues, demo: NonNullable<EnvironmentValues['MARKET_DEMO']>): MarketConfig {
  return {
    sources: values.MARKET_SOURCES,
    hasDemo: demo !== 'off',
    demoHours: demo === 'session' ? 'session' : 'always',
    firstChart: values.CHART_FIRST,
    hasHub: values.MARKET_HUB === 'on',
    channel: values.MARKET_CHANNEL,
    licences: values.MARKET_LICENCES,
    urls: values.MARKET_URLS,
    twelveDataKey: values.TWELVE_DATA_KEY,
    twelveDataCredits: values.TWELVE_DATA_CREDITS,
    kiteKey: values.KITE_API_KEY,
    kiteToken: values.KITE_ACCESS_TOKEN,
    openAlgoKey: values.OPENALGO_KEY,
    csvDir: values.CSV_DIR,
    brokers: {
      kiteLoginUrl: values.MARKET_URLS.kite?.loginUrl,
      kiteApp:
        values.KITE_APP_KEY === undefined || values.KITE_APP_SECRET === undefined
          ? undefined
          : { apiKey: values.KITE_APP_KEY, apiSecret: values.KITE_APP_SECRET },
      hosts: values.BROKER_HOSTS ?? new Set(),
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
