// Zerodha Kite: binary prices of NSE and BSE by WebSocket, candles by HTTP. Needs a daily access token.
import { z } from 'zod'
import { dayMs, hourMs } from '#shared/base/durations.ts'
import { indiaDayStampMs, indiaTime, parseIndiaTime } from '#shared/base/india-time.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { commonStepOf, commonSteps, FeedError, type CommonStep, type Feed, type HistoryRequest } from '../feed.ts'
import { abortable } from './abortable.ts'
import type { FeedOptions } from './feed-options.ts'
import { JsonHttpClient } from './json-http-client.ts'
import { readKiteFrame, type KiteFrame } from './kite-frame.ts'
import { loadHistory } from './load-history.ts'
import { ProviderClock } from './provider-clock.ts'
import { providerNumber, rowsOf } from './provider-number.ts'
import { QuoteTrades } from './quote-trades.ts'
import { ResilientWebSocket } from './websocket/resilient-web-socket.ts'
import type { SocketLink, SocketSession } from './websocket/subscription-session.ts'

export const kiteHosts = { restUrl: 'https://api.kite.trade', socketUrl: 'wss://ws.kite.trade' }

export interface KiteOptions extends FeedOptions {
  readonly apiKey: string
  /** Valid for one day. */
  readonly accessToken: string
}

/** Why a token is rejected, and what to do: Zerodha ends every session in the morning. */
export const kiteTokenReason = 'The Zerodha session has ended; sign in to Zerodha again'

/** Kite's error types in plain words. */
const reasons: Readonly<Record<string, string>> = {
  TokenException: kiteTokenReason,
  PermissionException: 'the key has no right to market data',
  InputException: 'it does not know what was asked for',
}

const socketLimits = {
  messagesPerSecond: 5,
  symbolsMax: 3000,
  // A heartbeat arrives every second.
  silenceMs: 15_000,
}
/** Kite confirms nothing. A price confirms a symbol, and so does this number of frames after the subscription. */
const framesToConfirm = 3
/** A new list is published every morning; tokens of shares and indices hardly ever change. */
const listMaxAgeMs = 12 * hourMs
const intervalOf: Readonly<Record<CommonStep, string>> = { '1m': 'minute', '1h': '60minute', '1D': 'day' }
/** Maximum days of one call. */
const daysMax: Readonly<Record<CommonStep, number>> = { '1m': 60, '1h': 400, '1D': 2000 }
const indices: Readonly<Record<string, SessionClass>> = {
  'NSE:NIFTY 50': 'nse-index',
  'NSE:NIFTY BANK': 'nse-index',
  'NSE:NIFTY FIN SERVICE': 'nse-index',
  'BSE:SENSEX': 'bse-index',
}
/** The last byte of a token is its segment. */
const isIndexToken = (token: number): boolean => (token & 0xff) === 9

const rejectionSchema = z.object({ error_type: z.string() })
const listSchema = z.map(z.string(), z.number())
const tokenSchema = z.coerce.number().int().positive().max(0xffff_ffff)

/** A timestamp, prices and volume; what cannot be read becomes NaN. */
const rowSchema = z.unknown().transform((row) => {
  const [stamp, ...values] = Array.isArray(row) ? (row as unknown[]) : []
  return { timeMs: typeof stamp === 'string' ? parseIndiaTime(stamp) : Number.NaN, values: values.map(providerNumber) }
})
export const kiteHistorySchema = z.object({ data: z.object({ candles: rowsOf(rowSchema) }) })

/** Path of the call for a span; both ends of a call are included. A daily candle is stamped with a date, but requested by the day in India. */
export function kiteHistoryPath({ fromMs, toMs }: TimeSpan, step: CommonStep, token: number): string {
  const startOf = (ms: number): number =>
    step === '1D' ? parseIndiaTime(new Date(Math.ceil(ms / dayMs) * dayMs).toISOString().slice(0, 10)) : ms
  const query = new URLSearchParams({ from: indiaTime(startOf(fromMs)), to: indiaTime(startOf(toMs) - 1) })
  return `/instruments/historical/${token}/${intervalOf[step]}?${query.toString()}`
}

/** Candles of a response in its order; an unreadable timestamp becomes NaN. An index has no volume. */
export function readKiteHistory({ data }: z.output<typeof kiteHistorySchema>, step: CommonStep, isIndex: boolean): Candle[] {
  return data.candles.map(({ timeMs: stampMs, values: [open = NaN, high = NaN, low = NaN, close = NaN, volume = NaN] }) => {
    const timeMs = step === '1D' && Number.isFinite(stampMs) ? indiaDayStampMs(stampMs) : stampMs
    return { timeMs, open, high, low, close, volume: isIndex ? null : volume, takerBuyVolume: null }
  })
}

/** Fields of one line; a quoted field may contain commas, and a double quote is escaped by doubling. */
function fieldsOf(line: string): string[] {
  const fields: string[] = []
  let field = ''
  let isQuoted = false
  for (let i = 0; i < line.length; i += 1) {
    const sign = line[i]
    if (sign === '"' && isQuoted && line[i + 1] === '"') {
      field += '"'
      i += 1
    } else if (sign === '"') {
      isQuoted = !isQuoted
    } else if (sign === ',' && !isQuoted) {
      fields.push(field)
      field = ''
    } else {
      field += sign
    }
  }
  return [...fields, field]
}

/**
 * Tokens by names such as `NSE:RELIANCE` or `NSE:NIFTY 50`, from the published CSV. Columns are found by their headers;
 * lines without a usable token are skipped. Null if the text is not such a list.
 */
export function readKiteInstruments(csv: string): ReadonlyMap<string, number> | null {
  const [header = '', ...lines] = csv.split(/\r?\n/)
  const titles = fieldsOf(header.replace(/^\uFEFF/, '')).map((title) => title.trim())
  const [tokenAt = -1, symbolAt = -1, exchangeAt = -1] = ['instrument_token', 'tradingsymbol', 'exchange'].map((title) =>
    titles.indexOf(title),
  )
  if (Math.min(tokenAt, symbolAt, exchangeAt) < 0) return null
  const tokens = new Map<string, number>()
  for (const line of lines) {
    const fields = fieldsOf(line)
    const token = tokenSchema.safeParse(fields[tokenAt])
    const symbol = fields[symbolAt]
    const exchange = fields[exchangeAt]
    if (token.success && symbol && exchange) tokens.set(`${exchange}:${symbol}`, token.data)
  }
  return tokens
}

/** Kite's HTTP side: the instrument list and the candles, with a shared rate limiter. */
class KiteRest {
  readonly #http: JsonHttpClient
  readonly #options: KiteOptions
  readonly #restUrl: string
  readonly #time: ProviderClock
  /** Instrument lists by exchange; concurrent callers share one download. */
  readonly #lists = new Map<string, { readonly list: Promise<ReadonlyMap<string, number>>; readonly sinceMs: number }>()

  constructor(options: KiteOptions, time: ProviderClock) {
    const { restUrl = kiteHosts.restUrl, apiKey, accessToken, clock, log } = options
    this.#options = options
    this.#restUrl = restUrl
    this.#time = time
    this.#http = new JsonHttpClient({
      name: 'Zerodha',
      clock,
      log,
      headers: { 'x-kite-version': '3', authorization: `token ${apiKey}:${accessToken}` },
      reasonOf: (body) => reasons[rejectionSchema.safeParse(body).data?.error_type ?? ''],
      time,
      limits: [{ count: 3, windowMs: 1000 }],
    })
  }

  /** Kite's token of a symbol such as `NSE:RELIANCE`; undefined if the exchange does not list it. @throws FeedError */
  async tokenOf(symbol: string): Promise<number | undefined> {
    const [exchange = '', name] = symbol.split(':')
    return name === undefined || !/^[A-Z]+$/.test(exchange) ? undefined : (await this.#listOf(exchange)).get(symbol)
  }

  /** @throws FeedError */
  async history(request: HistoryRequest): Promise<Candle[]> {
    const { symbol, signal } = request
    const token = await abortable(this.tokenOf(symbol), signal)
    if (token === undefined) throw new FeedError('refused', `Zerodha has no ${symbol}`)
    const step = commonStepOf(request.step)
    return await loadHistory(request, this.#time, {
      sessionClass: indices[symbol] ?? (symbol.startsWith('NSE:') ? 'nse-equity' : null),
      spanMs: daysMax[step] * dayMs,
      load: async (span) => {
        const url = new URL(kiteHistoryPath(span, step, token), this.#restUrl)
        return readKiteHistory(await this.#http.get({ url, schema: kiteHistorySchema, signal }), step, isIndexToken(token))
      },
    })
  }

  #listOf(exchange: string): Promise<ReadonlyMap<string, number>> {
    const { clock } = this.#options
    const known = this.#lists.get(exchange)
    if (known !== undefined && clock.monotonic() - known.sinceMs < listMaxAgeMs) return known.list
    const url = new URL(`/instruments/${encodeURIComponent(exchange)}`, this.#restUrl)
    const list = this.#http.get({ url, schema: listSchema, decode: readKiteInstruments })
    this.#lists.set(exchange, { list, sinceMs: clock.monotonic() })
    list.catch(() => this.#lists.delete(exchange))
    return list
  }
}

/** One connection: maps symbols to tokens by the instrument list, and tokens of packets back to symbols. */
class KiteSession implements SocketSession {
  readonly #link: SocketLink
  readonly #rest: KiteRest
  readonly #quotes: QuoteTrades
  /** Instrument tokens of packets. */
  readonly #symbolByToken = new Map<number, string>()
  readonly #tokenBySymbol = new Map<string, number>()
  readonly #subscribed = new Set<string>()
  /** Unconfirmed symbols, with the remaining frames before each counts as confirmed. */
  readonly #pending = new Map<string, number>()

  constructor(link: SocketLink, rest: KiteRest, quotes: QuoteTrades) {
    this.#link = link
    this.#rest = rest
    this.#quotes = quotes
  }

  subscribe(symbols: readonly string[]): void {
    for (const symbol of symbols) this.#subscribed.add(symbol)
    this.#send(symbols).catch((error: unknown) => this.#failed(error))
  }

  unsubscribe(symbols: readonly string[]): void {
    const tokens = symbols.map((symbol) => this.#tokenBySymbol.get(symbol)).filter((token) => token !== undefined)
    for (const symbol of symbols) {
      this.#subscribed.delete(symbol)
      this.#tokenBySymbol.delete(symbol)
      this.#pending.delete(symbol)
      this.#quotes.forget(symbol)
    }
    for (const token of tokens) this.#symbolByToken.delete(token)
    if (tokens.length > 0) this.#link.send(JSON.stringify({ a: 'unsubscribe', v: tokens }))
  }

  receive(data: string | Buffer): void {
    // Text frames carry orders and messages, which we ignore.
    if (typeof data === 'string') return
    const frame = readKiteFrame(data)
    if (frame.isBroken) {
      this.#quotes.cut()
      throw new Error('The lengths of a frame do not add up')
    }
    this.#report(frame)
    this.#confirm(frame)
    for (const tick of frame.ticks) {
      const symbol = this.#symbolByToken.get(tick.token)
      // Prices before the mode is set have no volume, and would leave a minute without volume.
      if (symbol !== undefined && (tick.dayVolume !== null || tick.isIndex)) this.#quotes.emit(this.#link, symbol, tick)
    }
  }

  ended(): void {
    this.#quotes.cut()
  }

  #failed(error: unknown): void {
    if (!(error instanceof FeedError)) this.#link.fail('could not read its list of instruments')
    else if (error.kind === 'refused') this.#link.rejectAll(error.message)
    else this.#link.fail(`gave no list of instruments: ${error.message}`)
  }

  async #send(symbols: readonly string[]): Promise<void> {
    const found = await Promise.all(symbols.map(async (symbol) => ({ symbol, token: await this.#rest.tokenOf(symbol) })))
    const tokens: number[] = []
    for (const { symbol, token } of found) {
      if (!this.#subscribed.has(symbol)) continue
      if (token === undefined) {
        this.#link.refused(symbol, `Zerodha has no ${symbol}`)
        continue
      }
      this.#symbolByToken.set(token, symbol)
      this.#tokenBySymbol.set(symbol, token)
      this.#pending.set(symbol, framesToConfirm)
      tokens.push(token)
    }
    if (tokens.length === 0) return
    this.#link.send(JSON.stringify({ a: 'subscribe', v: tokens }))
    // Only this mode includes the trade time.
    this.#link.send(JSON.stringify({ a: 'mode', v: ['full', tokens] }))
  }

  #confirm({ ticks }: KiteFrame): void {
    const priced = new Set(ticks.map(({ token }) => this.#symbolByToken.get(token)))
    const confirmed: string[] = []
    for (const [symbol, frames] of this.#pending) {
      if (frames > 1 && !priced.has(symbol)) this.#pending.set(symbol, frames - 1)
      else confirmed.push(symbol)
    }
    for (const symbol of confirmed) {
      this.#pending.delete(symbol)
      this.#quotes.live(symbol)
    }
    if (confirmed.length > 0) this.#link.accepted(confirmed)
  }

  #report({ refusedCount, suspect }: KiteFrame): void {
    for (let count = 0; count < refusedCount; count += 1) this.#link.log('Zerodha: a packet that cannot be used')
    for (const token of suspect) {
      const symbol = this.#symbolByToken.get(token)
      if (symbol !== undefined) this.#link.suspect(symbol, Number.NaN, 'not-positive')
    }
  }
}

/** The Kite feed. Symbols look like `NSE:RELIANCE` and `NSE:NIFTY 50`. A new daily token needs a new feed. */
export function kiteFeed(options: KiteOptions): Feed {
  const { socketUrl = kiteHosts.socketUrl, apiKey, accessToken, clock, log } = options
  const time = new ProviderClock(clock)
  const rest = new KiteRest(options, time)
  const quotes = new QuoteTrades(() => time.estimateMs())
  const url = new URL(socketUrl)
  url.search = new URLSearchParams({ api_key: apiKey, access_token: accessToken }).toString()
  const socket = new ResilientWebSocket({
    name: 'Zerodha',
    url: url.href,
    headers: { 'x-kite-version': '3' },
    limits: socketLimits,
    clock,
    log,
    start: (link) => new KiteSession(link, rest, quotes),
    rejection: (status) => (status === 401 || status === 403 ? kiteTokenReason : undefined),
  })
  return {
    source: 'kite',
    steps: commonSteps,
    live: 'trades',
    splitHistory: 'adjusted',
    history: (request) => rest.history(request),
    watch: (symbol, sink) => socket.watch(symbol, sink),
    close: () => socket.close(),
  }
}
