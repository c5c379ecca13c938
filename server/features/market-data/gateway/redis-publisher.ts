// The hub's end of the bus over Redis or Valkey, with a lease that keeps a single hub active.
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { Redis } from 'ioredis'
import { randomUUID } from 'node:crypto'
import { connectBus, extendSchema, redisNowMs } from './redis-subscriber.ts'
import type { HubBus, SeriesState, SeriesUpdate } from './bus.ts'
import { redisCall, redisFailure } from '#server/outages/redis-outage.ts'

const leaseMs = 4_000
/** Interval of heartbeat, subscription check and lease renewal. */
const roundMs = 1_000
/** State survives the restart of a hub, but not much longer. */
const stateMs = 120_000

/** Renews or takes the lease atomically, so that two hubs never both hold it. */
const takeLease = `
  local holder = redis.call('get', KEYS[1])
  if holder == false or holder == ARGV[1] then
    redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
    return 1
  end
  return 0`

const dropLease = `if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end`

export class RedisPublisher implements HubBus {
  readonly #onError: (error: Error) => void
  readonly #prefix: string
  readonly #calls: Redis
  readonly #messages: Redis
  readonly #self = randomUUID()
  #notifyWanted: (series: ReadonlySet<string>) => void = () => undefined
  #answerExtend: Parameters<HubBus['onExtend']>[0] = () => Promise.resolve(false)
  #notifyReplaced: (series: string) => void = () => undefined
  #notifyRestored: () => void = () => undefined
  #known = ''
  #isLeader = false
  #leaseEndMs = 0
  readonly #rounds = setInterval(() => this.#attempt(this.#round()), roundMs)

  constructor(url: string, onError: (error: Error) => void, prefix: string) {
    this.#onError = onError
    this.#prefix = prefix
    const { calls, messages } = connectBus(url, onError)
    this.#calls = calls
    this.#messages = messages
    this.#calls.on('ready', () => this.#attempt(this.#round().then(() => this.#notifyRestored())))
    this.#attempt(this.#messages.subscribe(`${prefix}:poke`, `${prefix}:extend`, `${prefix}:replaced`))
    this.#messages.on('message', (channel: string, text: string) => {
      if (channel === `${prefix}:replaced`) this.#notifyReplaced(text)
      else this.#attempt(channel === `${prefix}:poke` ? this.#look() : this.#extend(text))
    })
  }

  onWanted(listener: (series: ReadonlySet<string>) => void): void {
    this.#notifyWanted = listener
    this.#known = ''
    this.#attempt(this.#round())
  }

  publish(state: SeriesState, update: SeriesUpdate): void {
    // Without the lease another hub may be publishing, and two publishers would mix their sequence numbers.
    if (performance.now() >= this.#leaseEndMs) return
    const write = this.#calls
      .multi()
      .set(`${this.#prefix}:state:${update.series}`, JSON.stringify(state), 'PX', stateMs)
      .publish(`${this.#prefix}:update:${update.series}`, JSON.stringify(update))
    this.#attempt(write.exec())
  }

  onRestored(listener: () => void): void {
    this.#notifyRestored = listener
  }

  onExtend(answer: (series: string, timeframe: Timeframe, beforeMs: number) => Promise<boolean>): void {
    this.#answerExtend = answer
  }

  onReplaced(listener: (series: string) => void): void {
    this.#notifyReplaced = listener
  }

  isAtWork(): boolean {
    return performance.now() < this.#leaseEndMs
  }

  async close(): Promise<void> {
    clearInterval(this.#rounds)
    await redisCall(this.#calls.eval(dropLease, 1, `${this.#prefix}:hub`, this.#self)).catch(this.#onError)
    this.#calls.disconnect()
    this.#messages.disconnect()
  }

  async #round(): Promise<void> {
    const askedMs = performance.now()
    this.#isLeader = (await this.#calls.eval(takeLease, 1, `${this.#prefix}:hub`, this.#self, leaseMs)) === 1
    this.#leaseEndMs = this.#isLeader ? askedMs + leaseMs : 0
    if (!this.#isLeader) {
      this.#notify([])
      return
    }
    await this.#calls.publish(`${this.#prefix}:alive`, this.#self)
    await this.#look()
  }

  async #look(): Promise<void> {
    if (!this.#isLeader) return
    const now = await redisNowMs(this.#calls)
    const requests = await this.#calls.zrange(`${this.#prefix}:wanted`, now, '+inf', 'BYSCORE')
    await this.#calls.zremrangebyscore(`${this.#prefix}:wanted`, '-inf', now)
    this.#notify(requests.map((request) => request.slice(0, request.lastIndexOf('|'))))
  }

  #notify(series: readonly string[]): void {
    const next = new Set(series.toSorted())
    const text = [...next].join(' ')
    if (text === this.#known) return
    this.#known = text
    this.#notifyWanted(next)
  }

  async #extend(text: string): Promise<void> {
    if (!this.#isLeader) return
    const { id, from, series, timeframe, beforeMs } = extendSchema.parse(JSON.parse(text))
    const hasMore = await this.#answerExtend(series, timeframe, beforeMs).catch((error: unknown) => {
      this.#onError(error instanceof Error ? error : new Error(String(error)))
      return false
    })
    await this.#calls.publish(`${this.#prefix}:extended:${from}`, JSON.stringify({ id, hasMore }))
  }

  #attempt(work: Promise<unknown>): void {
    void work.catch((error: unknown) => this.#onError(redisFailure(error)))
  }
}
