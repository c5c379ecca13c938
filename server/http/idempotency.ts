// Calls with an Idempotency-Key: the same key and body give the same answer and act once, also after a restart.
import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import { dayMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import { AppError } from '#shared/http/errors.ts'
import type { Route } from '#shared/http/route.ts'
import { httpText } from '#shared/text/en/http.ts'
import { limits as numbers, type Limits } from './limits.ts'

/** A first call that has not answered for so long is dead, and the next one may try. */
const inFlightMs = 60_000
const keptMs = dayMs

export interface Idempotency {
  /**
   * Runs a call once for its key; a call without one, one that changes nothing and one with a password simply run. A call that failed may be sent again.
   * @throws AppError invalid for a key that is none, too-many for more keys than a user has in a day, conflict for a key that was used for something else or whose first call still runs.
   */
  once(route: Route, request: FastifyRequest, userId: string | undefined, run: () => Promise<unknown>): Promise<unknown>
  sweep(): Promise<void>
}

interface IdempotencyDeps {
  readonly db: Db
  readonly limits: Limits
  /** Keys the fingerprints of bodies, so that nobody can guess a body from its row. */
  readonly key: Buffer
  readonly now: () => number
  /** Told when an answer could not be kept. */
  readonly onError: (error: unknown) => void
}

export function databaseIdempotency({ db, limits, key: secret, now, onError }: IdempotencyDeps): Idempotency {
  /** True for whoever may run it; else what the first call answered. */
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
    if (known !== undefined && !Buffer.from(known.fingerprint).equals(fingerprint))
      throw new AppError('conflict', httpText.keyReused, { code: 'http.idempotency-reused' })
    if (known === undefined || known.reply === null)
      throw new AppError('conflict', httpText.stillRunning, { code: 'http.in-flight', retryAfterSeconds: 1 })
    return { reply: known.reply }
  }

  return {
    async once(route, request, userId, run) {
      const key = request.headers['idempotency-key']
      if (key === undefined || route.method === 'GET' || userId === undefined || route.replyType !== undefined || hasSecrets(route))
        return run()
      if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key)) throw new AppError('invalid', httpText.badRequest)
      const wait = await limits.hit(`keys:${userId}`, numbers.idempotencyKeys)
      if (wait !== undefined) throw new AppError('too-many', httpText.tooMany, { code: 'http.too-many-keys', retryAfterSeconds: wait })
      const first = await begin(userId, key, fingerprintOf(request, secret))
      if (first !== true) return first.reply
      const mine = db.updateTable('idempotency_keys').where('user_id', '=', userId).where('key', '=', key)
      let reply: unknown
      try {
        reply = await run()
      } catch (error) {
        await db.deleteFrom('idempotency_keys').where('user_id', '=', userId).where('key', '=', key).where('reply', 'is', null).execute()
        throw error
      }
      // The call has acted: to fail now would make its sender repeat it.
      await mine
        .set({ reply: JSON.stringify(reply) })
        .execute()
        .catch(onError)
      return reply
    },
    async sweep() {
      await db
        .deleteFrom('idempotency_keys')
        .where('begun_at', '<', new Date(now() - keptMs))
        .execute()
    },
  }
}

function fingerprintOf(request: FastifyRequest, secret: Buffer): Buffer {
  return createHmac('sha256', secret)
    .update(`${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`)
    .digest()
}

/** Whether body or reply holds what must leave no trace in a row, not even a keyed one. */
function hasSecrets({ body, hasSecrets: isMarked }: Route): boolean {
  if (isMarked === true) return true
  return body instanceof z.ZodObject && Object.keys(body.shape).some((name) => /password/i.test(name))
}
