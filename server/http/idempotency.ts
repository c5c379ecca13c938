// Calls with an Idempotency-Key: the same key and body return the same response and run once, even after a restart.
import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { dayMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { Route } from '#shared/http/route.ts'
import { rateLimits, rejectWait, type RateLimiter } from './rate-limiter.ts'

/** A first call without a response for this long has timed out, and the next one may run. */
const inFlightMs = 60_000

export type Idempotency = ReturnType<typeof databaseIdempotency>

interface IdempotencyDeps {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  /** Keys the fingerprints of bodies, so that a body cannot be guessed from its row. */
  readonly key: Buffer
  readonly now: () => number
  /** Called when a response could not be stored. */
  readonly onError: (error: unknown) => void
}

export function databaseIdempotency({ db, rateLimiter, key: secret, now, onError }: IdempotencyDeps) {
  /** True if the call may run; else the stored response. */
  async function begin(userId: string, key: string, fingerprint: Buffer): Promise<true | { reply: unknown }> {
    const at = new Date(now())
    const { rows } = await sql<{ is_new: boolean }>`
      insert into idempotency_keys (user_id, key, fingerprint, begun_at) values (${userId}, ${key}, ${fingerprint}, ${at})
      on conflict (user_id, key) do update set begun_at = excluded.begun_at
        where idempotency_keys.reply is null and idempotency_keys.begun_at < ${new Date(now() - inFlightMs)}
          and idempotency_keys.fingerprint = excluded.fingerprint
      returning true as is_new`.execute(db)
    if (rows.length > 0) return true
    const known = await db
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'reply'])
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .executeTakeFirst()
    if (known !== undefined && !Buffer.from(known.fingerprint).equals(fingerprint)) throw new AppError('conflict', 'http.keyReused')
    if (known === undefined || known.reply === null) throw new AppError('conflict', 'http.stillRunning', { retryAfterSeconds: 1 })
    return { reply: known.reply }
  }

  return {
    /**
     * Runs a call once per key; without one, without changes or with secrets it always runs. A failed call may be sent again.
     * @throws AppError invalid for a malformed key, too-many above a user's daily keys, conflict for a reused key or a running first call
     */
    async once(route: Route, request: FastifyRequest, userId: string | undefined, run: () => Promise<unknown>): Promise<unknown> {
      const key = request.headers['idempotency-key']
      if (key === undefined || route.method === 'GET' || userId === undefined || route.replyType !== undefined || route.hasSecrets === true)
        return run()
      if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key)) throw new AppError('invalid', 'http.badRequest')
      rejectWait(await rateLimiter.hit(`keys:${userId}`, rateLimits.idempotencyKeys))
      const first = await begin(userId, key, fingerprintOf(request, secret))
      if (first !== true) return first.reply
      let reply: unknown
      try {
        reply = await run()
      } catch (error) {
        await db.deleteFrom('idempotency_keys').where('user_id', '=', userId).where('key', '=', key).where('reply', 'is', null).execute()
        throw error
      }
      // The call has already run: an error now would make the client repeat it.
      await db
        .updateTable('idempotency_keys')
        .set({ reply: JSON.stringify(reply) })
        .where('user_id', '=', userId)
        .where('key', '=', key)
        .execute()
        .catch(onError)
      return reply
    },
    async sweep(): Promise<void> {
      await db
        .deleteFrom('idempotency_keys')
        .where('begun_at', '<', new Date(now() - dayMs))
        .execute()
    },
  }
}

function fingerprintOf(request: FastifyRequest, secret: Buffer): Buffer {
  return createHmac('sha256', secret)
    .update(`${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`)
    .digest()
}
