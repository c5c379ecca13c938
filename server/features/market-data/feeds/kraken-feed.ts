// Kraken: minutes by WebSocket, updated on every trade and never marked closed; history by REST, the last 720 candles and trades.
import { z } from 'zod'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { findCandleIssue } from '#shared/candles/candle-issue.ts'
import { addToSum, beginSum, type CandleSum } from '#shared/candles/candle-sum.ts'
import {
  FeedError,
  historySteps,
  stepMs,
  type Feed,
  type HistoryRequest,
  type OlderMinutes,
  type OlderMinutesRequest,
  type RejectedRow,
} from '../feed.ts'
import type { FeedOptions } from './feed-options.ts'
import { JsonHttpClient } from './json-http-client.ts'
import { loadWholeSpan } from './load-history.ts'
import { orderlyCandles } from './orderly-candles.ts'
import { ProviderClock } from './provider-clock.ts'
import { numberRowSchema, numberSchema as number, rowsOf } from './provider-number.ts'
import { ResilientWebSocket } from './websocket/resilient-web-socket.ts'
import type { SocketLink, SocketSession } from './websocket/subscription-session.ts'

export const krakenHosts = { restUrl: 'https://api.kraken.com', socketUrl: 'wss://ws.kraken.com' }

/** It returns the last 720 candles of a step, the forming one included. */
const candlesMax = 720
/** One for the forming candle, and one in case a candle ends meanwhile. */
const reachMs = Object.fromEntries(historySteps.map((step) => [step, (candlesMax - 2) * stepMs[step]]))
/** It sends a heartbeat every second without other messages. */
const socketLimits = { messagesPerSecond: 5, symbolsMax: 200, silenceMs: 15_000 }
const busyPauseMs = 5000
/** One call per second is allowed, so this is also the duration in seconds. */
const callsMax = 40
const tradesPerCall = 1000
/** After a range that one call covered, the next range is twice as long. */
const firstPartMs = 2 * hourMs

const rows = rowsOf(numberRowSchema)
/** Open time in seconds, prices, average price, volume, trade count; keyed by the provider's own pair name, next to `last`. */
const candles = z.object({ result: z.record(z.string(), z.union([rows, z.number()])) })
const timeSchema = z.object({ result: z.object({ unixtime: z.int() }) })
const errors = z.object({ error: z.array(z.string()).min(1) })

const message = z.object({ channel: z.string().optional(), method: z.string().optional() })
const update = z.object({
  channel: z.literal('ohlc'),
  timestamp: z.iso.datetime({ offset: true }).optional(),
  data: z.array(
    z.object({
      symbol: z.string(),
      open: number,
      high: number,
      low: number,
      close: number,
      volume: number,
      trades: number,
      interval_begin: z.string(),
      interval: z.literal(1),
    }),
  ),
})
const reply = z.object({
  method: z.enum(['subscribe', 'unsubscribe']),
  success: z.boolean(),
  symbol: z.string().optional(),
  error: z.string().optional(),
  result: z.object({ symbol: z.string() }).optional(),
})

/** REST uses older names for Bitcoin and Dogecoin, and pairs without the slash. */
function restPair(symbol: string): string {
  const names: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG' }
  return symbol
    .split('/')
    .map((name) => names[name] ?? name)
    .join('')
}

/** Errors come with status 200. */
function findError(body: unknown): FeedError | undefined {
  const [first] = errors.safeParse(body).data?.error ?? []
  if (first === undefined) return undefined
  if (/rate limit|too many requests/i.test(first))
    return new FeedError('limited', 'Kraken takes no more requests for now', { retryAfterMs: busyPauseMs })
  if (first.startsWith('EService')) return new FeedError('unreachable', 'Kraken is out of order')
  return new FeedError('refused', `Kraken refused the request: ${first}`)
}

function session(link: SocketLink, time: ProviderClock, nowMs: () => number): SocketSession {
  const forming = new Map<string, Candle>()

  const send = (method: 'subscribe' | 'unsubscribe', symbols: readonly string[]) =>
    link.send(JSON.stringify({ method, params: { channel: 'ohlc', symbol: symbols, interval: 1 } }))

  function confirm({ method, success, symbol, result }: z.infer<typeof reply>): void {
    const confirmed = result?.symbol ?? symbol
    if (method !== 'subscribe' || confirmed === undefined) return
    if (success) link.accepted([confirmed])
    else link.refused(confirmed, `Kraken does not give ${confirmed}`)
  }

  /** Only a newer minute signals that the previous one is closed. */
  function notify(symbol: string, candle: Candle, eventMs: number | undefined): void {
    if (findCandleIssue(candle, nowMs()) !== null) return link.minute(symbol, candle, false)
    const before = forming.get(symbol)
    if (before !== undefined && before.timeMs < candle.timeMs) link.minute(symbol, before, true)
    if (before === undefined || before.timeMs <= candle.timeMs) forming.set(symbol, candle)
    link.minute(symbol, candle, false, eventMs)
  }

  function handle({ timestamp, data }: z.infer<typeof update>): void {
    const eventMs = timestamp === undefined ? undefined : Date.parse(timestamp)
    if (eventMs !== undefined) time.sample(eventMs)
    // A snapshot also has older candles, which are left to history.
    const newest = new Map(data.filter(({ trades }) => trades !== 0).map((one) => [one.symbol, one]))
    for (const [symbol, { open, high, low, close, volume, interval_begin: begin }] of newest) {
      notify(symbol, { timeMs: Date.parse(begin), open, high, low, close, volume, takerBuyVolume: null }, eventMs)
    }
  }

  return {
    subscribe: (symbols) => send('subscribe', symbols),
    unsubscribe: (symbols) => send('unsubscribe', symbols),
    receive(frame) {
      const body: unknown = JSON.parse(frame.toString())
      const { channel, method } = message.parse(body)
      if (method === 'subscribe') confirm(reply.parse(body))
      if (channel === 'ohlc') handle(update.parse(body))
    },
  }
}

/** Price, volume, time in seconds, side, order type, misc, number; keyed by the pair name, next to `last`: the newest time in nanoseconds. */
export const tradesResponse = z.object({ result: z.record(z.string(), z.union([rows, z.string()])) })

/** `since` is in nanoseconds, exclusive. */
export type LoadTrades = (query: { readonly since: bigint; readonly count: number }) => Promise<z.infer<typeof tradesResponse>>

class CallsUsedUp extends Error {}

/**
 * Minutes that the candles no longer have, built from trades: newest first, within a limited number of calls.
 * @throws FeedError if not even the newest range could be loaded
 */
export async function minutesOfTrades({ fromMs, toMs, onRejected }: OlderMinutesRequest, load: LoadTrades): Promise<OlderMinutes> {
  let calls = 0
  let reachedMs = toMs
  let partMs = firstPartMs
  const parts: Candle[][] = []
  const rejected: RejectedRow[][] = []
  const counted: LoadTrades = (query) => {
    if (calls >= callsMax) throw new CallsUsedUp()
    calls += 1
    return load(query)
  }
  while (reachedMs > fromMs) {
    const startMs = Math.max(fromMs, reachedMs - partMs)
    const before = calls
    try {
      const { minutes, bad } = minutesOf(await tradesBetween(startMs, reachedMs, counted))
      parts.unshift(minutes)
      rejected.unshift(bad)
    } catch (error) {
      if (error instanceof CallsUsedUp || (error instanceof FeedError && parts.length > 0)) break
      throw error
    }
    reachedMs = startMs
    if (calls - before === 1) partMs *= 2
  }
  if (rejected.some((bad) => bad.length > 0)) onRejected?.(rejected.flat())
  return { candles: parts.flat(), fromMs: reachedMs }
}

interface TradeRow {
  readonly timeMs: number
  readonly price: number
  readonly volume: number
  readonly id: number
}

async function tradesBetween(fromMs: number, toMs: number, load: LoadTrades): Promise<TradeRow[]> {
  const found = new Map<number, TradeRow>()
  // Trades of one order share a time, so a page starts with trades that may be cut off at the end of the previous one.
  let since = BigInt(fromMs) * 1_000_000n - 1n
  let timeMs = fromMs
  for (;;) {
    const { result } = await load({ since, count: tradesPerCall })
    const page = Object.values(result).find((value) => typeof value !== 'string') ?? []
    const before = found.size
    for (const [price = NaN, volume = NaN, seconds = NaN, , , , number = NaN] of page) {
      // One without a time was made about when the one before was.
      timeMs = Number.isFinite(seconds) ? seconds * 1000 : timeMs
      const id = Number.isFinite(number) ? number : -1 - found.size
      if (timeMs >= fromMs && timeMs < toMs) found.set(id, { timeMs, price: Number.isFinite(seconds + number) ? price : NaN, volume, id })
    }
    const last = typeof result['last'] === 'string' ? BigInt(result['last']) - 1n : since
    if (page.length === 0 || last >= BigInt(toMs) * 1_000_000n) break
    if (last <= since || found.size === before) {
      if (page.length < tradesPerCall) break
      throw new FeedError('malformed', 'Kraken repeats the same trades')
    }
    since = last
  }
  return [...found.values()].toSorted((one, other) => one.timeMs - other.timeMs || one.id - other.id)
}

/** Minutes of ascending trades; one with an unreadable trade is unknown. */
function minutesOf(trades: readonly TradeRow[]): { minutes: Candle[]; bad: RejectedRow[] } {
  const minutes: CandleSum[] = []
  const bad = new Map<number, RejectedRow>()
  for (const trade of trades) {
    const { price, volume } = trade
    const timeMs = Math.floor(trade.timeMs / minuteMs) * minuteMs
    const candle = { timeMs, open: price, high: price, low: price, close: price, volume, takerBuyVolume: null }
    const issue = findCandleIssue(candle, Infinity)
    const last = minutes.at(-1)
    if (issue !== null) bad.set(timeMs, { span: { fromMs: timeMs, toMs: timeMs + minuteMs }, issue, answer: JSON.stringify(trade) })
    else if (last?.timeMs === timeMs) addToSum(last, candle)
    else minutes.push(beginSum(timeMs, candle))
  }
  return { minutes: minutes.filter(({ timeMs }) => !bad.has(timeMs)), bad: [...bad.values()] }
}

function krakenRest({ restUrl = krakenHosts.restUrl, clock, log }: FeedOptions) {
  const http = new JsonHttpClient({ name: 'Kraken', clock, log, limits: [{ count: 1, windowMs: 1000 }] })
  const time = new ProviderClock(clock, async (signal) => {
    const { result } = await http.get({ url: new URL('/0/public/Time', restUrl), schema: timeSchema, findError, isOnce: true, signal })
    return result.unixtime * 1000
  })

  function publicUrl(name: 'OHLC' | 'Trades', symbol: string, query: Record<string, string>): URL {
    const url = new URL(`/0/public/${name}`, restUrl)
    url.search = new URLSearchParams({ pair: restPair(symbol), ...query }).toString()
    return url
  }

  return {
    time,
    async history(request: HistoryRequest): Promise<Candle[]> {
      const { symbol, step, fromMs, signal } = request
      if (fromMs >= request.toMs) return []
      const seconds = stepMs[step] / 1000
      const toMs = Math.min(request.toMs, await time.nowMs(signal))
      const found = await loadWholeSpan(
        step,
        { fromMs, toMs },
        {
          sessionClass: null,
          /** Its rows reach to the present whatever the end of the span. */
          async load(span) {
            // It is not documented whether `since` includes its own timestamp, so request one candle more.
            const since = Math.floor(span.fromMs / 1000) - seconds
            const url = publicUrl('OHLC', symbol, { interval: `${seconds / 60}`, since: `${since}` })
            const { result } = await http.get({ url, schema: candles, findError, signal })
            const page = Object.values(result).find((value) => typeof value !== 'number') ?? []
            return page.map(([stamp = NaN, open = NaN, high = NaN, low = NaN, close = NaN, , volume = NaN, trades = NaN]) => {
              return { timeMs: stamp * 1000, open, high, low, close, volume, takerBuyVolume: null, trades }
            })
          },
        },
      )
      // Candles without a trade repeat the last price; the stream omits them.
      const traded = found
        .filter(({ trades }) => trades !== 0)
        .map(({ timeMs, open, high, low, close, volume }) => ({ timeMs, open, high, low, close, volume, takerBuyVolume: null }))
      return orderlyCandles(traded, request, { nowMs: await time.nowMs(signal), sessionClass: null })
    },
    olderMinutes: (request: OlderMinutesRequest): Promise<OlderMinutes> =>
      minutesOfTrades(request, ({ since, count }) => {
        const url = publicUrl('Trades', request.symbol, { since: `${since}`, count: `${count}` })
        return http.get({ url, schema: tradesResponse, findError, signal: request.signal })
      }),
  }
}

/** The Kraken feed. Symbols look like BTC/USD. History is limited to the last 720 candles of a step. */
export function krakenFeed(options: FeedOptions): Feed {
  const { socketUrl = krakenHosts.socketUrl, clock, log } = options
  const rest = krakenRest(options)
  const socket = new ResilientWebSocket({
    name: 'Kraken',
    url: `${socketUrl}/v2`,
    limits: socketLimits,
    clock,
    log,
    start: (link) => session(link, rest.time, () => clock.now()),
  })
  return {
    source: 'kraken',
    steps: historySteps,
    reachMs,
    live: 'minutes',
    history: (request) => rest.history(request),
    olderMinutes: rest.olderMinutes,
    watch: (symbol, sink) => socket.watch(symbol, sink),
    close: () => socket.close(),
  }
}
