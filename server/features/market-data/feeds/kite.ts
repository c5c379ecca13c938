// Zerodha Kite: binary prices of NSE and BSE by WebSocket, candles by HTTP. Needs a daily access token.
import { countedLog } from '../counted-log.ts'
import { FeedError, type Feed, type FeedLog } from '../feed.ts'
import type { FeedOptions } from './feed-options.ts'
import { readKiteFrame, type KiteFrame, type KiteTick } from './kite-packets.ts'
import { kiteRest, kiteTokenReason, type KiteRest } from './kite-rest.ts'
import { passQuote } from './quote-to-trade.ts'
import { providerClock } from './provider-clock.ts'
import { quoteTrades, type QuoteTrades } from './quote-to-trade.ts'
import type { SocketLink, SocketSession } from './websocket/types.ts'
import { ResilientWebsocket } from './websocket/resilient-websocket.ts'

export const kiteHosts = { restUrl: 'https://api.kite.trade', socketUrl: 'wss://ws.kite.trade' }

export interface KiteOptions extends FeedOptions {
  readonly apiKey: string
  /** Valid for one day. */
  readonly accessToken: string
}

const socketLimits = {
  messagesPerSecond: 5,
  mostSymbols: 3000,
  // A heartbeat arrives every second.
  silenceMs: 15_000,
}

/** Kite confirms nothing. A price confirms a symbol, and so does this number of frames after the subscription. */
const framesToConfirm = 3

interface SessionParts {
  readonly link: SocketLink
  readonly rest: KiteRest
  readonly quotes: QuoteTrades
  readonly log: FeedLog
}

/** Pending symbols of one connection, with the remaining frames before each counts as confirmed. */
function confirmations(confirmed: (symbols: readonly string[]) => void) {
  const waiting = new Map<string, number>()
  return {
    add: (symbol: string) => void waiting.set(symbol, framesToConfirm),
    drop: (symbol: string) => void waiting.delete(symbol),
    /** Handles a frame with prices of these symbols. */
    received(symbols: readonly string[]): void {
      for (const symbol of symbols) if (waiting.has(symbol)) waiting.set(symbol, 0)
      for (const [symbol, left] of waiting) waiting.set(symbol, left - 1)
      const done = [...waiting].filter(([, left]) => left <= 0).map(([symbol]) => symbol)
      for (const symbol of done) waiting.delete(symbol)
      if (done.length > 0) confirmed(done)
    },
  }
}

/** One connection: maps symbols to tokens by the instrument list, and tokens of packets back to symbols. */
class KiteSession implements SocketSession {
  readonly #options: SessionParts
  readonly #symbolByToken = new Map<number, string>()
  readonly #tokenBySymbol = new Map<string, number>()
  readonly #wanted = new Set<string>()
  readonly #confirms = confirmations((symbols) => {
    for (const symbol of symbols) this.#options.quotes.live(symbol)
    this.#options.link.accepted(symbols)
  })

  constructor(options: SessionParts) {
    this.#options = options
  }

  subscribe(symbols: readonly string[]): void {
    for (const symbol of symbols) this.#wanted.add(symbol)
    this.#ask(symbols).catch((error: unknown) => this.#failed(error))
  }

  unsubscribe(symbols: readonly string[]): void {
    const tokens = symbols.map((symbol) => this.#tokenBySymbol.get(symbol)).filter((token) => token !== undefined)
    for (const symbol of symbols) {
      this.#wanted.delete(symbol)
      this.#tokenBySymbol.delete(symbol)
      this.#confirms.drop(symbol)
      this.#options.quotes.forget(symbol)
    }
    for (const token of tokens) this.#symbolByToken.delete(token)
    if (tokens.length > 0) this.#options.link.send(JSON.stringify({ a: 'unsubscribe', v: tokens }))
  }

  receive(data: string | Buffer): void {
    // Text frames carry orders and messages, which we ignore.
    if (typeof data === 'string') return
    const frame = readKiteFrame(data)
    if (frame.isBroken) {
      this.#options.quotes.cut()
      throw new Error('The lengths of a frame do not add up')
    }
    this.#note(frame)
    this.#confirms.received(frame.ticks.map((tick) => this.#symbolByToken.get(tick.token) ?? ''))
    for (const tick of frame.ticks) this.#handle(tick)
  }

  ended(): void {
    this.#options.quotes.cut()
  }

  #failed(error: unknown): void {
    if (!(error instanceof FeedError)) this.#options.link.fail('could not read its list of instruments')
    else if (error.kind === 'refused') this.#options.link.rejectAll(error.message)
    else this.#options.link.fail(`gave no list of instruments: ${error.message}`)
  }

  async #ask(symbols: readonly string[]): Promise<void> {
    const tokens = await Promise.all(symbols.map(async (symbol) => ({ symbol, token: await this.#options.rest.tokenOf(symbol) })))
    const asked: number[] = []
    for (const { symbol, token } of tokens) {
      if (!this.#wanted.has(symbol)) continue
      if (token === undefined) {
        this.#options.link.refused(symbol, `Zerodha has no ${symbol}`)
        continue
      }
      this.#symbolByToken.set(token, symbol)
      this.#tokenBySymbol.set(symbol, token)
      this.#confirms.add(symbol)
      asked.push(token)
    }
    if (asked.length === 0) return
    this.#options.link.send(JSON.stringify({ a: 'subscribe', v: asked }))
    // Only this mode includes the trade time.
    this.#options.link.send(JSON.stringify({ a: 'mode', v: ['full', asked] }))
  }

  #handle(tick: KiteTick): void {
    const symbol = this.#symbolByToken.get(tick.token)
    // Prices before the mode is set have no volume, and would leave a minute without volume.
    if (symbol === undefined || (tick.dayVolume === null && !tick.isIndex)) return
    passQuote({ link: this.#options.link, quotes: this.#options.quotes }, symbol, tick)
  }

  #note(frame: KiteFrame): void {
    for (let count = 0; count < frame.refusedCount; count += 1) this.#options.log('Zerodha: a packet that cannot be used')
    for (const token of frame.doubted) {
      const symbol = this.#symbolByToken.get(token)
      if (symbol !== undefined) this.#options.link.doubt(symbol, Number.NaN, 'not-positive')
    }
  }
}

/** The Kite feed. Symbols look like `NSE:RELIANCE` and `NSE:NIFTY 50`. A new daily token needs a new feed. */
export function kiteFeed(options: KiteOptions): Feed {
  const { restUrl = kiteHosts.restUrl, socketUrl = kiteHosts.socketUrl, apiKey, accessToken, clock, log } = options
  const time = providerClock(clock)
  const rest = kiteRest({ restUrl, apiKey, accessToken, clock, log, time })
  const quotes = quoteTrades(() => clock.now() + time.offsetMs())
  const counted = countedLog({ clock, log })
  const url = new URL(socketUrl)
  url.search = new URLSearchParams({ api_key: apiKey, access_token: accessToken }).toString()
  const loop = new ResilientWebsocket({
    name: 'Zerodha',
    url: url.href,
    headers: { 'x-kite-version': '3' },
    limits: socketLimits,
    clock,
    log,
    start: (link) => new KiteSession({ link, rest, quotes, log: counted.log }),
    rejection: (status) => (status === 401 || status === 403 ? kiteTokenReason : undefined),
  })
  return {
    source: 'kite',
    steps: ['1m', '1h', '1D'],
    live: 'trades',
    splitHistory: 'adjusted',
    history: (request) => rest.history(request),
    watch: (symbol, sink) => loop.watch(symbol, sink),
    async close() {
      counted.stop()
      await loop.close()
    },
  }
}
