// Presence in Redis or Valkey: one sorted set by expiry, for many web processes.
import { Redis } from 'ioredis'
import { presenceMs, type Presence } from './presence.ts'

/** Presence under `prefix` keys; calls fail at once while the server is away instead of piling up. */
export function redisPresence(url: string, onError: (error: Error) => void, prefix = 'tezi:presence'): Presence {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, enableOfflineQueue: true, connectTimeout: 5000, commandTimeout: 3000 })
  redis.on('error', onError)
  const members = `${prefix}:tabs`
  const ofSession = (sessionId: string) => `${prefix}:session:${sessionId}`
  const memberOf = (tab: { userId: string; sessionId: string; tabId: string }) => `${tab.userId}:${tab.sessionId}:${tab.tabId}`
  return {
    async see(tab, nowMs) {
      await redis
        .multi()
        .zadd(members, nowMs + presenceMs, memberOf(tab))
        .sadd(ofSession(tab.sessionId), memberOf(tab))
        .pexpire(ofSession(tab.sessionId), presenceMs * 2)
        .exec()
    },
    async leave(tab) {
      await redis.multi().zrem(members, memberOf(tab)).srem(ofSession(tab.sessionId), memberOf(tab)).exec()
    },
    async leaveSession(sessionId) {
      const tabs = await redis.smembers(ofSession(sessionId))
      const end = redis.multi().del(ofSession(sessionId))
      if (tabs.length > 0) end.zrem(members, ...tabs)
      await end.exec()
    },
    async onlineUserIds(nowMs) {
      const tabs = await redis.zrange(members, `(${nowMs}`, '+inf', 'BYSCORE')
      return [...new Set(tabs.map((tab) => tab.slice(0, tab.indexOf(':'))))]
    },
    async sweep(nowMs) {
      await redis.zremrangebyscore(members, '-inf', nowMs)
    },
    async close() {
      await redis.quit().catch(() => redis.disconnect())
    },
  }
}
