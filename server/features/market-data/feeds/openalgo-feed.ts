// OpenAlgo: a user-run bridge to a broker. Quotes by its WebSocket, candles by its HTTP API, which forwards the broker's data.
import { z } from 'zod'
import type { OpenAlgoCheck } from '#server/features/brokers/types.ts'
import { dayMs } from '#shared/base/durations.ts'
import { indiaDayStampMs, indiaIsoDate, parseIndiaTime } from '#shared/base/india-time.ts'
import { parseJson } from '#shared/base/parse-json.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { commonStepOf, commonSteps, FeedError, type CommonStep, type Feed, type HistoryRequest } from '../feed.ts'
import { abortable } from './abortable.ts'
import type { FeedOptions } from './feed-options.ts'
import { JsonHttpClient } from './json-http-client.ts'
import { historySpans, loadHistory } from './load-history.ts'
import { ProviderClock } from './provider-clock.ts'
import { numberSchema, optionalNumberSchema, providerNumber, rowsOf } from './provider-number.ts'
import { QuoteTrades } from './quote-trades.ts'
import { ResilientWebSocket } from './websocket/resilient-web-socket.ts'
import type { SocketLink, SocketSession } from './websocket/subscription-session.ts'

/** Default address of an instance on its own host. */
export const openAlgoHosts = { restUrl: 'http://127.0.0.1:5000', socketUrl: 'ws://127.0.0.1:8765' }

export const openAlgoKeyReason = 'OpenAlgo does not take the key; make a new one there and enter it'

export interface OpenAlgoOptions extends FeedOptions {
  readonly apiKey: string
}

const socketLimits = {
  messagesPerSecond: 10,
  symbolsMax: 1000,
  // It pings every 20 s.
  silenceMs: 50_000,
}
/** Its own limit is 50 per second, but the broker may allow 3 or fewer. */
const limits = [{ count: 2, windowMs: 1000 }]
const timeoutMs = 30_000
const checkTimeoutMs = 10_000
/** Its codes are shorter; a user's own server may send anything. */
const codeMax = 60
/** Names of the steps in calls and in the list of intervals. */
const intervalOf: Readonly<Record<CommonStep, string>> = { '1m': '1m', '1h': '1h', '1D': 'D' }
/** Maximum days of one call: brokers differ, and these limits suit all of them. */
const daysMax: Readonly<Record<CommonStep, number>> = { '1m': 25, '1h': 60, '1D': 1000 }
const classByExchange: Readonly<Record<string, SessionClass>> = {
  NSE: 'nse-equity',
  NSE_INDEX: 'nse-index',
  BSE_INDEX: 'bse-index',
}

/** Symbols are written with their exchange, such as NSE_INDEX:NIFTY. */
export interface OpenAlgoSymbol {
  readonly exchange: string
  readonly symbol: string
}

/** Parses `NSE:RELIANCE`; null for an invalid symbol. */
export function readOpenAlgoSymbol(text: string): OpenAlgoSymbol | null {
  const at = text.indexOf(':')
  return at > 0 && at < text.length - 1 ? { exchange: text.slice(0, at), symbol: text.slice(at + 1) } : null
}

export function writeOpenAlgoSymbol({ exchange, symbol }: OpenAlgoSymbol): string {
  return `${exchange}:${symbol}`
}

/** Whether it is an index, which has no volume; brokers send 0 or arbitrary values there. */
export function isOpenAlgoIndex({ exchange }: OpenAlgoSymbol): boolean {
  return exchange.endsWith('_INDEX')
}

/** Trading hours of a symbol, or null if unknown. */
export function openAlgoSessionClass({ exchange }: OpenAlgoSymbol): SessionClass | null {
  return classByExchange[exchange] ?? null
}

const subscriptionSchema = z.object({
  exchange: z.string(),
  symbol: z.string(),
  status: z.string(),
  message: z.string().optional(),
})

const emptySchema = z.object({ ltp: z.literal(0).nullish() })

const marketDataSchema = z.object({
  type: z.literal('market_data'),
  exchange: z.string(),
  symbol: z.string(),
  data: z.object({
    ltp: numberSchema.pipe(z.number().positive()),
    volume: optionalNumberSchema.pipe(z.number().nonnegative().nullable()),
    timestamp: z.unknown().optional(),
  }),
})

/** Brokers send quotes without a price for untraded symbols, which are ignored. Other invalid quotes may hide a trade. */
const unusableSchema = z
  .object({ type: z.literal('market_data'), exchange: z.string(), symbol: z.string(), data: z.unknown().optional() })
  .transform(({ exchange, symbol, data }) => ({
    type: 'unusable' as const,
    exchange,
    symbol,
    isEmpty: emptySchema.safeParse(data).success,
  }))

const messageSchema = z.union([
  marketDataSchema,
  unusableSchema,
  z.object({ type: z.literal('auth'), status: z.string(), code: z.string().optional() }),
  z.object({ type: z.literal('subscribe'), subscriptions: z.array(subscriptionSchema) }),
  z
    .object({ type: z.undefined().optional(), status: z.literal('error'), code: z.string() })
    .transform(({ code }) => ({ type: 'error' as const, code })),
  // Everything else, such as the response to an unsubscription.
  z
    .object({ type: z.string().refine((type) => !['market_data', 'auth', 'subscribe'].includes(type)) })
    .transform(() => ({ type: 'other' as const })),
])

export type OpenAlgoMessage = z.output<typeof messageSchema>

/** A parsed message, or null if the text is not valid. */
export function readOpenAlgoMessage(text: string): OpenAlgoMessage | null {
  return messageSchema.safeParse(parseJson(text)).data ?? null
}

/** Time of a quote, epoch milliseconds: brokers send milliseconds or seconds, or something else. */
export function openAlgoTimeMs(timestamp: unknown): number | null {
  const value = providerNumber(timestamp)
  if (!(value > 1_000_000_000)) return null
  return value < 100_000_000_000 ? value * 1000 : value
}

function openAlgoSignIn(apiKey: string): string {
  return JSON.stringify({ action: 'authenticate', api_key: apiKey })
}

/** Message that subscribes to or unsubscribes from quotes of symbols. */
export function openAlgoCall(action: 'subscribe' | 'unsubscribe', symbols: readonly OpenAlgoSymbol[]): string {
  const list = symbols.map(({ exchange, symbol }) => ({ exchange, symbol, mode: 2 }))
  return JSON.stringify({ action, mode: 'Quote', symbols: list })
}

const unreadable = { timestamp: NaN, open: NaN, high: NaN, low: NaN, close: NaN, volume: null }

const rowSchema = z
  .object({
    timestamp: z.union([z.number(), z.string()]).catch(NaN),
    open: numberSchema,
    high: numberSchema,
    low: numberSchema,
    close: numberSchema,
    volume: optionalNumberSchema,
  })
  .catch(unreadable)

/** Its message for an unknown key. */
const keyRejectionSchema = z.object({ message: z.string().regex(/api ?key/i) })

export const openAlgoHistorySchema = z.object({ status: z.literal('success'), data: rowsOf(rowSchema) })

const intervalsSchema = z.object({ status: z.literal('success'), data: z.record(z.string(), z.array(z.string())) })

/** Dates of the calls for a span, oldest first. Both dates of a call are included. */
export function openAlgoDates({ fromMs, toMs }: TimeSpan, step: CommonStep): { readonly start_date: string; readonly end_date: string }[] {
  const firstMs = Math.floor(indiaDayStampMs(fromMs) / dayMs) * dayMs
  return historySpans({ fromMs: firstMs, toMs }, daysMax[step] * dayMs).map((span) => ({
    start_date: indiaIsoDate(span.fromMs),
    end_date: indiaIsoDate(span.toMs - 1),
  }))
}

/** Seconds, milliseconds, or a string in Indian time. */
function instantOf(stamp: number | string): number {
  const seconds = providerNumber(stamp)
  if (typeof stamp === 'string' && Number.isNaN(seconds)) return parseIndiaTime(stamp)
  return seconds < 100_000_000_000 ? seconds * 1000 : seconds
}

/** Candles of a response; an unreadable timestamp becomes NaN. */
export function readOpenAlgoHistory({ data }: z.output<typeof openAlgoHistorySchema>, step: CommonStep, isIndex: boolean): Candle[] {
  return data.map(({ timestamp, open, high, low, close, volume }) => {
    const instantMs = instantOf(timestamp)
    // Some brokers stamp a day with midnight in India and some with midnight UTC: both are that date in India.
    const timeMs = step === '1D' && Number.isFinite(instantMs) ? indiaDayStampMs(instantMs) : instantMs
    return { timeMs, open, high, low, close, volume: isIndex ? null : volume, takerBuyVolume: null }
  })
}

/** OpenAlgo's HTTP side: the broker's supported intervals, and its candles. */
class OpenAlgoRest {
  readonly #http: JsonHttpClient
  readonly #baseUrl: string
  readonly #apiKey: string
  readonly #time: ProviderClock
  #intervals: Promise<ReadonlySet<string>> | undefined

  constructor({ restUrl = openAlgoHosts.restUrl, apiKey, fetch, clock, log }: OpenAlgoOptions, time: ProviderClock) {
    this.#baseUrl = new URL(restUrl).href.replace(/\/$/, '')
    this.#apiKey = apiKey
    this.#time = time
    this.#http = new JsonHttpClient({
      name: 'OpenAlgo',
      clock,
      log,
      timeoutMs,
      reasonOf: (body) => (keyRejectionSchema.safeParse(body).success ? openAlgoKeyReason : undefined),
      time,
      fetch,
      limits,
    })
  }

  /** @throws FeedError */
  async history(request: HistoryRequest): Promise<Candle[]> {
    const { signal } = request
    const symbol = readOpenAlgoSymbol(request.symbol)
    if (symbol === null) throw new FeedError('refused', `OpenAlgo has no ${request.symbol}`)
    const step = commonStepOf(request.step)
    if (!(await abortable(this.#hasStep(step), signal)))
      throw new FeedError('refused', `The broker behind OpenAlgo has no candles of ${step}`)
    return await loadHistory(request, this.#time, {
      sessionClass: openAlgoSessionClass(symbol),
      spanMs: daysMax[step] * dayMs,
      load: async (span) => {
        const found: Candle[] = []
        for (const dates of openAlgoDates(span, step)) {
          const response = await this.#call('history', openAlgoHistorySchema, { ...symbol, interval: intervalOf[step], ...dates }, signal)
          for (const row of readOpenAlgoHistory(response, step, isOpenAlgoIndex(symbol))) found.push(row)
        }
        return found
      },
    })
  }

  async #call<T>(name: string, schema: z.ZodType<T>, body: object, signal?: AbortSignal): Promise<T> {
    const url = new URL(`${this.#baseUrl}/api/v1/${name}`)
    return await this.#http.get({ url, body: { apikey: this.#apiKey, ...body }, schema, signal })
  }

  async #hasStep(step: CommonStep): Promise<boolean> {
    this.#intervals ??= this.#call('intervals', intervalsSchema, {}).then(({ data }) => new Set(Object.values(data).flat()))
    try {
      return (await this.#intervals).has(intervalOf[step])
    } catch (error) {
      this.#intervals = undefined
      throw error
    }
  }
}

/** Sends a call for the symbols that OpenAlgo can have. */
function send(link: SocketLink, action: 'subscribe' | 'unsubscribe', symbols: readonly string[]): void {
  const known: OpenAlgoSymbol[] = []
  for (const text of symbols) {
    const symbol = readOpenAlgoSymbol(text)
    if (symbol !== null) known.push(symbol)
    else if (action === 'subscribe') link.refused(text, `OpenAlgo has no ${text}`)
  }
  if (known.length > 0) link.send(openAlgoCall(action, known))
}

/** One connection: authenticates, then subscribes symbols, each of which is confirmed or rejected. */
function session(link: SocketLink, apiKey: string, quotes: QuoteTrades): SocketSession {
  /** Quotes of other symbols are ignored: their number has no limit. */
  const subscribed = new Set<string>()

  function reject(code: string): void {
    if (code === 'AUTHENTICATION_ERROR') link.rejectAll(openAlgoKeyReason)
    // The remaining errors are those of the instance and its broker session, which its operator may fix.
    else link.fail(`answered with the error ${code.slice(0, codeMax)}`)
  }

  function confirm(one: z.output<typeof subscriptionSchema>): void {
    const symbol = writeOpenAlgoSymbol(one)
    if (!subscribed.has(symbol)) return
    if (one.status !== 'success') return link.refused(symbol, `The broker behind OpenAlgo does not give ${symbol}`)
    quotes.live(symbol)
    link.accepted([symbol])
  }

  function handle(message: Extract<OpenAlgoMessage, { type: 'market_data' }>): void {
    const symbol = writeOpenAlgoSymbol(message)
    if (!subscribed.has(symbol)) return
    const { ltp: price, volume, timestamp } = message.data
    const timeMs = openAlgoTimeMs(timestamp)
    const dayVolume = isOpenAlgoIndex(message) ? null : (volume ?? null)
    quotes.emit(link, symbol, { price, dayVolume, timeMs })
  }

  /** Skipped for its symbol; as it may hide a trade, the next one is suspect. */
  function skip(message: Extract<OpenAlgoMessage, { type: 'unusable' }>): void {
    const symbol = writeOpenAlgoSymbol(message)
    if (!subscribed.has(symbol)) return
    link.log('OpenAlgo: a quote that cannot be used', { symbol })
    if (message.isEmpty) return
    quotes.cut(symbol)
    link.suspect(symbol, Number.NaN)
  }

  return {
    opened: () => link.send(openAlgoSignIn(apiKey)),
    subscribe(symbols) {
      for (const symbol of symbols) subscribed.add(symbol)
      send(link, 'subscribe', symbols)
    },
    unsubscribe(symbols) {
      for (const symbol of symbols) {
        subscribed.delete(symbol)
        quotes.forget(symbol)
      }
      send(link, 'unsubscribe', symbols)
    },
    receive(frame) {
      const message = readOpenAlgoMessage(frame.toString())
      if (message === null) {
        quotes.cut()
        throw new Error('A message that is none')
      }
      if (message.type === 'market_data') handle(message)
      else if (message.type === 'unusable') skip(message)
      else if (message.type === 'error') reject(message.code)
      else if (message.type === 'subscribe') message.subscriptions.forEach(confirm)
      else if (message.type === 'auth') {
        if (message.status === 'success') link.ready()
        else reject(message.code ?? 'AUTHENTICATION_ERROR')
      }
    },
    ended: () => quotes.cut(),
  }
}

/** The OpenAlgo feed. Symbols look like `NSE:RELIANCE` and `NSE_INDEX:NIFTY`. */
export function openalgoFeed(options: OpenAlgoOptions): Feed {
  const { socketUrl = openAlgoHosts.socketUrl, apiKey, dial, intake, clock, log } = options
  const time = new ProviderClock(clock)
  const rest = new OpenAlgoRest(options, time)
  const quotes = new QuoteTrades(() => time.estimateMs())
  const socket = new ResilientWebSocket({
    name: 'OpenAlgo',
    url: new URL(socketUrl).href,
    limits: socketLimits,
    dial,
    intake,
    clock,
    log,
    start: (link) => session(link, apiKey, quotes),
    rejection: (status) => (status === 401 || status === 403 ? openAlgoKeyReason : undefined),
  })
  return {
    source: 'openalgo',
    steps: commonSteps,
    live: 'trades',
    // As its brokers do.
    splitHistory: 'adjusted',
    history: (request) => rest.history(request),
    watch: (symbol, sink) => socket.watch(symbol, sink),
    close: () => socket.close(),
  }
}

/** Checks an OpenAlgo instance that a user entered, before it is stored. */
export function openAlgoCheck({ fetch, clock, log }: Pick<FeedOptions, 'fetch' | 'clock' | 'log'>): OpenAlgoCheck {
  return async (url, apiKey) => {
    // A separate client, because instances must not share pauses.
    const http = new JsonHttpClient({ name: 'OpenAlgo', clock, log, timeoutMs: checkTimeoutMs, fetch })
    try {
      const address = new URL(`${url}/api/v1/intervals`)
      await http.get({ url: address, body: { apikey: apiKey }, schema: intervalsSchema, isOnce: true })
      return 'ok'
    } catch (error) {
      if (!(error instanceof FeedError)) throw error
      return error.kind === 'refused' && /\((401|403)\)/.test(error.message) ? 'key' : 'unreachable'
    }
  }
}
