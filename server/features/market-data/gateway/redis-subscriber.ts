// The bus between processes, over Redis or Valkey: subscriptions in a sorted set, states as keys, updates by pub/sub.
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { z } from 'zod'
import { redisCall, redisFailure } from '#server/outages/redis-outage.ts'
import { knownTimeframes, type Timeframe } from '#shared/candles/timeframe.ts'
import type { BusListener, MarketBus, SeriesState, SeriesUpdate } from './bus.ts'

/** A subscription that is not renewed expires, so that a killed web process keeps no feed open. */
const wantMs = 15_000
const renewEveryMs = 5_000
/** A hub without a heartbeat for this long is away. */
const awayAfterMs = 3_500
const extendWaitMs = 15_000

export const extendSchema = z.object({
  id: z.string(),
  from: z.string(),
  series: z.string(),
  timeframe: z.enum(knownTimeframes),
  beforeMs: z.number(),
})
const extendedSchema = z.object({ id: z.string(), hasMore: z.boolean() })

/** Two connections, because a subscriber connection can do nothing else. */
export function connectBus(url: string, onError: (error: Error) => void): { calls: Redis; messages: Redis } {
  const options = { connectTimeout: 5_000, maxRetriesPerRequest: 1, retryStrategy: (tries: number) => Math.min(100 * 2 ** tries, 2_000) }
  const calls = new Redis(url, { ...options, commandTimeout: 3_000 })
  const messages = new Redis(url, { ...options, maxRetriesPerRequest: null })
  for (const line of [calls, messages]) line.on('error', (error) => onError(redisFailure(error)))
  return { calls, messages }
}

/** The server's time, epoch milliseconds: shared by hosts whose clocks differ. */
export async function redisNowMs(calls: Redis): Promise<number> {
  const [seconds, microseconds] = await calls.time()
  return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000)
}

/** The web process's end of the bus. */
export class RedisSubscriber implements MarketBus {
  readonly #onError: (error: Error) => void
  readonly #prefix: string
  readonly #calls: Redis
  readonly #messages: Redis
  readonly #self = randomUUID()
  readonly #wanted = new Map<string, number>()
  readonly #listeners = new Map<string, Set<BusListener>>()
  readonly #waiting = new Map<string, (hasMore: boolean) => void>()
  #receivedMs = performance.now()
  #isAway = false
  readonly #renewing = setInterval(() => this.#attempt(this.#renew()), renewEveryMs)
  readonly #watching = setInterval(() => this.#setAway(performance.now() - this.#receivedMs > awayAfterMs), 500)

  constructor(url: string, onError: (error: Error) => void, prefix: string) {
    this.#onError = onError
    this.#prefix = prefix
    const { calls, messages } = connectBus(url, onError)
    this.#calls = calls
    this.#messages = messages
    this.#attempt(this.#messages.subscribe(`${prefix}:alive`, `${prefix}:extended:${this.#self}`))
    // Messages during a disconnect are lost.
    this.#messages.on('ready', () => this.#everyone((listener) => listener.lost()))
    this.#calls.on('ready', () => this.#attempt(this.#renew()))
    this.#messages.on('message', (channel: string, text: string) => {
      this.#receivedMs = performance.now()
      this.#setAway(false)
      if (channel === `${prefix}:alive`) return
      if (channel === `${prefix}:extended:${this.#self}`) {
        const answer = extendedSchema.parse(JSON.parse(text))
        this.#waiting.get(answer.id)?.(answer.hasMore)
        return
      }
      const update = JSON.parse(text) as SeriesUpdate
      for (const listener of this.#listeners.get(update.series) ?? []) listener.update(update)
    })
  }

  want(series: string): () => void {
    const before = this.#wanted.get(series) ?? 0
    this.#wanted.set(series, before + 1)
    if (before === 0) this.#attempt(this.#renew())
    let isWanted = true
    return () => {
      if (!isWanted) return
      isWanted = false
      const left = (this.#wanted.get(series) ?? 1) - 1
      if (left > 0) this.#wanted.set(series, left)
      else {
        this.#wanted.delete(series)
        this.#attempt(this.#calls.zrem(`${this.#prefix}:wanted`, `${series}|${this.#self}`))
      }
    }
  }

  listen(series: string, listener: BusListener): () => void {
    const all = this.#listeners.get(series) ?? new Set()
    if (all.size === 0) this.#attempt(this.#messages.subscribe(`${this.#prefix}:update:${series}`))
    this.#listeners.set(series, all.add(listener))
    if (this.#isAway) listener.away(true)
    return () => {
      all.delete(listener)
      if (all.size > 0 || this.#listeners.get(series) !== all) return
      this.#listeners.delete(series)
      this.#attempt(this.#messages.unsubscribe(`${this.#prefix}:update:${series}`))
    }
  }

  async state(series: string): Promise<SeriesState | undefined> {
    const text = await redisCall(this.#calls.get(`${this.#prefix}:state:${series}`))
    return text === null ? undefined : (JSON.parse(text) as SeriesState)
  }

  async extend(series: string, timeframe: Timeframe, beforeMs: number): Promise<boolean> {
    const id = randomUUID()
    const answer = new Promise<boolean>((resolve) => {
      this.#waiting.set(id, resolve)
      setTimeout(() => resolve(false), extendWaitMs).unref()
    })
    try {
      await redisCall(this.#calls.publish(`${this.#prefix}:extend`, JSON.stringify({ id, from: this.#self, series, timeframe, beforeMs })))
      return await answer
    } finally {
      this.#waiting.delete(id)
    }
  }

  async replaced(series: string): Promise<void> {
    await redisCall(this.#calls.publish(`${this.#prefix}:replaced`, series))
  }

  isConnected(): boolean {
    return this.#calls.status === 'ready' && this.#messages.status === 'ready'
  }

  isHubAway(): boolean {
    return this.#isAway
  }

  async close(): Promise<void> {
    clearInterval(this.#renewing)
    clearInterval(this.#watching)
    if (this.#wanted.size > 0)
      await redisCall(
        this.#calls.zrem(`${this.#prefix}:wanted`, ...[...this.#wanted.keys()].map((series) => `${series}|${this.#self}`)),
      ).catch(this.#onError)
    this.#calls.disconnect()
    this.#messages.disconnect()
  }

  #everyone(notify: (listener: BusListener) => void): void {
    for (const all of this.#listeners.values()) for (const listener of all) notify(listener)
  }

  async #renew(): Promise<void> {
    if (this.#wanted.size === 0) return
    const end = (await redisNowMs(this.#calls)) + wantMs
    await this.#calls.zadd(`${this.#prefix}:wanted`, ...[...this.#wanted.keys()].flatMap((series) => [end, `${series}|${this.#self}`]))
    await this.#calls.publish(`${this.#prefix}:poke`, '')
  }

  #attempt(work: Promise<unknown>): void {
    void work.catch((error: unknown) => this.#onError(redisFailure(error)))
  }

  #setAway(next: boolean): void {
    if (next === this.#isAway) return
    this.#isAway = next
    this.#everyone((listener) => listener.away(next))
  }
}
