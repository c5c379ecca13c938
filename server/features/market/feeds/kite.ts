// Zerodha Kite: binary prices of NSE and BSE by WebSocket, candles by HTTP. The token of a day comes from whoever signs in.
import { countedLog } from '../counted-log.ts'
import { FeedError, type Feed, type FeedLog } from '../feed.ts'
import type { FeedNeeds } from './feed-needs.ts'
import { readKiteFrame, type KiteFrame, type KiteTick } from './kite-packets.ts'
import { kiteRest, kiteTokenReason, type KiteRest } from './kite-rest.ts'
import { passQuote } from './pass-quote.ts'
import { providerClock } from './provider-clock.ts'
import { quoteTrades, type QuoteTrades } from './quote-trades.ts'
import type { SocketLink, SocketSession } from './socket-loop-port.ts'
import { socketLoop } from './socket-loop.ts'

export const kiteHosts = { restUrl: 'https://api.kite.trade', socketUrl: 'wss://ws.kite.trade' }

export interface KiteNeeds extends FeedNeeds {
  readonly apiKey: string
  /** Good for one day. */
  readonly accessToken: string
}

const socketLimits = {
  messagesPerSecond: 5,
  mostSymbols: 3000,
  // A sign of life comes every second.
  silenceMs: 15_000,
}

/** Kite confirms nothing. A price confirms a symbol, and so do so many frames after the subscription. */
const framesToConfirm = 3

interface SessionParts {
  readonly link: SocketLink
  readonly rest: KiteRest
  readonly quotes: QuoteTrades
  readonly log: FeedLog
}

/** Waiting symbols of one connection, with the frames that are still to come before each counts as confirmed. */
function confirmations(confirmed: (symbols: readonly string[]) => void) {
  const waiting = new Map<string, number>()
  return {
    add: (symbol: string) => void waiting.set(symbol, framesToConfirm),
    drop: (symbol: string) => void waiting.delete(symbol),
    /** A frame came, with prices of these symbols. */
    heard(symbols: readonly string[]): void {
      for (const symbol of symbols) if (waiting.has(symbol)) waiting.set(symbol, 0)
      for (const [symbol, left] of waiting) waiting.set(symbol, left - 1)
      const done = [...waiting].filter(([, left]) => left <= 0).map(([symbol]) => symbol)
      for (const symbol of done) waiting.delete(symbol)
      if (done.length > 0) confirmed(done)
    },
  }
}

/** One connection: symbols become numbers by the list of instruments, and numbers of packets become symbols again. */
function session({ link, rest, quotes, log }: SessionParts): SocketSession {
  const symbolByToken = new Map<number, string>()
  const tokenBySymbol = new Map<string, number>()
  const wanted = new Set<string>()
  const confirms = confirmations((symbols) => {
    for (const symbol of symbols) quotes.live(symbol)
    link.accepted(symbols)
  })
  function failed(error: unknown): void {
    if (!(error instanceof FeedError)) link.fail('could not read its list of instruments')
    else if (error.kind === 'refused') link.refuseAll(error.message)
    else link.fail(`gave no list of instruments: ${error.message}`)
  }

  async function ask(symbols: readonly string[]): Promise<void> {
    const tokens = await Promise.all(symbols.map(async (symbol) => ({ symbol, token: await rest.tokenOf(symbol) })))
    const asked: number[] = []
    for (const { symbol, token } of tokens) {
      if (!wanted.has(symbol)) continue
      if (token === undefined) {
        link.refused(symbol, `Zerodha has no ${symbol}`)
        continue
      }
      symbolByToken.set(token, symbol)
      tokenBySymbol.set(symbol, token)
      confirms.add(symbol)
      asked.push(token)
    }
    if (asked.length === 0) return
    link.send(JSON.stringify({ a: 'subscribe', v: asked }))
    // Only this mode tells when something was traded.
    link.send(JSON.stringify({ a: 'mode', v: ['full', asked] }))
  }

  function hear(tick: KiteTick): void {
    const symbol = symbolByToken.get(tick.token)
    // A share's price without its volume comes before the mode is set, and would leave a minute without volume.
    if (symbol === undefined || (tick.dayVolume === null && !tick.isIndex)) return
    passQuote({ link, quotes }, symbol, tick)
  }

  function note(frame: KiteFrame): void {
    for (let count = 0; count < frame.refusedCount; count += 1) log('Zerodha: a packet that cannot be used')
  }

  return {
    subscribe(symbols) {
      for (const symbol of symbols) wanted.add(symbol)
      ask(symbols).catch(failed)
    },
    unsubscribe(symbols) {
      const tokens = symbols.map((symbol) => tokenBySymbol.get(symbol)).filter((token) => token !== undefined)
      for (const symbol of symbols) {
        wanted.delete(symbol)
        tokenBySymbol.delete(symbol)
        confirms.drop(symbol)
        quotes.forget(symbol)
      }
      for (const token of tokens) symbolByToken.delete(token)
      if (tokens.length > 0) link.send(JSON.stringify({ a: 'unsubscribe', v: tokens }))
    },
    receive(data) {
      // Text tells of orders and of messages for people, which are not ours.
      if (typeof data === 'string') return
      const frame = readKiteFrame(data)
      if (frame.isBroken) {
        quotes.cut()
        throw new Error('The lengths of a frame do not add up')
      }
      note(frame)
      confirms.heard(frame.ticks.map((tick) => symbolByToken.get(tick.token) ?? ''))
      for (const tick of frame.ticks) hear(tick)
    },
    ended: () => quotes.cut(),
  }
}

/** The Kite feed. Its symbols are such as `NSE:RELIANCE` and `NSE:NIFTY 50`. Another day's token needs another feed. */
export function kiteFeed(needs: KiteNeeds): Feed {
  const { restUrl = kiteHosts.restUrl, socketUrl = kiteHosts.socketUrl, apiKey, accessToken, clock, log } = needs
  const time = providerClock(clock)
  const rest = kiteRest({ restUrl, apiKey, accessToken, clock, log, time })
  const quotes = quoteTrades(() => clock.now() + time.offsetMs())
  const counted = countedLog({ clock, log })
  const url = new URL(socketUrl)
  url.search = new URLSearchParams({ api_key: apiKey, access_token: accessToken }).toString()
  const loop = socketLoop({
    name: 'Zerodha',
    url: url.href,
    headers: { 'x-kite-version': '3' },
    limits: socketLimits,
    clock,
    log,
    start: (link) => session({ link, rest, quotes, log: counted.log }),
    refusal: (status) => (status === 401 || status === 403 ? kiteTokenReason : undefined),
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
