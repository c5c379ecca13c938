// UDF routes, the protocol of chart libraries: root objects, times in seconds, field names as the protocol requires.
import { z } from 'zod'
import { problemSchema } from '#shared/http/api-error.ts'
import { queryNumber } from '#shared/http/query-number.ts'
import { route, type Route } from '#shared/http/route.ts'

const symbol = z.string().min(1).max(60)
const seconds = queryNumber(0, 7_258_118_400)
const word = z.string().max(60).default('')

const named = z.object({ value: z.string(), name: z.string(), desc: z.string() })

const symbolInfo = z.object({
  name: z.string(),
  full_name: z.string(),
  ticker: z.string(),
  description: z.string(),
  type: z.string(),
  exchange: z.string(),
  listed_exchange: z.string(),
  /** Usual hours on the wall clock of `timezone`, for example 0915-1530, or 24x7. */
  session: z.string(),
  /** Days without trading, for example 20261124, separated by commas. */
  session_holidays: z.string(),
  /** Days with special hours, for example 1345-1445:20261108, separated by semicolons. */
  corrections: z.string(),
  timezone: z.string(),
  minmov: z.number(),
  pricescale: z.number(),
  currency_code: z.string().optional(),
  has_intraday: z.boolean(),
  intraday_multipliers: z.array(z.string()),
  has_daily: z.literal(true),
  daily_multipliers: z.array(z.string()),
  has_weekly_and_monthly: z.literal(true),
  weekly_multipliers: z.array(z.string()),
  monthly_multipliers: z.array(z.string()),
  supported_resolutions: z.array(z.string()),
  visible_plots_set: z.enum(['ohlcv', 'ohlc']),
  volume_precision: z.number(),
  data_status: z.enum(['streaming', 'delayed_streaming', 'pulsed', 'endofday']),
  /** Minimum delay of the prices in seconds. */
  delay: z.number(),
})

export type UdfSymbol = z.output<typeof symbolInfo>

const found = z.object({
  symbol: z.string(),
  full_name: z.string(),
  description: z.string(),
  exchange: z.string(),
  ticker: z.string(),
  type: z.string(),
})

export type UdfFound = z.output<typeof found>

const numbers = z.array(z.number())

const historyReply = z.discriminatedUnion('s', [
  z.object({ s: z.literal('ok'), t: numbers, o: numbers, h: numbers, l: numbers, c: numbers, v: numbers.optional() }),
  /** `nextTime` is where older bars end; without it there are none. */
  z.object({ s: z.literal('no_data'), nextTime: z.number().optional() }),
])

const quote = z.object({
  s: z.enum(['ok', 'error']),
  n: z.string(),
  v: z.object({
    short_name: z.string().optional(),
    exchange: z.string().optional(),
    description: z.string().optional(),
    lp: z.number().optional(),
    ch: z.number().optional(),
    chp: z.number().optional(),
    open_price: z.number().optional(),
    high_price: z.number().optional(),
    low_price: z.number().optional(),
    prev_close_price: z.number().optional(),
    volume: z.number().optional(),
  }),
})

export type UdfQuote = z.output<typeof quote>

const marks = z.object({
  id: z.array(z.string()),
  time: numbers,
  color: z.array(z.string()),
  text: z.array(z.string()),
  label: z.array(z.string()),
  labelFontColor: z.array(z.string()),
  minSize: numbers,
})

export type UdfMarks = z.output<typeof marks>

const timescaleMark = z.object({ id: z.string(), time: z.number(), color: z.string(), label: z.string(), tooltip: z.array(z.string()) })

export type UdfTimescaleMark = z.output<typeof timescaleMark>

const marksQuery = z.object({ symbol, from: seconds, to: seconds, resolution: z.string().max(8).default('1D') })

const shared = { method: 'GET', base: '/udf', access: 'signed-in' } as const

/** Body of every error response under `/udf`: chart libraries only read `s` and `errmsg`. */
export const udfProblemSchema = problemSchema.extend({ s: z.literal('error'), errmsg: z.string() })

export const udfRoutes = {
  config: route({
    ...shared,
    path: '/config',
    summary: 'What this server of candles can do.',
    reply: z.object({
      supports_search: z.literal(true),
      supports_group_request: z.literal(false),
      supports_time: z.literal(true),
      supports_marks: z.literal(true),
      supports_timescale_marks: z.literal(true),
      supported_resolutions: z.array(z.string()),
      exchanges: z.array(named),
      symbols_types: z.array(named.omit({ desc: true })),
    }),
    errorStatuses: [401],
  }),
  symbols: route({
    ...shared,
    path: '/symbols',
    summary: 'One symbol, by slug or label, with or without its exchange; all but the free one need premium.',
    query: z.object({ symbol }),
    reply: symbolInfo,
    errorStatuses: [400, 401, 403, 404],
  }),
  search: route({
    ...shared,
    path: '/search',
    summary: 'Symbols whose name or description holds the text; lists what needs premium as well.',
    query: z.object({ query: word, type: word, exchange: word, limit: queryNumber(1, 100).default(30) }),
    reply: z.array(found),
    errorStatuses: [400, 401],
  }),
  history: route({
    ...shared,
    path: '/history',
    summary: 'Bars before `to`: as many as `countback` says, or those from `from` on.',
    query: z.object({
      symbol,
      resolution: z.string().min(1).max(8),
      from: seconds.optional(),
      to: seconds,
      countback: queryNumber(1, 1_000_000).optional(),
    }),
    reply: historyReply,
    errorStatuses: [400, 401, 403, 404, 429],
  }),
  time: route({
    ...shared,
    path: '/time',
    summary: 'The clock of the server, in whole seconds.',
    reply: z.number().int(),
    errorStatuses: [401],
  }),
  quotes: route({
    ...shared,
    path: '/quotes',
    summary: 'Last prices of up to 50 symbols with commas between.',
    query: z.object({ symbols: z.string().min(1).max(2_000) }),
    reply: z.object({ s: z.literal('ok'), d: z.array(quote) }),
    errorStatuses: [400, 401, 403, 429],
  }),
  marks: route({
    ...shared,
    path: '/marks',
    summary: 'Splits, bonuses, demergers and renames, on their bars.',
    query: marksQuery,
    reply: marks,
    errorStatuses: [400, 401, 403, 404],
  }),
  timescaleMarks: route({
    ...shared,
    path: '/timescale_marks',
    summary: 'The same and the holidays of the exchange, on the time scale.',
    query: marksQuery,
    reply: z.array(timescaleMark),
    errorStatuses: [400, 401, 403, 404],
  }),
}

const keyed = { access: 'udf-key', params: z.object({ key: z.string().max(200) }) } as const

/** Adds the statuses of an invalid key and of the key's rate limit. */
function withKey<const R extends Route>(shown: R) {
  const { access: _, path, errorStatuses, ...rest } = shown
  return { ...rest, ...keyed, path: `/k/:key${path}`, errorStatuses: [...new Set([...(errorStatuses ?? []), 401, 429])] }
}

/** The same routes for programs that send neither cookies nor headers: their base URL is `/udf/k/KEY`. */
export const udfKeyedRoutes = {
  config: withKey(udfRoutes.config),
  symbols: withKey(udfRoutes.symbols),
  search: withKey(udfRoutes.search),
  history: withKey(udfRoutes.history),
  time: withKey(udfRoutes.time),
  quotes: withKey(udfRoutes.quotes),
  marks: withKey(udfRoutes.marks),
  timescaleMarks: withKey(udfRoutes.timescaleMarks),
}
