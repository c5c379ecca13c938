// The hub's end of the bus over Redis or Valkey, with a lease that keeps a single hub active.
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { RedisBusClient, extendSchema } from './redis-bus-client.ts'
import type { HubBus, SeriesState, SeriesUpdate } from './market-bus.ts'
import { redisCall } from '#server/outages/open-redis.ts'

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
  readonly #redis: RedisBusClient
  #notifyRequested: (series: ReadonlySet<string>) => void = () => undefined
  #handleExtend: Parameters<HubBus['onExtend']>[0] = () => Promise.resolve(false)
  #notifyRestored: () => void = () => undefined
  #known = ''
  #isLeader = false
  #leaseEndMs = 0
  readonly #rounds = setInterval(() => this.#redis.attempt(this.#round()), roundMs)

  constructor(url: string, onError: (error: Error) => void, prefix: string) {
    const redis = new RedisBusClient(url, onError, prefix)
    const { calls, messages } = redis
    this.#redis = redis
    calls.on('ready', () => redis.attempt(this.#round().then(() => this.#notifyRestored())))
    redis.attempt(messages.subscribe(redis.key('poke'), redis.key('extend')))
    messages.on('message', (channel: string, text: string) => {
      redis.attempt(channel === redis.key('poke') ? this.#look() : this.#extend(text))
    })
  }

  onRequested(listener: (series: ReadonlySet<string>) => void): void {
    this.#notifyRequested = listener
    this.#known = ''
    this.#redis.attempt(this.#round())
  }

  publish(state: SeriesState, update: SeriesUpdate): void {
    // Without the lease another hub may be publishing, and two publishers would mix their sequence numbers.
    if (performance.now() >= this.#leaseEndMs) return
    const write = this.#redis.calls
      .multi()
      .set(this.#redis.key('state', update.series), JSON.stringify(state), 'PX', stateMs)
      .publish(this.#redis.key('update', update.series), JSON.stringify(update))
    this.#redis.attempt(write.exec())
  }

  onRestored(listener: () => void): void {
    this.#notifyRestored = listener
  }

  onExtend(handler: (series: string, timeframe: Timeframe, beforeMs: number) => Promise<boolean>): void {
    this.#handleExtend = handler
  }

  isActive(): boolean {
    return performance.now() < this.#leaseEndMs
  }

  async close(): Promise<void> {
    clearInterval(this.#rounds)
    await redisCall(this.#redis.calls.eval(dropLease, 1, this.#redis.key('hub'), this.#redis.self)).catch(this.#redis.onError)
    this.#redis.disconnect()
  }

  async #round(): Promise<void> {
    const sentMs = performance.now()
    this.#isLeader = (await this.#redis.calls.eval(takeLease, 1, this.#redis.key('hub'), this.#redis.self, leaseMs)) === 1
    this.#leaseEndMs = this.#isLeader ? sentMs + leaseMs : 0
    if (!this.#isLeader) {
      this.#notify([])
      return
    }
    await this.#redis.calls.publish(this.#redis.key('alive'), this.#redis.self)
    await this.#look()
  }

  async #look(): Promise<void> {
    if (!this.#isLeader) return
    const now = await this.#redis.nowMs()
    const requests = await this.#redis.calls.zrange(this.#redis.key('wanted'), now, '+inf', 'BYSCORE')
    await this.#redis.calls.zremrangebyscore(this.#redis.key('wanted'), '-inf', now)
    this.#notify(requests.map((request) => request.slice(0, request.lastIndexOf('|'))))
  }

  #notify(series: readonly string[]): void {
    const next = new Set(series.toSorted())
    const text = [...next].join(' ')
    if (text === this.#known) return
    this.#known = text
    this.#notifyRequested(next)
  }

  async #extend(text: string): Promise<void> {
    if (!this.#isLeader) return
    const { id, from, series, timeframe, beforeMs } = extendSchema.parse(JSON.parse(text))
    const hasMore = await this.#handleExtend(series, timeframe, beforeMs).catch((error: unknown) => {
      this.#redis.onError(error instanceof Error ? error : new Error(String(error)))
      return false
    })
    await this.#redis.calls.publish(this.#redis.key('extended', from), JSON.stringify({ id, hasMore }))
  }
}
