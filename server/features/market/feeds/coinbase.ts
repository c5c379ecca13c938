// Coinbase Exchange: trades by WebSocket, from which minutes are built, and candles by REST. Not the broker's newer interface, which needs a key.
import { z } from 'zod'
import type { Candle } from '#shared/market/candles/candle.ts'
import { countedLog } from '../counted-log.ts'
import { FeedError, stepMs, type Feed, type HistoryRequest } from '../feed.ts'
import { coinbaseSession, match, tradeOf } from './coinbase-session.ts'
import type { NumberedTrade } from './coinbase-trades.ts'
import type { FeedNeeds } from './feed-needs.ts'
import { historySpans, orderlyCandles } from './history-spans.ts'
import { decimal } from './http-json-decimal.ts'
import { httpJson } from './http-json.ts'
import { providerClock } from './provider-clock.ts'
import { requestBudget } from './request-budget.ts'
import type { RestParts } from './rest-parts.ts'
import { socketLoop } from './socket-loop.ts'

export const coinbaseHosts = { restUrl: 'https://api.exchange.coinbase.com', socketUrl: 'wss://ws-feed.exchange.coinbase.com' }

/** The provider refuses more than 300, counting both ends. */
const candlesPerCall = 299
const tradesPerCall = 1000
/** Trades of one minute in pages; a busier minute is left to history. */
const mostPages = 5
/** We ask for the heartbeat of every product, which comes each second. */
const socketLimits = { messagesPerSecond: 8, mostSymbols: 100, silenceMs: 15_000 }

/** Opening time in seconds, low, high, open, close, volume. */
const rows = z.array(z.tuple([z.int(), decimal, decimal, decimal, decimal, decimal]))
const trades = z.array(match)
const refusalBody = z.object({ message: z.string() })

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
  const found: Candle[] = []
  // A range without a trade is answered with the newest candles, so nothing is asked about the future.
  const span = { fromMs: Math.floor(request.fromMs / width) * width, toMs: Math.min(request.toMs, nowMs) }
  for (const { fromMs, toMs } of historySpans(span, candlesPerCall * width)) {
    await budget(signal)
    const query = { granularity: `${width / 1000}`, start: new Date(fromMs).toISOString(), end: new Date(toMs - 1).toISOString() }
    const page = await http.get({ url: productUrl(restUrl, symbol, { path: 'candles', query }), schema: rows, ...(signal && { signal }) })
    for (const [seconds, low, high, open, close, volume] of page) {
      found.push({ timeMs: seconds * 1000, open, high, low, close, volume, takerBuyVolume: null })
    }
  }
  return orderlyCandles(found, request, { nowMs, sessionClass: null })
}

/** Trades from an instant on, newest page first. */
async function recentTrades(symbol: string, fromMs: number, { http, budget, restUrl }: RestParts): Promise<NumberedTrade[]> {
  const found: NumberedTrade[] = []
  for (let pages = 0; pages < mostPages; pages += 1) {
    await budget()
    const oldest = found.at(-1)
    const query = { limit: `${tradesPerCall}`, ...(oldest && { after: `${oldest.id}` }) }
    const page = await http.get({ url: productUrl(restUrl, symbol, { path: 'trades', query }), schema: trades })
    found.push(...page.map(tradeOf))
    const last = found.at(-1)
    if (page.length < tradesPerCall || last === undefined || last.timeMs < fromMs) return found
  }
  return found
}

/** The Coinbase feed. Its symbols are such as BTC-USD. */
export function coinbaseFeed({ restUrl = coinbaseHosts.restUrl, socketUrl = coinbaseHosts.socketUrl, clock, log }: FeedNeeds): Feed {
  const http = httpJson({ name: 'Coinbase', clock, log, reasonOf: (body) => refusalBody.safeParse(body).data?.message })
  const budget = requestBudget({ limits: [{ count: 5, windowMs: 1000 }], waitMaxMs: 60_000, clock })
  const time = providerClock(clock, async (signal) => {
    const told = await http.get({
      url: new URL('/time', restUrl),
      schema: z.object({ iso: z.iso.datetime() }),
      isOnce: true,
      ...(signal && { signal }),
    })
    return Date.parse(told.iso)
  })
  const rest = { http, budget, time, restUrl }
  const counted = countedLog({ clock, log })
  const loop = socketLoop({
    name: 'Coinbase',
    url: socketUrl,
    limits: socketLimits,
    clock,
    log,
    start: (link) =>
      coinbaseSession(link, { time, clock, log: counted.log, recent: (symbol, fromMs) => recentTrades(symbol, fromMs, rest) }),
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
