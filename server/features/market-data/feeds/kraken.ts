// Kraken: minutes by WebSocket, updated on every trade and never marked closed; history by REST, the last 720 candles and trades.
import { z } from 'zod'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { findCandleIssue } from '#shared/candles/candle-issue.ts'
import { FeedError, historySteps, stepMs, type Feed, type HistoryRequest } from '../feed.ts'
import type { FeedOptions } from './feed-options.ts'
import { loadWholeSpan } from './load-whole-span.ts'
import { orderlyCandles } from './orderly-candles.ts'
import { HttpJson } from './json-http-client.ts'
import { minutesOfTrades, tradesAnswer } from './kraken-trades.ts'
import { providerClock, type ProviderClock } from './provider-clock.ts'
import { numberRowSchema, numberSchema as number, rowsOf } from './provider-number.ts'
import { requestBudget } from './rate-limiter.ts'
import type { RestParts } from './rest-context.ts'
import type { SocketLink, SocketSession } from './websocket/types.ts'
import { ResilientWebsocket } from './websocket/resilient-websocket.ts'

export const krakenHosts = { restUrl: 'https://api.kraken.com', socketUrl: 'wss://ws.kraken.com' }

/** It returns the last 720 candles of a step, the forming one included. */
const rowsMax = 720
/** One for the forming candle, and one in case a candle ends meanwhile. */
const reachMs = Object.fromEntries(historySteps.map((step) => [step, (rowsMax - 2) * stepMs[step]]))
/** It sends a heartbeat every second without other messages. */
const socketLimits = { messagesPerSecond: 5, mostSymbols: 200, silenceMs: 15_000 }
const busyPauseMs = 5000

/** Open time in seconds, prices, average price, volume, trade count. */
const rows = rowsOf(numberRowSchema)
/** The candles are keyed by the provider's own pair name, next to `last`. */
const candles = z.object({ result: z.record(z.string(), z.union([rows, z.number()])) })
const errors = z.object({ error: z.array(z.string()).min(1) })

const message = z.object({ channel: z.string().optional(), method: z.string().optional() })
const stated = z.object({
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
function judge(body: unknown): FeedError | undefined {
  const reported = errors.safeParse(body).data?.error
  const [first] = reported ?? []
  if (first === undefined) return undefined
  if (/rate limit|too many requests/i.test(first))
    return new FeedError('limited', 'Kraken takes no more requests for now', { retryAfterMs: busyPauseMs })
  if (first.startsWith('EService')) return new FeedError('unreachable', 'Kraken is out of order')
  return new FeedError('refused', `Kraken refused the request: ${first}`)
}

function session(link: SocketLink, time: ProviderClock, nowMs: () => number): SocketSession {
  const forming = new Map<string, Candle>()

  const ask = (method: 'subscribe' | 'unsubscribe', symbols: readonly string[]) =>
    link.send(JSON.stringify({ method, params: { channel: 'ohlc', symbol: symbols, interval: 1 } }))

  function confirm(reported: z.infer<typeof reply>): void {
    if (reported.method !== 'subscribe') return
    const symbol = reported.result?.symbol ?? reported.symbol
    if (symbol === undefined) return
    if (reported.success) link.accepted([symbol])
    else link.refused(symbol, `Kraken does not give ${symbol}`)
  }

  /** Only a newer minute signals that the previous one is closed. */
  function notify(symbol: string, candle: Candle, eventMs: number | undefined): void {
    if (findCandleIssue(candle, nowMs()) !== null) return link.minute(symbol, candle, false)
    const before = forming.get(symbol)
    if (before !== undefined && before.timeMs < candle.timeMs) link.minute(symbol, before, true)
    if (before === undefined || before.timeMs <= candle.timeMs) forming.set(symbol, candle)
    link.minute(symbol, candle, false, eventMs)
  }

  function handle({ timestamp, data }: z.infer<typeof stated>): void {
    const eventMs = timestamp === undefined ? undefined : Date.parse(timestamp)
    if (eventMs !== undefined) time.sample(eventMs)
    // A snapshot also has older candles, which are left to history.
    const newest = new Map(data.filter(({ trades }) => trades !== 0).map((one) => [one.symbol, one]))
    for (const [symbol, { open, high, low, close, volume, interval_begin: begin }] of newest) {
      notify(symbol, { timeMs: Date.parse(begin), open, high, low, close, volume, takerBuyVolume: null }, eventMs)
    }
  }

  return {
    subscribe: (symbols) => ask('subscribe', symbols),
    unsubscribe: (symbols) => ask('unsubscribe', symbols),
    receive(frame) {
      const body: unknown = JSON.parse(frame.toString())
      const { channel, method } = message.parse(body)
      if (method === 'subscribe') confirm(reply.parse(body))
      if (channel === 'ohlc') handle(stated.parse(body))
    },
  }
}

async function history(request: HistoryRequest, { http, budget, time, restUrl }: RestParts): Promise<Candle[]> {
  const { symbol, step, signal } = request
  const seconds = stepMs[step] / 1000

  /** Its rows reach to the present whatever the end of the span. */
  async function load({ fromMs }: TimeSpan): Promise<(Candle & { trades: number })[]> {
    await budget(signal)
    const url = new URL('/0/public/OHLC', restUrl)
    // It is not documented whether `since` includes its own timestamp, so request one candle more.
    const since = Math.floor(fromMs / 1000) - seconds
    url.search = new URLSearchParams({ pair: restPair(symbol), interval: `${seconds / 60}`, since: `${since}` }).toString()
    const { result } = await http.get({ url, schema: candles, judge, ...(signal && { signal }) })
    const page = Object.values(result).find((value) => typeof value !== 'number') ?? []
    return page.map(([stamp = NaN, open = NaN, high = NaN, low = NaN, close = NaN, , volume = NaN, trades = NaN]) => {
      return { timeMs: stamp * 1000, open, high, low, close, volume, takerBuyVolume: null, trades }
    })
  }

  const { fromMs } = request
  if (fromMs >= request.toMs) return []
  const toMs = Math.min(request.toMs, await time.nowMs(signal))
  const found = await loadWholeSpan({ fromMs, toMs }, { step, sessionClass: null, load })
  // Candles without a trade repeat the last price; the stream omits them.
  const traded = found
    .filter((one) => one.trades !== 0)
    .map(({ timeMs, open, high, low, close, volume }) => {
      return { timeMs, open, high, low, close, volume, takerBuyVolume: null }
    })
  return orderlyCandles(traded, request, { nowMs: await time.nowMs(signal), sessionClass: null })
}

/** The Kraken feed. Symbols look like BTC/USD. History is limited to the last 720 candles of a step. */
export function krakenFeed({ restUrl = krakenHosts.restUrl, socketUrl = krakenHosts.socketUrl, clock, log }: FeedOptions): Feed {
  const http = new HttpJson({ name: 'Kraken', clock, log })
  const budget = requestBudget({ limits: [{ count: 1, windowMs: 1000 }], waitMaxMs: 60_000, clock })
  const time = providerClock(clock, async (signal) => {
    const schema = z.object({ result: z.object({ unixtime: z.int() }) })
    const notified = await http.get({ url: new URL('/0/public/Time', restUrl), schema, judge, isOnce: true, ...(signal && { signal }) })
    return notified.result.unixtime * 1000
  })
  const loop = new ResilientWebsocket({
    name: 'Kraken',
    url: `${socketUrl}/v2`,
    limits: socketLimits,
    clock,
    log,
    start: (link) => session(link, time, () => clock.now()),
  })

  return {
    source: 'kraken',
    steps: historySteps,
    reachMs,
    live: 'minutes',
    history: (request) => history(request, { http, budget, time, restUrl }),
    olderMinutes: (request) =>
      minutesOfTrades(request, async ({ since, count }) => {
        const { symbol, signal } = request
        await budget(signal)
        const url = new URL('/0/public/Trades', restUrl)
        url.search = new URLSearchParams({ pair: restPair(symbol), since: `${since}`, count: `${count}` }).toString()
        return await http.get({ url, schema: tradesAnswer, judge, ...(signal && { signal }) })
      }),
    watch: (symbol, sink) => loop.watch(symbol, sink),
    close: () => loop.close(),
  }
}
