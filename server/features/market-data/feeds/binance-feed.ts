// Binance: minutes with taker buy volume by WebSocket and history by REST, both from the hosts that serve market data only.
import { z } from 'zod'
import { hourMs } from '#shared/base/durations.ts'
import { commonStepOf, commonSteps, FeedError, type Feed } from '../feed.ts'
import type { FeedOptions } from './feed-options.ts'
import { JsonHttpClient } from './json-http-client.ts'
import { loadHistory } from './load-history.ts'
import { ProviderClock } from './provider-clock.ts'
import { numberRowSchema, numberSchema as number, rowsOf } from './provider-number.ts'
import { ResilientWebSocket } from './websocket/resilient-web-socket.ts'
import type { SocketLink, SocketSession } from './websocket/subscription-session.ts'

export const binanceHosts = { restUrl: 'https://data-api.binance.vision', socketUrl: 'wss://data-stream.binance.vision' }

const rowsPerCall = 1000
const intervals = { '1m': '1m', '1h': '1h', '1D': '1d' } as const
const socketLimits = {
  // The provider disconnects at 5, and our pings count.
  messagesPerSecond: 4,
  symbolsMax: 1000,
  // It pings every 20 s and updates each minute every 2 s.
  silenceMs: 30_000,
  // The provider disconnects after 24 h.
  renewAfterMs: 23 * hourMs,
}

/** Open time, prices, volume, close time, quote volume, trade count, taker buy volume, and more. */
const rows = rowsOf(numberRowSchema)

const kline = z.object({
  e: z.literal('kline'),
  E: number,
  s: z.string(),
  k: z.object({ t: number, i: z.literal('1m'), o: number, h: number, l: number, c: number, v: number, V: number, x: z.boolean() }),
})
const shutdown = z.object({ e: z.literal('serverShutdown') })
const reply = z.object({ id: z.int(), result: z.null().optional(), code: z.int().optional(), error: z.unknown().optional() })
const otherEvent = z.object({ e: z.string().refine((e) => e !== 'kline') })
const event = z.union([kline, shutdown, otherEvent])
const wrapped = z.object({ stream: z.string(), data: event }).transform(({ data }) => data)
/** Most frequent first. An invalid kline is an error; other events are ignored. */
const frameSchema = z.union([wrapped, reply, event])
const rejectionBody = z.object({ msg: z.string() })
const timeSchema = z.object({ serverTime: z.int().nonnegative() })

const streamOf = (symbol: string) => `${symbol.toLowerCase()}@kline_1m`

/** One connection: subscribes by message, so that every symbol is confirmed. */
function session(link: SocketLink, time: ProviderClock): SocketSession {
  const pending = new Map<number, readonly string[]>()
  let lastId = 0

  function send(method: 'SUBSCRIBE' | 'UNSUBSCRIBE', symbols: readonly string[]): number {
    lastId += 1
    link.send(JSON.stringify({ method, params: symbols.map(streamOf), id: lastId }))
    return lastId
  }

  function subscribe(symbols: readonly string[]): void {
    pending.set(send('SUBSCRIBE', symbols), symbols)
  }

  function confirm({ id, result }: z.infer<typeof reply>): void {
    const symbols = pending.get(id) ?? []
    pending.delete(id)
    const [only, ...others] = symbols
    if (result === null) link.accepted(symbols)
    else if (others.length === 0 && only !== undefined) link.refused(only, `Binance does not give ${only}`)
    // A rejection does not name the symbol, so retry them one by one.
    else for (const symbol of symbols) subscribe([symbol])
  }

  function handle(received: z.infer<typeof event>): void {
    if (received.e === 'serverShutdown') return link.renew('the server is about to stop')
    if (!('k' in received)) return
    const { E, s, k } = received
    if (Number.isFinite(E)) time.sample(E)
    const candle = { timeMs: k.t, open: k.o, high: k.h, low: k.l, close: k.c, volume: k.v, takerBuyVolume: k.V }
    link.minute(s, candle, k.x, Number.isFinite(E) ? E : undefined)
  }

  return {
    subscribe,
    unsubscribe: (symbols) => void send('UNSUBSCRIBE', symbols),
    receive(frame) {
      const message = frameSchema.parse(JSON.parse(frame.toString()))
      if ('id' in message) confirm(message)
      else handle(message)
    },
  }
}

/** The Binance feed. Symbols look like BTCUSDT. */
export function binanceFeed({ restUrl = binanceHosts.restUrl, socketUrl = binanceHosts.socketUrl, clock, log }: FeedOptions): Feed {
  const http = new JsonHttpClient({
    name: 'Binance',
    clock,
    log,
    reasonOf: (body) => rejectionBody.safeParse(body).data?.msg,
    // A call weighs 2 of 6,000 per minute; this is more than enough.
    limits: [{ count: 10, windowMs: 1000 }],
  })
  const time = new ProviderClock(clock, async (signal) => {
    const response = await http.get({ url: new URL('/api/v3/time', restUrl), schema: timeSchema, isOnce: true, signal })
    return response.serverTime
  })
  const socket = new ResilientWebSocket({
    name: 'Binance',
    url: `${socketUrl}/stream`,
    limits: socketLimits,
    clock,
    log,
    start: (link) => session(link, time),
    rejection: (status) => (status === 451 || status === 403 ? 'Binance does not serve this place' : undefined),
  })

  return {
    source: 'binance',
    steps: commonSteps,
    live: 'minutes',
    async history(request) {
      const { symbol, step, signal } = request
      if (!/^[A-Z0-9]+$/.test(symbol)) throw new FeedError('refused', `Binance has no ${symbol}`)
      const interval = intervals[commonStepOf(step)]
      return await loadHistory(request, time, {
        sessionClass: null,
        // A response continues with the next existing row, so a long time without trades costs one call.
        async load({ fromMs, toMs }) {
          const url = new URL('/api/v3/klines', restUrl)
          const query = { symbol, interval, startTime: `${fromMs}`, endTime: `${toMs - 1}`, limit: `${rowsPerCall}` }
          url.search = new URLSearchParams(query).toString()
          const page = await http.get({ url, schema: rows, signal })
          return page.map((row) => {
            const [timeMs = NaN, open = NaN, high = NaN, low = NaN, close = NaN, volume = NaN, , , , takerBuyVolume = NaN] = row
            return { timeMs, open, high, low, close, volume, takerBuyVolume }
          })
        },
      })
    },
    watch: (symbol, sink) => socket.watch(symbol, sink),
    close: () => socket.close(),
  }
}
