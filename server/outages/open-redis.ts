// Connections to Redis or Valkey: one server, or the primary that Sentinels name; tells outages from bugs.
import { Redis, type ChainableCommander } from 'ioredis'
import { backOffDelayMs } from '#shared/base/back-off-delay.ts'
import { OutageError } from './outage-error.ts'

export interface RedisLimits {
  /** Delay before the next attempt, counted from 1; null gives up. */
  readonly retryStrategy: (attempt: number) => number | null
  readonly connectTimeout: number
  readonly commandTimeout?: number
  readonly maxRetriesPerRequest?: number | null
  readonly enableOfflineQueue?: boolean
  readonly lazyConnect?: boolean
}

const sentinelPort = 26_379

/**
 * Connects to `redis://...` or `rediss://...`, or with `redis+sentinel://:password@name?sentinel=host:port&sentinel=...` to the primary
 * with this name, and to its successor after a failover.
 */
export function openRedis(url: string, limits: RedisLimits): Redis {
  const { protocol, hostname, username, password, pathname, searchParams } = new URL(url)
  if (protocol !== 'redis+sentinel:') return new Redis(url, limits)
  const sentinels = searchParams.getAll('sentinel').map((address) => {
    const { hostname: host, port } = new URL(`redis://${address}`)
    return { host, port: port === '' ? sentinelPort : Number(port) }
  })
  return new Redis({
    ...limits,
    sentinels,
    name: hostname,
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    db: Number(pathname.slice(1)),
    sentinelRetryStrategy: limits.retryStrategy,
    sentinelCommandTimeout: 3_000,
    // A former primary accepts connections, but no writes.
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  })
}

const retryLimits = { firstMs: 100, maxMs: 2_000 }

const driverNames = new Set(['MaxRetriesPerRequestError', 'AbortError'])
const driverTexts = new Set([
  'Command timed out',
  'Connection is closed.',
  "Stream isn't writeable and enableOfflineQueue options is false",
])
/** Replies about the command itself; the others (LOADING, OOM, READONLY, NOAUTH, EXECABORT ...) are about the server. */
const commandErrors = /^(ERR|WRONGTYPE|NOSCRIPT) /

/** Delay before the next connection attempt, for ioredis, which counts attempts from 1. */
export function redisRetryDelayMs(attempt: number, random = Math.random()): number {
  return backOffDelayMs(attempt - 1, retryLimits, random)
}

/** The error to pass on: an `OutageError` if Redis or its connection failed. */
export function redisFailure(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const isReply = error.name === 'ReplyError' && !commandErrors.test(error.message)
  const isConnection = 'syscall' in error || driverNames.has(error.name) || driverTexts.has(error.message)
  return isReply || isConnection ? new OutageError('redis', error) : error
}

/** The result of a call. @throws OutageError while Redis is down */
export function redisCall<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    throw redisFailure(error)
  })
}

/** Runs a transaction; a failed command in it rejects the call. @throws OutageError while Redis is down */
export async function redisExec(transaction: ChainableCommander): Promise<unknown[]> {
  return ((await redisCall(transaction.exec())) ?? []).map(([error, reply]) => {
    if (error !== null) throw redisFailure(error)
    return reply
  })
}
