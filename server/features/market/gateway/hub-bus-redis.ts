// The hub's end of the bus over Redis or Valkey, with a lease so that one hub alone is at work.
import { randomUUID } from 'node:crypto'
import { connectBus, extendSchema, redisNowMs } from './bus-redis.ts'
import type { HubBus } from './bus.ts'
import { redisCall, redisFailure } from '#server/redis-outage.ts'

const leaseMs = 4_000
/** Sign of life, look at the wishes, renewal of the lease. */
const roundMs = 1_000
/** A state outlives a hub that is started anew, and no longer. */
const stateMs = 120_000

/** Renews or takes the lease in one step, so that two hubs never both believe to have it. */
const takeLease = `
  local holder = redis.call('get', KEYS[1])
  if holder == false or holder == ARGV[1] then
    redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
    return 1
  end
  return 0`

const dropLease = `if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end`

export function redisHubBus(url: string, onError: (error: Error) => void, prefix: string): HubBus {
  const { calls, messages } = connectBus(url, onError)
  const self = randomUUID()
  let tellWanted: (series: ReadonlySet<string>) => void = () => undefined
  let answerExtend: Parameters<HubBus['onExtend']>[0] = () => Promise.resolve(false)
  let tellRestored: () => void = () => undefined
  let known = ''
  let isLeader = false
  let leaseEndMs = 0

  async function round(): Promise<void> {
    const askedMs = performance.now()
    isLeader = (await calls.eval(takeLease, 1, `${prefix}:hub`, self, leaseMs)) === 1
    leaseEndMs = isLeader ? askedMs + leaseMs : 0
    if (!isLeader) {
      tell([])
      return
    }
    await calls.publish(`${prefix}:alive`, self)
    await look()
  }

  async function look(): Promise<void> {
    if (!isLeader) return
    const now = await redisNowMs(calls)
    const wishes = await calls.zrange(`${prefix}:wanted`, now, '+inf', 'BYSCORE')
    await calls.zremrangebyscore(`${prefix}:wanted`, '-inf', now)
    tell(wishes.map((wish) => wish.slice(0, wish.lastIndexOf('|'))))
  }

  function tell(series: readonly string[]): void {
    const next = new Set(series.toSorted())
    const text = [...next].join(' ')
    if (text === known) return
    known = text
    tellWanted(next)
  }

  async function extend(text: string): Promise<void> {
    if (!isLeader) return
    const { id, from, series, timeframe, beforeMs } = extendSchema.parse(JSON.parse(text))
    const hasMore = await answerExtend(series, timeframe, beforeMs).catch((error: unknown) => {
      onError(error instanceof Error ? error : new Error(String(error)))
      return false
    })
    await calls.publish(`${prefix}:extended:${from}`, JSON.stringify({ id, hasMore }))
  }

  const attempt = (work: Promise<unknown>): void => void work.catch((error: unknown) => onError(redisFailure(error)))
  const rounds = setInterval(() => attempt(round()), roundMs)
  calls.on('ready', () => attempt(round().then(() => tellRestored())))
  attempt(messages.subscribe(`${prefix}:poke`, `${prefix}:extend`))
  messages.on('message', (channel: string, text: string) => attempt(channel === `${prefix}:poke` ? look() : extend(text)))

  return {
    onWanted(listener) {
      tellWanted = listener
      known = ''
      attempt(round())
    },
    publish(state, update) {
      // Without a lease another hub may speak already; two voices would be two orders of numbers.
      if (performance.now() >= leaseEndMs) return
      const write = calls
        .multi()
        .set(`${prefix}:state:${update.series}`, JSON.stringify(state), 'PX', stateMs)
        .publish(`${prefix}:update:${update.series}`, JSON.stringify(update))
      attempt(write.exec())
    },
    onRestored(listener) {
      tellRestored = listener
    },
    onExtend(answer) {
      answerExtend = answer
    },
    isAtWork: () => performance.now() < leaseEndMs,
    async close() {
      clearInterval(rounds)
      await redisCall(calls.eval(dropLease, 1, `${prefix}:hub`, self)).catch(onError)
      calls.disconnect()
      messages.disconnect()
    },
  }
}
