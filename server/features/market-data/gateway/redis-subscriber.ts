// The bus between processes, over Redis or Valkey: subscriptions in a sorted set, states as keys, updates by pub/sub.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { redisCall } from '#server/outages/open-redis.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { countedRequests, type BusListener, type MarketBus, type SeriesState, type SeriesUpdate } from './market-bus.ts'
import { RedisBusClient } from './redis-bus-client.ts'

/** A subscription that is not renewed expires, so that a killed web process keeps no feed open. */
const requestMs = 15_000
const renewEveryMs = 5_000
/** A hub without a heartbeat for this long is away. */
const awayAfterMs = 3_500
const extendWaitMs = 15_000

const extendedSchema = z.object({ id: z.string(), hasMore: z.boolean() })

/** The web process's end of the bus. */
export class RedisSubscriber implements MarketBus {
  readonly #redis: RedisBusClient
  readonly #requests = countedRequests((series, isRequested) => {
    this.#redis.attempt(isRequested ? this.#renew() : this.#redis.calls.zrem(this.#redis.key('wanted'), `${series}|${this.#redis.self}`))
  })
  readonly #listeners = new Map<string, Set<BusListener>>()
  readonly #waiting = new Map<string, (hasMore: boolean) => void>()
  #receivedMs = performance.now()
  #isAway = false
  readonly #renewing = setInterval(() => this.#redis.attempt(this.#renew()), renewEveryMs)
  readonly #watching = setInterval(() => this.#setAway(performance.now() - this.#receivedMs > awayAfterMs), 500)

  constructor(url: string, onError: (error: Error) => void, prefix: string) {
    const redis = new RedisBusClient(url, onError, prefix)
    const { calls, messages } = redis
    this.#redis = redis
    redis.attempt(messages.subscribe(redis.key('alive'), redis.key('extended', redis.self)))
    // Messages during a disconnect are lost.
    messages.on('ready', () => this.#notifyAll((listener) => listener.lost()))
    calls.on('ready', () => redis.attempt(this.#renew()))
    // Whatever another process of another version publishes must not end this one.
    messages.on('message', (channel: string, text: string) => redis.attempt(Promise.try(() => this.#receive(channel, text))))
  }

  request(series: string): () => void {
    return this.#requests.add(series)
  }

  subscribe(series: string, listener: BusListener): () => void {
    const all = this.#listeners.get(series) ?? new Set()
    if (all.size === 0) this.#redis.attempt(this.#redis.messages.subscribe(this.#redis.key('update', series)))
    this.#listeners.set(series, all.add(listener))
    if (this.#isAway) listener.away(true)
    return () => {
      all.delete(listener)
      if (all.size > 0 || this.#listeners.get(series) !== all) return
      this.#listeners.delete(series)
      this.#redis.attempt(this.#redis.messages.unsubscribe(this.#redis.key('update', series)))
    }
  }

  async state(series: string): Promise<SeriesState | undefined> {
    const text = await redisCall(this.#redis.calls.get(this.#redis.key('state', series)))
    return text === null ? undefined : (JSON.parse(text) as SeriesState)
  }

  async extend(series: string, timeframe: Timeframe, beforeMs: number): Promise<boolean> {
    const id = randomUUID()
    const answer = new Promise<boolean>((resolve) => {
      this.#waiting.set(id, resolve)
      setTimeout(() => resolve(false), extendWaitMs).unref()
    })
    try {
      await redisCall(
        this.#redis.calls.publish(this.#redis.key('extend'), JSON.stringify({ id, from: this.#redis.self, series, timeframe, beforeMs })),
      )
      return await answer
    } finally {
      this.#waiting.delete(id)
    }
  }

  isConnected(): boolean {
    return this.#redis.calls.status === 'ready' && this.#redis.messages.status === 'ready'
  }

  isHubAway(): boolean {
    return this.#isAway
  }

  async close(): Promise<void> {
    clearInterval(this.#renewing)
    clearInterval(this.#watching)
    const members = this.#members()
    if (members.length > 0) await redisCall(this.#redis.calls.zrem(this.#redis.key('wanted'), ...members)).catch(this.#redis.onError)
    this.#redis.disconnect()
  }

  #receive(channel: string, text: string): void {
    this.#receivedMs = performance.now()
    this.#setAway(false)
    if (channel === this.#redis.key('alive')) return
    if (channel === this.#redis.key('extended', this.#redis.self)) {
      const answer = extendedSchema.parse(JSON.parse(text))
      this.#waiting.get(answer.id)?.(answer.hasMore)
      return
    }
    const update = JSON.parse(text) as SeriesUpdate
    for (const listener of this.#listeners.get(update.series) ?? []) listener.update(update)
  }

  #notifyAll(notify: (listener: BusListener) => void): void {
    for (const all of this.#listeners.values()) for (const listener of all) notify(listener)
  }

  async #renew(): Promise<void> {
    if (this.#members().length === 0) return
    const endMs = (await this.#redis.nowMs()) + requestMs
    await this.#redis.calls.zadd(this.#redis.key('wanted'), ...this.#members().flatMap((member) => [endMs, member]))
    await this.#redis.calls.publish(this.#redis.key('poke'), '')
  }

  /** The requests of this process in the shared set. */
  #members(): string[] {
    return [...this.#requests.series()].map((series) => `${series}|${this.#redis.self}`)
  }

  #setAway(next: boolean): void {
    if (next === this.#isAway) return
    this.#isAway = next
    this.#notifyAll((listener) => listener.away(next))
  }
}
