// One end of the bus over Redis or Valkey: its connections, its id, its channels, and how its errors are reported.
import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { openRedis, redisFailure, redisRetryDelayMs } from '#server/outages/open-redis.ts'
import { knownTimeframes } from '#shared/candles/timeframe.ts'

/** A request for older candles, as a web process publishes it. */
export const extendSchema = z.object({
  id: z.string(),
  from: z.string(),
  series: z.string(),
  timeframe: z.enum(knownTimeframes),
  beforeMs: z.number(),
})

/** Two connections, because a subscriber connection can do nothing else. */
export class RedisBusClient {
  readonly self = randomUUID()
  readonly calls: Redis
  readonly messages: Redis
  readonly onError: (error: Error) => void
  readonly #prefix: string
  #isClosed = false

  constructor(url: string, onError: (error: Error) => void, prefix: string) {
    this.#prefix = prefix
    this.onError = onError
    const options = { connectTimeout: 5_000, retryStrategy: redisRetryDelayMs }
    this.calls = openRedis(url, { ...options, maxRetriesPerRequest: 1, commandTimeout: 3_000 })
    this.messages = openRedis(url, { ...options, maxRetriesPerRequest: null })
    for (const connection of [this.calls, this.messages]) connection.on('error', (error) => onError(redisFailure(error)))
  }

  /** The name of a key or channel. */
  key(...parts: readonly string[]): string {
    return [this.#prefix, ...parts].join(':')
  }

  /** The server's time, epoch milliseconds: shared by hosts whose clocks differ. */
  async nowMs(): Promise<number> {
    const [seconds, microseconds] = await this.calls.time()
    return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000)
  }

  /** Reports the failure of work that is not awaited, unless the end of this client has cut it. */
  attempt(work: Promise<unknown>): void {
    void work.catch((error: unknown) => {
      if (!this.#isClosed) this.onError(redisFailure(error))
    })
  }

  disconnect(): void {
    this.#isClosed = true
    this.calls.disconnect()
    this.messages.disconnect()
  }
}
