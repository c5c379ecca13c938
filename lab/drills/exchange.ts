// An exchange in real time for the drill of the alerts: Binance's protocol with the prices of the demo market.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { HistoryStep } from '#server/features/market-data/feed.ts'
import { demoMarketOf } from '#server/features/market-data/feeds/testing/demo-market-of.ts'
import type { Peer, Truth } from '#server/features/market-data/feeds/testing/dialect.ts'
import { binanceDialect } from '#server/features/market-data/feeds/testing/fake-binance-server.ts'

const symbol = 'BTCUSDT'
const eventMs = 500
const historyMs: Partial<Record<HistoryStep, number>> = { '1m': 2_880 * minuteMs, '1h': 43_200 * minuteMs, '1D': 576_000 * minuteMs }

/** Starts the exchange, which offers one symbol, and returns its port. */
export async function startExchange(series: string): Promise<{ port: number; stop: () => void }> {
  const market = demoMarketOf(series)
  const truth: Truth = {
    nowMs: Date.now,
    candles: (_, step) => market.candles(step, Date.now() - (historyMs[step] ?? 0), Date.now() - minuteMs),
    trades: () => [],
    isOffered: (asked) => asked === symbol,
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://exchange')
    const asked = { method: request.method ?? 'GET', path: pathname, query: searchParams, headers: request.headers, body: '' }
    const { status, body } = binanceDialect.answer(asked, truth) ?? { status: 404, body: '{}' }
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket, request) => serve(socket, new URL(request.url ?? '/', 'http://exchange'), truth, market))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      for (const socket of sockets.clients) socket.terminate()
      server.close()
      server.closeAllConnections()
    },
  }
}

type Market = ReturnType<typeof demoMarketOf>

function serve(socket: WebSocket, url: URL, truth: Truth, market: Market): void {
  const subscribed = new Set<string>()
  const peer: Peer = {
    url,
    headers: {},
    memory: new Map(),
    subscribed,
    subscribe: (asked) => void subscribed.add(asked),
    unsubscribe: (asked) => void subscribed.delete(asked),
    send: (frame) => socket.send(frame),
    close: (code, reason) => socket.close(code, reason),
  }
  let lastMinute: Candle | undefined
  const timer = setInterval(() => {
    const nowMs = Date.now()
    const beginMs = nowMs - (nowMs % minuteMs)
    const [whole] = market.candles('1m', beginMs, beginMs + 1)
    if (whole === undefined) return
    const closed = lastMinute !== undefined && lastMinute.timeMs < beginMs ? [{ minute: lastMinute, isClosed: true }] : []
    const minutes = [...closed, { minute: forming(whole, nowMs), isClosed: false }]
    lastMinute = whole
    if (!subscribed.has(symbol)) return
    for (const event of minutes)
      for (const frame of binanceDialect.frames?.({ symbol, trade: undefined, ...event, dayVolume: 0, timeMs: nowMs }, peer, truth) ?? [])
        socket.send(frame)
  }, eventMs)
  socket.on('message', (data: Buffer) => binanceDialect.received?.(peer, data.toString(), truth))
  socket.on('close', () => clearInterval(timer))
  socket.on('error', () => socket.terminate())
}

/** The minute so far: between its lowest and its highest price. */
function forming(whole: Candle, nowMs: number): Candle {
  const part = (nowMs - whole.timeMs) / minuteMs
  const close = Math.round((whole.low + (whole.high - whole.low) * Math.random()) * 100) / 100
  const high = Math.max(whole.open, close)
  const low = Math.min(whole.open, close)
  return { ...whole, high, low, close, volume: (whole.volume ?? 0) * part, takerBuyVolume: (whole.takerBuyVolume ?? 0) * part }
}
