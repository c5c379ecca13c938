// One connection to Coinbase: subscribes product by product, and hears trades and heartbeats.
import { z } from 'zod'
import { minuteMs } from '#shared/base/durations.ts'
import type { FeedClock, FeedLog } from '../feed.ts'
import { tradeLine, type NumberedTrade, type TradeLine } from './coinbase-trades.ts'
import { decimal } from './http-json-decimal.ts'
import type { ProviderClock } from './provider-clock.ts'
import type { SocketLink, SocketSession } from './socket-loop-port.ts'

export const match = z.object({
  trade_id: z.int(),
  time: z.iso.datetime({ offset: true }),
  price: decimal,
  size: decimal,
  side: z.enum(['buy', 'sell']),
})
const matchOfProduct = match.extend({ product_id: z.string() })
const heartbeat = z.object({ product_id: z.string(), last_trade_id: z.int(), time: z.iso.datetime({ offset: true }) })
const anyMessage = z.object({ type: z.string() })

export interface CoinbaseSessionNeeds {
  readonly time: ProviderClock
  readonly clock: FeedClock
  readonly log: FeedLog
  recent(symbol: string, fromMs: number): Promise<readonly NumberedTrade[]>
}

/** The provider names the side of the order that was there before; who took it did the opposite. */
export function tradeOf({ trade_id: id, time, price, size, side }: z.infer<typeof match>): NumberedTrade {
  return { id, timeMs: Date.parse(time), price, size, isTakerBuy: side === 'sell' }
}

/** Starts a session. A refusal does not say what it is about, so products are asked for one after the other. */
export function coinbaseSession(link: SocketLink, needs: CoinbaseSessionNeeds): SocketSession {
  const lines = new Map<string, TradeLine>()
  const toAsk: string[] = []
  let asked: string | undefined

  const say = (type: 'subscribe' | 'unsubscribe', symbol: string) =>
    link.send(JSON.stringify({ type, product_ids: [symbol], channels: ['matches', 'heartbeat'] }))

  function askNext(): void {
    if (asked !== undefined) return
    asked = toAsk.shift()
    if (asked === undefined) return
    lines.set(asked, openLine(asked))
    say('subscribe', asked)
  }

  function openLine(symbol: string): TradeLine {
    let isLive = false
    return tradeLine({
      recent: (fromMs) => needs.recent(symbol, fromMs),
      minuteStartMs() {
        const nowMs = needs.clock.now() + needs.time.offsetMs()
        return nowMs - (nowMs % minuteMs)
      },
      emit: (trade) => link.trade(symbol, trade),
      complete() {
        if (isLive) link.resync(symbol)
        else link.accepted([symbol])
        isLive = true
      },
      alive: () => link.alive(symbol),
      log: needs.log,
    })
  }

  function close(symbol: string): void {
    lines.get(symbol)?.stop()
    lines.delete(symbol)
  }

  function answered(refusal: boolean): void {
    const symbol = asked
    asked = undefined
    if (symbol !== undefined && refusal) {
      close(symbol)
      link.refused(symbol, `Coinbase does not give ${symbol}`)
    } else if (symbol !== undefined) lines.get(symbol)?.begin()
    askNext()
  }

  function hear(type: string, body: unknown): void {
    if (type === 'match') {
      const heard = matchOfProduct.parse(body)
      needs.time.sample(Date.parse(heard.time))
      lines.get(heard.product_id)?.hear(tradeOf(heard))
    } else if (type === 'heartbeat') {
      const beat = heartbeat.parse(body)
      needs.time.sample(Date.parse(beat.time))
      lines.get(beat.product_id)?.expect(beat.last_trade_id)
    }
  }

  return {
    subscribe(symbols) {
      toAsk.push(...symbols)
      askNext()
    },
    unsubscribe(symbols) {
      for (const symbol of symbols) {
        if (toAsk.includes(symbol)) toAsk.splice(toAsk.indexOf(symbol), 1)
        else say('unsubscribe', symbol)
        close(symbol)
      }
    },
    receive(frame) {
      const body: unknown = JSON.parse(frame.toString())
      const { type } = anyMessage.parse(body)
      if (type === 'subscriptions') answered(false)
      else if (type === 'error') answered(true)
      else hear(type, body)
    },
    ended() {
      for (const symbol of lines.keys()) close(symbol)
    },
  }
}
