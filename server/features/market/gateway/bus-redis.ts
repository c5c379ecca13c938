// The bus between processes, over Redis or Valkey: wishes in a sorted set, states as keys, updates as messages.
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { z } from 'zod'
import { redisCall, redisFailure } from '#server/redis-outage.ts'
import { knownTimeframes } from '#shared/market/timeframe.ts'
import type { BusListener, MarketBus, SeriesState, SeriesUpdate } from './bus.ts'

/** A wish that nobody repeats ends after this, so that a killed web process keeps no feed open. */
const wantMs = 15_000
const renewEveryMs = 5_000
/** A hub that has not spoken for so long is gone. */
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

/** Two connections, as one that listens can do nothing else. */
export function connectBus(url: string, onError: (error: Error) => void): { calls: Redis; messages: Redis } {
  const options = { connectTimeout: 5_000, maxRetriesPerRequest: 1, retryStrategy: (tries: number) => Math.min(100 * 2 ** tries, 2_000) }
  const calls = new Redis(url, { ...options, commandTimeout: 3_000 })
  const messages = new Redis(url, { ...options, maxRetriesPerRequest: null })
  for (const line of [calls, messages]) line.on('error', (error) => onError(redisFailure(error)))
  return { calls, messages }
}

/** The time of the server, epoch milliseconds: hosts whose clocks differ agree on it. */
export async function redisNowMs(calls: Redis): Promise<number> {
  const [seconds, microseconds] = await calls.time()
  return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000)
}

/** The web process's end of the bus. */
export function redisBus(url: string, onError: (error: Error) => void, prefix: string): MarketBus {
  const { calls, messages } = connectBus(url, onError)
  const self = randomUUID()
  const wanted = new Map<string, number>()
  const listeners = new Map<string, Set<BusListener>>()
  const waiting = new Map<string, (hasMore: boolean) => void>()
  let heardMs = performance.now()
  let isAway = false

  const everyone = (tell: (listener: BusListener) => void): void => {
    for (const all of listeners.values()) for (const listener of all) tell(listener)
  }
  const renew = async (): Promise<void> => {
    if (wanted.size === 0) return
    const end = (await redisNowMs(calls)) + wantMs
    await calls.zadd(`${prefix}:wanted`, ...[...wanted.keys()].flatMap((series) => [end, `${series}|${self}`]))
    await calls.publish(`${prefix}:poke`, '')
  }
  const attempt = (work: Promise<unknown>): void => void work.catch((error: unknown) => onError(redisFailure(error)))
  const setAway = (next: boolean): void => {
    if (next === isAway) return
    isAway = next
    everyone((listener) => listener.away(next))
  }

  const renewing = setInterval(() => attempt(renew()), renewEveryMs)
  const watching = setInterval(() => setAway(performance.now() - heardMs > awayAfterMs), 500)
  attempt(messages.subscribe(`${prefix}:alive`, `${prefix}:extended:${self}`))
  // Whatever was said while the line was cut is lost.
  messages.on('ready', () => everyone((listener) => listener.lost()))
  calls.on('ready', () => attempt(renew()))
  messages.on('message', (channel: string, text: string) => {
    heardMs = performance.now()
    setAway(false)
    if (channel === `${prefix}:alive`) return
    if (channel === `${prefix}:extended:${self}`) {
      const answer = extendedSchema.parse(JSON.parse(text))
      waiting.get(answer.id)?.(answer.hasMore)
      return
    }
    const update = JSON.parse(text) as SeriesUpdate
    for (const listener of listeners.get(update.series) ?? []) listener.update(update)
  })

  return {
    want(series) {
      const before = wanted.get(series) ?? 0
      wanted.set(series, before + 1)
      if (before === 0) attempt(renew())
      let isWanted = true
      return () => {
        if (!isWanted) return
        isWanted = false
        const left = (wanted.get(series) ?? 1) - 1
        if (left > 0) wanted.set(series, left)
        else {
          wanted.delete(series)
          attempt(calls.zrem(`${prefix}:wanted`, `${series}|${self}`))
        }
      }
    },
    listen(series, listener) {
      const all = listeners.get(series) ?? new Set()
      if (all.size === 0) attempt(messages.subscribe(`${prefix}:update:${series}`))
      listeners.set(series, all.add(listener))
      if (isAway) listener.away(true)
      return () => {
        all.delete(listener)
        if (all.size > 0 || listeners.get(series) !== all) return
        listeners.delete(series)
        attempt(messages.unsubscribe(`${prefix}:update:${series}`))
      }
    },
    async state(series) {
      const text = await redisCall(calls.get(`${prefix}:state:${series}`))
      return text === null ? undefined : (JSON.parse(text) as SeriesState)
    },
    async extend(series, timeframe, beforeMs) {
      const id = randomUUID()
      const answer = new Promise<boolean>((resolve) => {
        waiting.set(id, resolve)
        setTimeout(() => resolve(false), extendWaitMs).unref()
      })
      try {
        await redisCall(calls.publish(`${prefix}:extend`, JSON.stringify({ id, from: self, series, timeframe, beforeMs })))
        return await answer
      } finally {
        waiting.delete(id)
      }
    },
    isConnected: () => calls.status === 'ready' && messages.status === 'ready',
    isHubAway: () => isAway,
    async close() {
      clearInterval(renewing)
      clearInterval(watching)
      if (wanted.size > 0)
        await redisCall(calls.zrem(`${prefix}:wanted`, ...[...wanted.keys()].map((series) => `${series}|${self}`))).catch(onError)
      calls.disconnect()
      messages.disconnect()
    },
  }
}
