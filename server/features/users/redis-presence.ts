// Presence in Redis or Valkey: one sorted set by expiry, for many web processes.
import { openRedis, redisCall, redisExec, redisFailure, redisRetryDelayMs } from '#server/outages/open-redis.ts'
import { presenceMs, tabsPerUserMax, type Presence, type Tab } from './presence.ts'

/** Presence under `prefix` keys; calls reject with `OutageError` immediately while the server is down, instead of queueing up. */
export function redisPresence(url: string, onError: (error: Error) => void, prefix = 'tezi:presence'): Presence {
  const options = { maxRetriesPerRequest: 1, enableOfflineQueue: true, connectTimeout: 5_000, commandTimeout: 3_000 }
  const redis = openRedis(url, { ...options, retryStrategy: redisRetryDelayMs })
  redis.on('error', (error) => onError(redisFailure(error)))
  const members = `${prefix}:tabs`
  const ofSession = (sessionId: string) => `${prefix}:session:${sessionId}`
  const ofUser = (userId: string) => `${prefix}:user:${userId}`
  const memberOf = (tab: Tab) => `${tab.userId}:${tab.sessionId}:${tab.tabId}`
  const leftKey = (tab: Tab) => `${prefix}:left:${memberOf(tab)}`
  const remove = (tab: Tab) =>
    redis.multi().zrem(members, memberOf(tab)).srem(ofSession(tab.sessionId), memberOf(tab)).zrem(ofUser(tab.userId), memberOf(tab))
  return {
    async see(tab, nowMs) {
      const seen = redis
        .multi()
        .zadd(members, nowMs + presenceMs, memberOf(tab))
        .sadd(ofSession(tab.sessionId), memberOf(tab))
        .pexpire(ofSession(tab.sessionId), presenceMs * 2)
        .zadd(ofUser(tab.userId), nowMs + presenceMs, memberOf(tab))
        .pexpire(ofUser(tab.userId), presenceMs * 2)
        .exists(leftKey(tab))
      const hasLeft = (await redisExec(seen)).at(-1) === 1
      if (hasLeft) {
        await redisExec(remove(tab))
        return
      }
      const surplus = await redisCall(redis.zrange(ofUser(tab.userId), 0, String(-(tabsPerUserMax + 1))))
      if (surplus.length === 0) return
      const sessions = new Set(surplus.map((member) => ofSession(member.split(':')[1] ?? '')))
      const end = redis
        .multi()
        .zrem(members, ...surplus)
        .zrem(ofUser(tab.userId), ...surplus)
      for (const session of sessions) end.srem(session, ...surplus)
      await redisExec(end)
    },
    async leave(tab) {
      await redisExec(remove(tab).set(leftKey(tab), 1, 'PX', presenceMs))
    },
    async renew({ seen, gone }, nowMs) {
      const change = redis.multi()
      for (const tab of gone) change.zrem(members, memberOf(tab)).srem(ofSession(tab.sessionId), memberOf(tab))
      for (const tab of seen)
        change
          .zadd(members, nowMs + presenceMs, memberOf(tab))
          .sadd(ofSession(tab.sessionId), memberOf(tab))
          .pexpire(ofSession(tab.sessionId), presenceMs * 2)
      await redisExec(change)
    },
    async leaveSession(sessionId) {
      const tabs = await redisCall(redis.smembers(ofSession(sessionId)))
      const end = redis.multi().del(ofSession(sessionId))
      if (tabs.length > 0) end.zrem(members, ...tabs)
      await redisExec(end)
    },
    async onlineUserIds(nowMs) {
      const tabs = await redisCall(redis.zrange(members, `(${nowMs}`, '+inf', 'BYSCORE'))
      return [...new Set(tabs.map((tab) => tab.slice(0, tab.indexOf(':'))))]
    },
    async sweep(nowMs) {
      await redisCall(redis.zremrangebyscore(members, '-inf', nowMs))
    },
    async close() {
      await redis.quit().catch(() => redis.disconnect())
    },
  }
}
