// Coinbase Exchange: trades by WebSocket, from which minutes are built, and candles by REST. The newer brokerage API needs a key.
import { z } from 'zod'
import { minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { commonSteps, FeedError, stepMs, type Feed, type FeedLog, type HistoryRequest, type Trade } from '../feed.ts'
import type { FeedOptions } from './feed-options.ts'
import { JsonHttpClient } from './json-http-client.ts'
import { loadHistory } from './load-history.ts'
import { ProviderClock } from './provider-clock.ts'
import { numberRowSchema, numberSchema, rowsOf } from './provider-number.ts'
import { ResilientWebSocket } from './websocket/resilient-web-socket.ts'
import type { SocketLink, SocketSession } from './websocket/subscription-session.ts'

export const coinbaseHosts = { restUrl: 'https://api.exchange.coinbase.com', socketUrl: 'wss://ws-feed.exchange.coinbase.com' }

/** The provider rejects more than 300, counting both ends. */
const candlesPerCall = 299
const tradesPerCall = 1000
/** Pages of trades per minute; busier minutes are left to history. */
const pagesMax = 5
/** Recent sequence numbers of trades kept to detect duplicates. */
const tradeIdsMax = 5000
/** We subscribe to the heartbeat of every product, which is sent each second. */
const socketLimits = { messagesPerSecond: 8, symbolsMax: 100, silenceMs: 15_000 }

export interface NumberedTrade extends Trade {
  readonly id: number
}

const match = z.object({
  trade_id: z.int(),
  time: z.iso.datetime({ offset: true }),
  price: numberSchema,
  size: numberSchema,
  side: z.enum(['buy', 'sell']),
})
const matchOfProduct = match.extend({ product_id: z.string() })
const heartbeat = z.object({ product_id: z.string(), last_trade_id: z.int(), time: z.iso.datetime({ offset: true }) })
const anyMessage = z.object({ type: z.string() })
/** Open time in seconds, low, high, open, close, volume. */
const rows = rowsOf(numberRowSchema)
/** An unreadable trade is missing in its minute, which is requested again when it is final. */
const trades = rowsOf(z.unknown()).transform((list) => list.flatMap((one) => match.safeParse(one).data ?? []))
const timeSchema = z.object({ iso: z.iso.datetime() })
const rejectionBody = z.object({ message: z.string() })

/** The provider reports the maker's side; the taker is on the opposite side. */
export function tradeOf({ trade_id: id, time, price, size, side }: z.infer<typeof match>): NumberedTrade {
  return { id, timeMs: Date.parse(time), price, size, isTakerBuy: side === 'sell' }
}

interface TradeSequenceOptions {
  /** Recent trades since an instant, in any order; as many as the provider returns. */
  recent(fromMs: number): Promise<readonly NumberedTrade[]>
  /** Start of the provider's current minute. */
  minuteStartMs(): number
  emit(trade: Trade): void
  /** All trades of the current minute are known or could not be fetched; emitted before the trades themselves. */
  complete(): void
  /** The provider reports that nothing was traded since the last known trade. */
  alive(): void
  readonly log: FeedLog
}

/** Orders the trades of one product on one connection by sequence number, and fetches those that the stream missed. */
export class TradeSequence {
  readonly #options: TradeSequenceOptions
  readonly #seen = new Set<number>()
  /** Streamed trades, buffered while missed ones are fetched. */
  #buffered: NumberedTrade[] | undefined
  #lastId = -Infinity
  #isStopped = false

  constructor(options: TradeSequenceOptions) {
    this.#options = options
  }

  /** Fetches the current minute from its start; until then streamed trades are buffered. */
  start(): void {
    this.#fill().catch((error: unknown) => this.#options.log('Coinbase: trades are handled wrongly', { error: String(error) }))
  }

  receive(trade: NumberedTrade): void {
    if (this.#buffered === undefined && this.#lastId > -Infinity && trade.id > this.#lastId + 1) this.start()
    if (this.#buffered === undefined) this.#emit(trade)
    else this.#buffered.push(trade)
  }

  /** Sequence number of the provider's newest trade, and whether the message is newer than the last one. */
  expect(id: number, isNew: boolean): void {
    if (this.#buffered !== undefined || this.#lastId === -Infinity) return
    if (id > this.#lastId) {
      // The gap may lie before the minute, where only history helps; it is requested once.
      this.#lastId = id
      this.start()
    } else if (isNew) this.#options.alive()
  }

  stop(): void {
    this.#isStopped = true
  }

  #emit({ id, timeMs, price, size, isTakerBuy }: NumberedTrade): void {
    if (this.#seen.has(id)) return
    this.#seen.add(id)
    if (this.#seen.size > tradeIdsMax) for (const oldest of this.#seen.values().take(1)) this.#seen.delete(oldest)
    this.#lastId = Math.max(this.#lastId, id)
    this.#options.emit({ timeMs, price, size, isTakerBuy })
  }

  async #fill(): Promise<void> {
    const buffered: NumberedTrade[] = (this.#buffered = [])
    const fromMs = this.#options.minuteStartMs()
    let found: readonly NumberedTrade[] = []
    try {
      found = await this.#options.recent(fromMs)
    } catch (error) {
      this.#options.log('Coinbase: missed trades cannot be fetched', { error: error instanceof Error ? error.message : 'unknown' })
    }
    if (this.#isStopped) return
    this.#buffered = undefined
    // Trades before the minute are not emitted, but their numbers define the next expected one.
    this.#lastId = found.reduce((last, { id, timeMs }) => (timeMs < fromMs ? Math.max(last, id) : last), this.#lastId)
    this.#options.complete()
    const all = [...found.filter((trade) => trade.timeMs >= fromMs), ...buffered]
    for (const trade of all.toSorted((one, other) => one.id - other.id)) this.#emit(trade)
  }
}

/** One connection. A rejection does not name the product, so products are subscribed one after the other. */
class CoinbaseSession implements SocketSession {
  readonly #link: SocketLink
  readonly #rest: ReturnType<typeof coinbaseRest>
  readonly #sequences = new Map<string, TradeSequence>()
  /** Newest heartbeat of each product: a repeated one proves nothing. */
  readonly #heartbeats = new Map<string, number>()
  readonly #queue: string[] = []
  /** The product whose confirmation is awaited. */
  #pending: string | undefined

  constructor(link: SocketLink, rest: ReturnType<typeof coinbaseRest>) {
    this.#link = link
    this.#rest = rest
  }

  subscribe(symbols: readonly string[]): void {
    this.#queue.push(...symbols)
    this.#subscribeNext()
  }

  unsubscribe(symbols: readonly string[]): void {
    for (const symbol of symbols) {
      if (this.#queue.includes(symbol)) this.#queue.splice(this.#queue.indexOf(symbol), 1)
      else this.#send('unsubscribe', symbol)
      this.#close(symbol)
    }
  }

  receive(frame: string | Buffer): void {
    const body: unknown = JSON.parse(frame.toString())
    const { type } = anyMessage.parse(body)
    if (type === 'subscriptions') this.#confirm(true)
    else if (type === 'error') this.#confirm(false)
    else if (type === 'match') {
      const received = matchOfProduct.parse(body)
      this.#rest.time.sample(Date.parse(received.time))
      this.#sequences.get(received.product_id)?.receive(tradeOf(received))
    } else if (type === 'heartbeat') this.#handleHeartbeat(heartbeat.parse(body))
  }

  ended(): void {
    for (const symbol of this.#sequences.keys()) this.#close(symbol)
  }

  #send(type: 'subscribe' | 'unsubscribe', symbol: string): void {
    this.#link.send(JSON.stringify({ type, product_ids: [symbol], channels: ['matches', 'heartbeat'] }))
  }

  #subscribeNext(): void {
    if (this.#pending !== undefined) return
    this.#pending = this.#queue.shift()
    if (this.#pending === undefined) return
    this.#sequences.set(this.#pending, this.#newSequence(this.#pending))
    this.#send('subscribe', this.#pending)
  }

  #newSequence(symbol: string): TradeSequence {
    const { time, recentTrades } = this.#rest
    let isLive = false
    return new TradeSequence({
      recent: (fromMs) => recentTrades(symbol, fromMs),
      minuteStartMs: () => Math.floor(time.estimateMs() / minuteMs) * minuteMs,
      emit: (trade) => this.#link.trade(symbol, trade),
      complete: () => {
        if (isLive) this.#link.resync(symbol)
        else this.#link.accepted([symbol])
        isLive = true
      },
      alive: () => this.#link.alive(symbol),
      log: this.#link.log,
    })
  }

  #close(symbol: string): void {
    this.#sequences.get(symbol)?.stop()
    this.#sequences.delete(symbol)
    this.#heartbeats.delete(symbol)
  }

  #confirm(isAccepted: boolean): void {
    const symbol = this.#pending
    this.#pending = undefined
    if (symbol !== undefined && !isAccepted) {
      this.#close(symbol)
      this.#link.refused(symbol, `Coinbase does not give ${symbol}`)
    } else if (symbol !== undefined) this.#sequences.get(symbol)?.start()
    this.#subscribeNext()
  }

  #handleHeartbeat({ product_id: symbol, last_trade_id: id, time }: z.infer<typeof heartbeat>): void {
    const timeMs = Date.parse(time)
    this.#rest.time.sample(timeMs)
    const isNew = timeMs > (this.#heartbeats.get(symbol) ?? -Infinity)
    if (isNew) this.#heartbeats.set(symbol, timeMs)
    this.#sequences.get(symbol)?.expect(id, isNew)
  }
}

function coinbaseRest({ restUrl = coinbaseHosts.restUrl, clock, log }: FeedOptions) {
  const http = new JsonHttpClient({
    name: 'Coinbase',
    clock,
    log,
    reasonOf: (body) => rejectionBody.safeParse(body).data?.message,
    limits: [{ count: 5, windowMs: 1000 }],
  })
  const time = new ProviderClock(clock, async (signal) => {
    const response = await http.get({ url: new URL('/time', restUrl), schema: timeSchema, isOnce: true, signal })
    return Date.parse(response.iso)
  })

  function productUrl(symbol: string, path: string, query: Record<string, string>): URL {
    if (!/^[A-Z0-9]+-[A-Z0-9]+$/.test(symbol)) throw new FeedError('refused', `Coinbase has no ${symbol}`)
    const url = new URL(`/products/${symbol}/${path}`, restUrl)
    url.search = new URLSearchParams(query).toString()
    return url
  }

  function history(request: HistoryRequest): Promise<Candle[]> {
    const { symbol, step, signal } = request
    const widthMs = stepMs[step]
    return loadHistory(request, time, {
      sessionClass: null,
      spanMs: candlesPerCall * widthMs,
      // A range without trades returns the newest candles, which are outside of the request.
      async load({ fromMs, toMs }) {
        const startMs = Math.floor(fromMs / widthMs) * widthMs
        const query = {
          granularity: `${widthMs / 1000}`,
          start: new Date(startMs).toISOString(),
          end: new Date(toMs - 1).toISOString(),
        }
        const page = await http.get({ url: productUrl(symbol, 'candles', query), schema: rows, signal })
        // Newest first.
        return page.toReversed().map(([seconds = NaN, low = NaN, high = NaN, open = NaN, close = NaN, volume = NaN]) => {
          return { timeMs: seconds * 1000, open, high, low, close, volume, takerBuyVolume: null }
        })
      },
    })
  }

  /** Trades since an instant, newest page first. */
  async function recentTrades(symbol: string, fromMs: number): Promise<NumberedTrade[]> {
    const found: NumberedTrade[] = []
    for (let pages = 0; pages < pagesMax; pages += 1) {
      const oldest = found.at(-1)
      const query = { limit: `${tradesPerCall}`, ...(oldest && { after: `${oldest.id}` }) }
      const page = await http.get({ url: productUrl(symbol, 'trades', query), schema: trades })
      for (const trade of page) found.push(tradeOf(trade))
      const last = found.at(-1)
      if (page.length < tradesPerCall || last === undefined || last.timeMs < fromMs) return found
    }
    return found
  }

  return { time, history, recentTrades }
}

/** The Coinbase feed. Symbols look like BTC-USD. */
export function coinbaseFeed(options: FeedOptions): Feed {
  const { socketUrl = coinbaseHosts.socketUrl, clock, log } = options
  const rest = coinbaseRest(options)
  const socket = new ResilientWebSocket({
    name: 'Coinbase',
    url: socketUrl,
    limits: socketLimits,
    clock,
    log,
    start: (link) => new CoinbaseSession(link, rest),
  })
  return {
    source: 'coinbase',
    steps: commonSteps,
    live: 'trades',
    history: rest.history,
    watch: (symbol, sink) => socket.watch(symbol, sink),
    close: () => socket.close(),
  }
}
