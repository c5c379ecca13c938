// Twelve Data: prices of currencies and metals by WebSocket, candles by HTTP, within the credits of the plan.
import { countedLog } from '../counted-log.ts'
import type { Feed, FeedClock, FeedLog } from '../feed.ts'
import type { FeedOptions } from './feed-options.ts'
import type { SocketLink, SocketSession } from './websocket/types.ts'
import { ResilientWebsocket } from './websocket/resilient-websocket.ts'
import { readTwelveDataMessage, twelveDataCall, twelveDataHeartbeat } from './twelve-data-messages.ts'
import { twelveDataHistory, twelveDataKeyReason, type TwelveDataCredits } from './twelve-data-rest.ts'

export const twelveDataHosts = { restUrl: 'https://api.twelvedata.com', socketUrl: 'wss://ws.twelvedata.com' }

export interface TwelveDataOptions extends FeedOptions {
  readonly apiKey: string
  /** Credits of the plan; the free plan by default. */
  readonly credits?: TwelveDataCredits
}

const freePlan = { perMinute: 8, perDay: 800 }
const heartbeatMs = 10_000

const socketLimits = {
  // The provider accepts 100 per minute.
  messagesPerSecond: 1,
  mostSymbols: 1000,
  // Our heartbeats are answered every ten seconds.
  silenceMs: 30_000,
}

/** The free plan has no socket; the provider's price list says which plans have one. */
const twelveDataPlanReason =
  'the plan has no live prices of it; choose a plan of Twelve Data with WebSocket, or remove TWELVE_DATA_KEY to use the next source'

function rejectionOf(status: number): string | undefined {
  if (status === 401) return twelveDataKeyReason
  return status === 403 ? twelveDataPlanReason : undefined
}

/** One connection: sends heartbeats while open, and every symbol is confirmed or rejected. */
function session(link: SocketLink, clock: FeedClock, log: FeedLog): SocketSession {
  let stopHeartbeat: (() => void) | undefined

  function beat(): void {
    link.send(twelveDataHeartbeat)
    stopHeartbeat = clock.after(heartbeatMs, beat)
  }

  return {
    opened() {
      stopHeartbeat = clock.after(heartbeatMs, beat)
      link.ready()
    },
    subscribe: (symbols) => link.send(twelveDataCall('subscribe', symbols)),
    unsubscribe: (symbols) => link.send(twelveDataCall('unsubscribe', symbols)),
    receive(frame) {
      const message = readTwelveDataMessage(frame.toString())
      if (message === null) throw new Error('A message that is none')
      if (message.event === 'price') {
        // A bank or broker quote, not a trade.
        link.trade(message.symbol, { timeMs: message.timestamp * 1000, price: message.price, size: null, isTakerBuy: null })
      } else if (message.event === 'unusable') {
        log('Twelve Data: a quote that cannot be used', { symbol: message.symbol })
      } else if (message.event === 'subscribe-status') {
        link.accepted((message.success ?? []).map(({ symbol }) => symbol))
        for (const { symbol } of message.fails ?? []) link.refused(symbol, `Twelve Data does not give ${symbol}: ${twelveDataPlanReason}`)
      } else if (message.event === 'error') {
        const rejection = rejectionOf(message.code)
        if (rejection !== undefined) link.rejectAll(rejection)
        else link.fail(`answered with the error ${message.code}`)
      }
    },
    ended: () => stopHeartbeat?.(),
  }
}

/** The Twelve Data feed. Symbols look like EUR/USD and XAU/USD. */
export function twelveDataFeed(options: TwelveDataOptions): Feed {
  const { restUrl = twelveDataHosts.restUrl, socketUrl = twelveDataHosts.socketUrl, apiKey, credits = freePlan, clock, log } = options
  const url = new URL('/v1/quotes/price', socketUrl)
  url.search = new URLSearchParams({ apikey: apiKey }).toString()
  const counted = countedLog({ clock, log })
  const loop = new ResilientWebsocket({
    name: 'Twelve Data',
    url: url.href,
    limits: socketLimits,
    clock,
    log,
    start: (link) => session(link, clock, counted.log),
    rejection: rejectionOf,
  })
  return {
    source: 'twelve-data',
    steps: ['1m', '1h', '1D'],
    live: 'trades',
    history: twelveDataHistory({ restUrl, apiKey, credits, clock, log }),
    watch: (symbol, sink) => loop.watch(symbol, sink),
    async close() {
      counted.stop()
      await loop.close()
    },
  }
}
