// One connection to Coinbase: subscribes product by product and handles trades and heartbeats.
import { z } from 'zod'
import { minuteMs } from '#shared/base/durations.ts'
import type { FeedClock, FeedLog } from '../feed.ts'
import { tradeLine, type NumberedTrade, type TradeLine } from './coinbase-trades.ts'
import type { ProviderClock } from './provider-clock.ts'
import { numberSchema } from './provider-number.ts'
import type { SocketLink, SocketSession } from './websocket/types.ts'

export const match = z.object({
  trade_id: z.int(),
  time: z.iso.datetime({ offset: true }),
  price: numberSchema,
  size: numberSchema,
  side: z.enum(['buy', 'sell']),
})
const matchOfProduct = match.extend({ product_id: z.string() })
const heartbeat = z.object({ product_id: z.string(), last_trade_id: z.int(), time: z.iso.datetime({ offset: true }) })
const anyMessage = z.object({ type: z.string() })

export interface CoinbaseSessionOptions {
  readonly time: ProviderClock
  readonly clock: FeedClock
  readonly log: FeedLog
  recent(symbol: string, fromMs: number): Promise<readonly NumberedTrade[]>
}

/** The provider reports the maker's side; the taker is on the opposite side. */
export function tradeOf({ trade_id: id, time, price, size, side }: z.infer<typeof match>): NumberedTrade {
  return { id, timeMs: Date.parse(time), price, size, isTakerBuy: side === 'sell' }
}

/** Starts a session. A rejection does not name the product, so products are subscribed one after the other. */
export class CoinbaseSession implements SocketSession {
  readonly #link: SocketLink
  readonly #options: CoinbaseSessionOptions
  readonly #lines = new Map<string, TradeLine>()
  /** Newest heartbeat of each product: a repeated one proves nothing. */
  readonly #beats = new Map<string, number>()
  readonly #toAsk: string[] = []
  #asked: string | undefined

  constructor(link: SocketLink, options: CoinbaseSessionOptions) {
    this.#link = link
    this.#options = options
  }

  subscribe(symbols: readonly string[]): void {
    this.#toAsk.push(...symbols)
    this.#askNext()
  }

  unsubscribe(symbols: readonly string[]): void {
    for (const symbol of symbols) {
      if (this.#toAsk.includes(symbol)) this.#toAsk.splice(this.#toAsk.indexOf(symbol), 1)
      else this.#report('unsubscribe', symbol)
      this.#close(symbol)
    }
  }

  receive(frame: string | Buffer): void {
    const body: unknown = JSON.parse(frame.toString())
    const { type } = anyMessage.parse(body)
    if (type === 'subscriptions') this.#answered(false)
    else if (type === 'error') this.#answered(true)
    else this.#handle(type, body)
  }

  ended(): void {
    for (const symbol of this.#lines.keys()) this.#close(symbol)
  }

  #report(type: 'subscribe' | 'unsubscribe', symbol: string) {
    return this.#link.send(JSON.stringify({ type, product_ids: [symbol], channels: ['matches', 'heartbeat'] }))
  }

  #askNext(): void {
    if (this.#asked !== undefined) return
    this.#asked = this.#toAsk.shift()
    if (this.#asked === undefined) return
    this.#lines.set(this.#asked, this.#openLine(this.#asked))
    this.#report('subscribe', this.#asked)
  }

  #openLine(symbol: string): TradeLine {
    let isLive = false
    return tradeLine({
      recent: (fromMs) => this.#options.recent(symbol, fromMs),
      minuteStartMs: () => {
        const nowMs = this.#options.clock.now() + this.#options.time.offsetMs()
        return nowMs - (nowMs % minuteMs)
      },
      emit: (trade) => this.#link.trade(symbol, trade),
      complete: () => {
        if (isLive) this.#link.resync(symbol)
        else this.#link.accepted([symbol])
        isLive = true
      },
      alive: () => this.#link.alive(symbol),
      log: this.#options.log,
    })
  }

  #close(symbol: string): void {
    this.#lines.get(symbol)?.stop()
    this.#lines.delete(symbol)
    this.#beats.delete(symbol)
  }

  #answered(rejection: boolean): void {
    const symbol = this.#asked
    this.#asked = undefined
    if (symbol !== undefined && rejection) {
      this.#close(symbol)
      this.#link.refused(symbol, `Coinbase does not give ${symbol}`)
    } else if (symbol !== undefined) this.#lines.get(symbol)?.begin()
    this.#askNext()
  }

  #handle(type: string, body: unknown): void {
    if (type === 'match') {
      const received = matchOfProduct.parse(body)
      this.#options.time.sample(Date.parse(received.time))
      this.#lines.get(received.product_id)?.receive(tradeOf(received))
    } else if (type === 'heartbeat') {
      const beat = heartbeat.parse(body)
      this.#options.time.sample(Date.parse(beat.time))
      const timeMs = Date.parse(beat.time)
      const isNew = timeMs > (this.#beats.get(beat.product_id) ?? -Infinity)
      if (isNew) this.#beats.set(beat.product_id, timeMs)
      this.#lines.get(beat.product_id)?.expect(beat.last_trade_id, isNew)
    }
  }
}
