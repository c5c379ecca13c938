// Binance: minutes by WebSocket with the part that buyers took, history by REST, both from the hosts that give market data only.
import { z } from 'zod'
import { hourMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import { commonStepOf, FeedError, type Feed, type HistoryRequest } from '../feed.ts'
import type { FeedNeeds } from './feed-needs.ts'
import { orderlyCandles } from './history-spans.ts'
import { decimal } from './http-json-decimal.ts'
import { httpJson } from './http-json.ts'
import { providerClock, type ProviderClock } from './provider-clock.ts'
import { requestBudget } from './request-budget.ts'
import type { RestParts } from './rest-parts.ts'
import type { SocketLink, SocketSession } from './socket-loop-port.ts'
import { socketLoop } from './socket-loop.ts'

export const binanceHosts = { restUrl: 'https://data-api.binance.vision', socketUrl: 'wss://data-stream.binance.vision' }

const rowsPerCall = 1000
const intervals = { '1m': '1m', '1h': '1h', '1D': '1d' } as const
const socketLimits = {
  // The provider cuts at 5, and our pings count.
  messagesPerSecond: 4,
  mostSymbols: 1000,
  // It pings every 20 s and states each minute every 2 s.
  silenceMs: 30_000,
  // It cuts at 24 h.
  renewAfterMs: 23 * hourMs,
}

const instant = z.int().nonnegative()

/** Opening time, prices, volume, closing time, quote volume, count of trades, volume that buyers took, and more. */
const rows = z.array(z.tuple([instant, decimal, decimal, decimal, decimal, decimal, instant, decimal, instant, decimal]).rest(z.unknown()))

const kline = z.object({
  e: z.literal('kline'),
  E: instant,
  s: z.string(),
  k: z.object({ t: instant, i: z.literal('1m'), o: decimal, h: decimal, l: decimal, c: decimal, v: decimal, V: decimal, x: z.boolean() }),
})
const shutdown = z.object({ e: z.literal('serverShutdown') })
const answer = z.object({ id: z.int(), result: z.null().optional(), code: z.int().optional(), error: z.unknown().optional() })
const otherEvent = z.object({ e: z.string().refine((e) => e !== 'kline') })
const event = z.union([kline, shutdown, otherEvent])
const wrapped = z.object({ stream: z.string(), data: event }).transform(({ data }) => data)
/** The most frequent first. A minute that cannot be read is an error, other events are not. */
const frameSchema = z.union([wrapped, answer, event])
const refusalBody = z.object({ msg: z.string() })

const streamOf = (symbol: string) => `${symbol.toLowerCase()}@kline_1m`

/** One connection: subscribes by message, so that every symbol is confirmed. */
function session(link: SocketLink, time: ProviderClock): SocketSession {
  const asked = new Map<number, readonly string[]>()
  let lastId = 0

  function ask(method: 'SUBSCRIBE' | 'UNSUBSCRIBE', symbols: readonly string[]): number {
    lastId += 1
    link.send(JSON.stringify({ method, params: symbols.map(streamOf), id: lastId }))
    return lastId
  }

  function subscribe(symbols: readonly string[]): void {
    asked.set(ask('SUBSCRIBE', symbols), symbols)
  }

  function confirm(reply: z.infer<typeof answer>): void {
    const symbols = asked.get(reply.id) ?? []
    asked.delete(reply.id)
    const [only, ...others] = symbols
    if (reply.result === null) link.accepted(symbols)
    else if (others.length === 0 && only !== undefined) link.refused(only, `Binance does not give ${only}`)
    // A refusal does not say which of them it means, so they are asked one by one.
    else for (const symbol of symbols) subscribe([symbol])
  }

  function hear(heard: z.infer<typeof event>): void {
    if (heard.e === 'serverShutdown') return link.renew('the server is about to stop')
    if (!('k' in heard)) return
    const { E, s, k } = heard
    time.sample(E)
    const candle = { timeMs: k.t, open: k.o, high: k.h, low: k.l, close: k.c, volume: k.v, takerBuyVolume: k.V }
    link.minute(s, candle, k.x)
  }

  return {
    subscribe,
    unsubscribe: (symbols) => void ask('UNSUBSCRIBE', symbols),
    receive(frame) {
      const message = frameSchema.parse(JSON.parse(frame.toString()))
      if ('id' in message) confirm(message)
      else hear(message)
    },
  }
}

async function history(request: HistoryRequest, { http, budget, time, restUrl }: RestParts): Promise<Candle[]> {
  const { symbol, step, toMs, signal } = request
  const found: Candle[] = []
  let fromMs = request.fromMs
  for (let isMore = fromMs < toMs; isMore;) {
    await budget(signal)
    const url = new URL('/api/v3/klines', restUrl)
    const query = {
      symbol,
      interval: intervals[commonStepOf(step)],
      startTime: `${fromMs}`,
      endTime: `${toMs - 1}`,
      limit: `${rowsPerCall}`,
    }
    url.search = new URLSearchParams(query).toString()
    const page = await http.get({ url, schema: rows, ...(signal && { signal }) })
    for (const [timeMs, open, high, low, close, volume, , , , takerBuyVolume] of page) {
      found.push({ timeMs, open, high, low, close, volume, takerBuyVolume })
    }
    const lastMs = page.at(-1)?.[0] ?? toMs
    isMore = page.length === rowsPerCall && lastMs >= fromMs && lastMs + 1 < toMs
    fromMs = lastMs + 1
  }
  return orderlyCandles(found, request, { nowMs: await time.nowMs(signal), sessionClass: null })
}

/** The Binance feed. Its symbols are such as BTCUSDT. */
export function binanceFeed({ restUrl = binanceHosts.restUrl, socketUrl = binanceHosts.socketUrl, clock, log }: FeedNeeds): Feed {
  const http = httpJson({ name: 'Binance', clock, log, reasonOf: (body) => refusalBody.safeParse(body).data?.msg })
  // A call weighs 2 of 6,000 a minute; more than this is never needed.
  const budget = requestBudget({ limits: [{ count: 10, windowMs: 1000 }], waitMaxMs: 60_000, clock })
  const time = providerClock(clock, async (signal) => {
    const told = await http.get({
      url: new URL('/api/v3/time', restUrl),
      schema: z.object({ serverTime: instant }),
      isOnce: true,
      ...(signal && { signal }),
    })
    return told.serverTime
  })
  const loop = socketLoop({
    name: 'Binance',
    url: `${socketUrl}/stream`,
    limits: socketLimits,
    clock,
    log,
    start: (link) => session(link, time),
    refusal: (status) => (status === 451 || status === 403 ? 'Binance does not serve this place' : undefined),
  })

  return {
    source: 'binance',
    steps: ['1m', '1h', '1D'],
    live: 'minutes',
    history(request) {
      if (!/^[A-Z0-9]+$/.test(request.symbol)) return Promise.reject(new FeedError('refused', `Binance has no ${request.symbol}`))
      return history(request, { http, budget, time, restUrl })
    },
    watch: (symbol, sink) => loop.watch(symbol, sink),
    close: () => loop.close(),
  }
}
