// Coinbase Exchange: trades by WebSocket, from which minutes are built, and candles by REST. The newer brokerage API needs a key.
import { z } from 'zod'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { countedLog } from '../counted-log.ts'
import { FeedError, stepMs, type Feed, type HistoryRequest } from '../feed.ts'
import { CoinbaseSession, match, tradeOf } from './coinbase-session.ts'
import type { NumberedTrade } from './coinbase-trades.ts'
import type { FeedOptions } from './feed-options.ts'
import { loadWholeSpans } from './load-whole-span.ts'
import { orderlyCandles } from './orderly-candles.ts'
import { HttpJson } from './json-http-client.ts'
import { providerClock } from './provider-clock.ts'
import { numberRowSchema, rowsOf } from './provider-number.ts'
import { requestBudget } from './rate-limiter.ts'
import type { RestParts } from './rest-context.ts'
import { ResilientWebsocket } from './websocket/resilient-websocket.ts'

export const coinbaseHosts = { restUrl: 'https://api.exchange.coinbase.com', socketUrl: 'wss://ws-feed.exchange.coinbase.com' }

/** The provider rejects more than 300, counting both ends. */
const candlesPerCall = 299
const tradesPerCall = 1000
/** Pages of trades per minute; busier minutes are left to history. */
const mostPages = 5
/** We subscribe to the heartbeat of every product, which is sent each second. */
const socketLimits = { messagesPerSecond: 8, mostSymbols: 100, silenceMs: 15_000 }

/** Open time in seconds, low, high, open, close, volume. */
const rows = rowsOf(numberRowSchema)
/** An unreadable trade is missing in its minute, which is requested again when it is final. */
const trades = rowsOf(z.unknown()).transform((list) => list.flatMap((one) => match.safeParse(one).data ?? []))
const rejectionBody = z.object({ message: z.string() })

function productUrl(restUrl: string, symbol: string, what: { path: string; query: Record<string, string> }): URL {
  if (!/^[A-Z0-9]+-[A-Z0-9]+$/.test(symbol)) throw new FeedError('refused', `Coinbase has no ${symbol}`)
  const url = new URL(`/products/${symbol}/${what.path}`, restUrl)
  url.search = new URLSearchParams(what.query).toString()
  return url
}

async function history(request: HistoryRequest, { http, budget, time, restUrl }: RestParts): Promise<Candle[]> {
  const { symbol, step, signal } = request
  const width = stepMs[step]
  const nowMs = await time.nowMs(signal)
  async function load({ fromMs, toMs }: TimeSpan): Promise<Candle[]> {
    await budget(signal)
    const query = { granularity: `${width / 1000}`, start: new Date(fromMs).toISOString(), end: new Date(toMs - 1).toISOString() }
    const page = await http.get({ url: productUrl(restUrl, symbol, { path: 'candles', query }), schema: rows, ...(signal && { signal }) })
    // Newest first.
    return page.toReversed().map(([seconds = NaN, low = NaN, high = NaN, open = NaN, close = NaN, volume = NaN]) => {
      return { timeMs: seconds * 1000, open, high, low, close, volume, takerBuyVolume: null }
    })
  }

  // A range without trades returns the newest candles, so the future is never requested.
  const span = { fromMs: Math.floor(request.fromMs / width) * width, toMs: Math.min(request.toMs, nowMs) }
  const found = await loadWholeSpans(span, candlesPerCall * width, { step, sessionClass: null, load })
  return orderlyCandles(found, request, { nowMs, sessionClass: null })
}

/** Trades since an instant, newest page first. */
async function recentTrades(symbol: string, fromMs: number, { http, budget, restUrl }: RestParts): Promise<NumberedTrade[]> {
  const found: NumberedTrade[] = []
  for (let pages = 0; pages < mostPages; pages += 1) {
    await budget()
    const oldest = found.at(-1)
    const query = { limit: `${tradesPerCall}`, ...(oldest && { after: `${oldest.id}` }) }
    const page = await http.get({ url: productUrl(restUrl, symbol, { path: 'trades', query }), schema: trades })
    for (const trade of page) found.push(tradeOf(trade))
    const last = found.at(-1)
    if (page.length < tradesPerCall || last === undefined || last.timeMs < fromMs) return found
  }
  return found
}

/** The Coinbase feed. Symbols look like BTC-USD. */
export function coinbaseFeed({ restUrl = coinbaseHosts.restUrl, socketUrl = coinbaseHosts.socketUrl, clock, log }: FeedOptions): Feed {
  const http = new HttpJson({ name: 'Coinbase', clock, log, reasonOf: (body) => rejectionBody.safeParse(body).data?.message })
  const budget = requestBudget({ limits: [{ count: 5, windowMs: 1000 }], waitMaxMs: 60_000, clock })
  const time = providerClock(clock, async (signal) => {
    const notified = await http.get({
      url: new URL('/time', restUrl),
      schema: z.object({ iso: z.iso.datetime() }),
      isOnce: true,
      ...(signal && { signal }),
    })
    return Date.parse(notified.iso)
  })
  const rest = { http, budget, time, restUrl }
  const counted = countedLog({ clock, log })
  const loop = new ResilientWebsocket({
    name: 'Coinbase',
    url: socketUrl,
    limits: socketLimits,
    clock,
    log,
    start: (link) =>
      new CoinbaseSession(link, { time, clock, log: counted.log, recent: (symbol, fromMs) => recentTrades(symbol, fromMs, rest) }),
  })

  return {
    source: 'coinbase',
    steps: ['1m', '1h', '1D'],
    live: 'trades',
    history: (request) => history(request, rest),
    watch: (symbol, sink) => loop.watch(symbol, sink),
    async close() {
      counted.stop()
      await loop.close()
    },
  }
}
