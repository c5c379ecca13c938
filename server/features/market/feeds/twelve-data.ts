// Twelve Data: prices of currencies and metals by WebSocket, candles by HTTP, within the credits of the plan that was bought.
import type { Feed, FeedClock } from '../feed.ts'
import type { FeedNeeds } from './feed-needs.ts'
import type { SocketLink, SocketSession } from './socket-loop-port.ts'
import { socketLoop } from './socket-loop.ts'
import { readTwelveDataMessage, twelveDataCall, twelveDataHeartbeat } from './twelve-data-messages.ts'
import { twelveDataHistory, twelveDataKeyReason, type TwelveDataCredits } from './twelve-data-rest.ts'

export const twelveDataHosts = { restUrl: 'https://api.twelvedata.com', socketUrl: 'wss://ws.twelvedata.com' }

export interface TwelveDataNeeds extends FeedNeeds {
  readonly apiKey: string
  /** What the plan allows; the free one where nothing is said. */
  readonly credits?: TwelveDataCredits
}

const freePlan = { perMinute: 8, perDay: 800 }
const heartbeatMs = 10_000

const socketLimits = {
  // A hundred in a minute are taken.
  messagesPerSecond: 1,
  mostSymbols: 1000,
  // The answers to our heartbeats come every ten seconds.
  silenceMs: 30_000,
}

/** One connection: heartbeats as long as it lives, and every symbol confirmed or refused. */
function session(link: SocketLink, clock: FeedClock): SocketSession {
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
        // A quote of a bank or a broker, which nobody traded at.
        link.trade(message.symbol, { timeMs: message.timestamp * 1000, price: message.price, size: null, isTakerBuy: null })
      } else if (message.event === 'subscribe-status') {
        link.accepted((message.success ?? []).map(({ symbol }) => symbol))
        for (const { symbol } of message.fails ?? []) link.refused(symbol, `Twelve Data does not give ${symbol} with this plan`)
      } else if (message.event === 'error') {
        if (message.code === 401 || message.code === 403) link.refuseAll(twelveDataKeyReason)
        else link.fail(`answered with the error ${message.code}`)
      }
    },
    ended: () => stopHeartbeat?.(),
  }
}

/** The Twelve Data feed. Its symbols are such as EUR/USD and XAU/USD. */
export function twelveDataFeed(needs: TwelveDataNeeds): Feed {
  const { restUrl = twelveDataHosts.restUrl, socketUrl = twelveDataHosts.socketUrl, apiKey, credits = freePlan, clock, log } = needs
  const url = new URL('/v1/quotes/price', socketUrl)
  url.search = new URLSearchParams({ apikey: apiKey }).toString()
  const loop = socketLoop({
    name: 'Twelve Data',
    url: url.href,
    limits: socketLimits,
    clock,
    log,
    start: (link) => session(link, clock),
    refusal: (status) => (status === 401 || status === 403 ? twelveDataKeyReason : undefined),
  })
  return {
    source: 'twelve-data',
    steps: ['1m', '1h', '1D'],
    live: 'trades',
    history: twelveDataHistory({ restUrl, apiKey, credits, clock, log }),
    watch: (symbol, sink) => loop.watch(symbol, sink),
    close: () => loop.close(),
  }
}
