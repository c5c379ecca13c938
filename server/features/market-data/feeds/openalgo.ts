// OpenAlgo: a user-run bridge to a broker. Quotes by its WebSocket, candles by its HTTP API.
import { countedLog } from '../counted-log.ts'
import type { Feed, FeedLog } from '../feed.ts'
import type { FeedOptions } from './feed-options.ts'
import { openAlgoCall, openAlgoSignIn, openAlgoTimeMs, readOpenAlgoMessage, type OpenAlgoMessage } from './openalgo-messages.ts'
import { openAlgoHistory, openAlgoKeyReason } from './openalgo-rest.ts'
import { isOpenAlgoIndex, readOpenAlgoSymbol, writeOpenAlgoSymbol, type OpenAlgoSymbol } from './openalgo-symbols.ts'
import { passQuote } from './quote-to-trade.ts'
import { providerClock } from './provider-clock.ts'
import { quoteTrades, type QuoteTrades } from './quote-to-trade.ts'
import type { SocketLink, SocketSession } from './websocket/types.ts'
import { ResilientWebsocket } from './websocket/resilient-websocket.ts'

/** Default address of an instance on its own host. */
export const openAlgoHosts = { restUrl: 'http://127.0.0.1:5000', socketUrl: 'ws://127.0.0.1:8765' }

export interface OpenAlgoOptions extends FeedOptions {
  readonly apiKey: string
}

const socketLimits = {
  messagesPerSecond: 10,
  mostSymbols: 1000,
  // It pings every 20 s.
  silenceMs: 50_000,
}

/** Its codes are shorter; a user's own server may send anything. */
const codeMax = 60

type MarketData = Extract<OpenAlgoMessage, { type: 'market_data' }>
type Unusable = Extract<OpenAlgoMessage, { type: 'unusable' }>
type Subscription = Extract<OpenAlgoMessage, { type: 'subscribe' }>['subscriptions'][number]

interface SessionParts {
  readonly link: SocketLink
  readonly apiKey: string
  readonly quotes: QuoteTrades
  readonly log: FeedLog
}

/** Sends a call for the symbols that OpenAlgo can have. */
function call(link: SocketLink, action: 'subscribe' | 'unsubscribe', symbols: readonly string[]): void {
  const known: OpenAlgoSymbol[] = []
  for (const text of symbols) {
    const symbol = readOpenAlgoSymbol(text)
    if (symbol !== null) known.push(symbol)
    else if (action === 'subscribe') link.refused(text, `OpenAlgo has no ${text}`)
  }
  if (known.length > 0) link.send(openAlgoCall(action, known))
}

/** One connection: authenticates, then subscribes symbols, each of which is confirmed or rejected. */
function session({ link, apiKey, quotes, log }: SessionParts): SocketSession {
  /** Others are not asked for, and their number has no limit. */
  const asked = new Set<string>()

  function refused(code: string): void {
    if (code === 'AUTHENTICATION_ERROR') link.rejectAll(openAlgoKeyReason)
    // The remaining errors are those of the instance and its broker session, which its operator may fix.
    else link.fail(`answered with the error ${code.slice(0, codeMax)}`)
  }

  function answered(one: Subscription): void {
    const symbol = writeOpenAlgoSymbol(one)
    if (!asked.has(symbol)) return
    if (one.status !== 'success') return link.refused(symbol, `The broker behind OpenAlgo does not give ${symbol}`)
    quotes.live(symbol)
    link.accepted([symbol])
  }

  function received(message: MarketData): void {
    const symbol = writeOpenAlgoSymbol(message)
    if (!asked.has(symbol)) return
    const { ltp: price, volume, timestamp } = message.data
    const timeMs = openAlgoTimeMs(timestamp)
    const dayVolume = isOpenAlgoIndex(message) ? null : (volume ?? null)
    passQuote({ link, quotes }, symbol, { price, dayVolume, timeMs })
  }

  /** Skipped for its symbol; as it may hide a trade, the next one is marked doubtful. */
  function leftOut(message: Unusable): void {
    const symbol = writeOpenAlgoSymbol(message)
    if (!asked.has(symbol)) return
    log('OpenAlgo: a quote that cannot be used', { symbol })
    if (message.isEmpty) return
    quotes.cut(symbol)
    link.doubt(symbol, Number.NaN)
  }

  return {
    opened: () => link.send(openAlgoSignIn(apiKey)),
    subscribe(symbols) {
      for (const symbol of symbols) asked.add(symbol)
      call(link, 'subscribe', symbols)
    },
    unsubscribe(symbols) {
      for (const symbol of symbols) {
        asked.delete(symbol)
        quotes.forget(symbol)
      }
      call(link, 'unsubscribe', symbols)
    },
    receive(frame) {
      const message = readOpenAlgoMessage(frame.toString())
      if (message === null) {
        quotes.cut()
        throw new Error('A message that is none')
      }
      if (message.type === 'market_data') received(message)
      else if (message.type === 'unusable') leftOut(message)
      else if (message.type === 'error') refused(message.code)
      else if (message.type === 'subscribe') message.subscriptions.forEach(answered)
      else if (message.type === 'auth') {
        if (message.status === 'success') link.ready()
        else refused(message.code ?? 'AUTHENTICATION_ERROR')
      }
    },
    ended: () => quotes.cut(),
  }
}

/** The OpenAlgo feed. Symbols look like `NSE:RELIANCE` and `NSE_INDEX:NIFTY`. */
export function openalgoFeed(options: OpenAlgoOptions): Feed {
  const { restUrl = openAlgoHosts.restUrl, socketUrl = openAlgoHosts.socketUrl, apiKey, clock, log } = options
  const time = providerClock(clock)
  const quotes = quoteTrades(() => clock.now() + time.offsetMs())
  const counted = countedLog({ clock, log })
  const loop = new ResilientWebsocket({
    name: 'OpenAlgo',
    url: new URL(socketUrl).href,
    limits: socketLimits,
    ...(options.dial && { dial: options.dial }),
    ...(options.intake && { intake: options.intake }),
    clock,
    log,
    start: (link) => session({ link, apiKey, quotes, log: counted.log }),
    rejection: (status) => (status === 401 || status === 403 ? openAlgoKeyReason : undefined),
  })
  return {
    source: 'openalgo',
    steps: ['1m', '1h', '1D'],
    live: 'trades',
    // As its brokers do.
    splitHistory: 'adjusted',
    history: openAlgoHistory({ restUrl, apiKey, clock, log, time, ...(options.fetch && { fetch: options.fetch }) }),
    watch: (symbol, sink) => loop.watch(symbol, sink),
    async close() {
      counted.stop()
      await loop.close()
    },
  }
}
