// Configuration of price sources and licences; read by config.ts.
import { z } from 'zod'
import { parseJson } from '#shared/base/parse-json.ts'
import { firstCharts, type FirstChart } from '#shared/chart/chart-choice.ts'
import { sourceNames, type DemoHours, type SourceName } from '../features/market-data/feed.ts'
import { parseLicences, type Licences } from '../features/market-data/licences.ts'

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

const urlsSchema = z.partialRecord(
  z.enum(sourceNames),
  z.strictObject({
    restUrl: z.url({ protocol: /^https?$/ }).optional(),
    socketUrl: z.url({ protocol: /^wss?$/ }).optional(),
    loginUrl: z.url({ protocol: /^https?$/ }).optional(),
  }),
)

/** Defaults: what may be shown to every user, and sources with a configured key. Yahoo is never a default. */
const defaultSources = sourceNames.filter((source) => source !== 'yahoo' && source !== 'demo').join(',')

const onOff = z.enum(['on', 'off'], 'must be on or off')

/** Market settings, for the environment schema. */
export const marketVariables = {
  MARKET_SOURCES: z
    .string()
    .default(defaultSources)
    .transform((text, context) => {
      const names = text === 'none' ? [] : text.split(',').map((name) => name.trim())
      const known = names.filter((name): name is SourceName => name !== 'demo' && sourceNames.some((source) => source === name))
      if (known.length < names.length)
        context.addIssue({ code: 'custom', message: `must be none, or some of ${sourceNames.filter((name) => name !== 'demo').join(',')}` })
      return new Set(known)
    }),
  MARKET_DEMO: z.enum(['on', 'session', 'off'], 'must be on, session or off').optional(),
  CHART_FIRST: z.enum(firstCharts, 'must be tradingview or tezi').default('tradingview'),
  MARKET_HUB: onOff.default('on'),
  MARKET_CHANNEL: z
    .string()
    .regex(/^[\w:-]{1,80}$/, 'must be letters, digits, colons and dashes')
    .default('tezi:market'),
  MARKET_LICENCES: z
    .string()
    .default('')
    .transform((text, context): Licences => {
      const licences = parseLicences(text)
      if (typeof licences !== 'string') return licences
      context.addIssue({ code: 'custom', message: licences })
      return new Map()
    }),
  MARKET_URLS: z
    .string()
    .default('{}')
    .transform((text, context) => {
      const parsed = urlsSchema.safeParse(parseJson(text))
      if (parsed.success) return parsed.data
      context.addIssue({ code: 'custom', message: 'must be JSON like {"binance":{"restUrl":"https://...","socketUrl":"wss://..."}}' })
      return {}
    }),
  TWELVE_DATA_KEY: z.string().optional(),
  TWELVE_DATA_CREDITS: z
    .string()
    .regex(/^[1-9]\d{0,6}(\/[1-9]\d{0,8})?$/, 'must be calls per minute, or per minute and day, such as 377 or 8/800')
    .transform((text) => {
      const [perMinute = 0, perDay] = text.split('/').map(Number)
      return perDay === undefined ? { perMinute } : { perMinute, perDay }
    })
    .optional(),
  KITE_API_KEY: z.string().optional(),
  KITE_ACCESS_TOKEN: z.string().optional(),
  OPENALGO_KEY: z.string().optional(),
  CSV_DIR: z.string().optional(),
  KITE_APP_KEY: z.string().optional(),
  KITE_APP_SECRET: z.string().optional(),
  BROKER_HOSTS: z
    .string()
    .toLowerCase()
    .regex(/^[\w.-]+(:\d{1,5})?(,[\w.-]+(:\d{1,5})?)*$/, 'must be hosts with commas between, such as openalgo.lan:5000')
    .transform((list) => new Set(list.split(',')))
    .optional(),
}

const marketSchema = z.object(marketVariables)

type MarketValues = z.output<typeof marketSchema>

/** The market part of the parsed variables. */
export function marketConfigOf(values: MarketValues & { readonly MARKET_DEMO: NonNullable<MarketValues['MARKET_DEMO']> }): MarketConfig {
  return {
    sources: values.MARKET_SOURCES,
    hasDemo: values.MARKET_DEMO !== 'off',
    demoHours: values.MARKET_DEMO === 'session' ? 'session' : 'always',
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
