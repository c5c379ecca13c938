// Connections to Redis or Valkey: one server, or the primary that Sentinels name.
import { Redis } from 'ioredis'

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
