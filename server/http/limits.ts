// Counters against guessing and floods, kept in the database: they hold over restarts and over all processes.
import { sql } from 'kysely'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'

export interface Limit {
  readonly hitsMax: number
  readonly windowMs: number
}

/** The numbers of every named limit; a success at sign-in gives its hits back, so only failures add up. */
export const limits = {
  signInPair: { hitsMax: 8, windowMs: 15 * minuteMs },
  signInAddress: { hitsMax: 15, windowMs: 15 * minuteMs },
  signInAccount: { hitsMax: 30, windowMs: hourMs },
  signUpAddress: { hitsMax: 20, windowMs: hourMs },
  paymentUser: { hitsMax: 20, windowMs: hourMs },
  confirmUser: { hitsMax: 8, windowMs: 15 * minuteMs },
  passwordReset: { hitsMax: 30, windowMs: hourMs },
  linkAddress: { hitsMax: 10, windowMs: hourMs },
  linkAccount: { hitsMax: 3, windowMs: hourMs },
  linkUseAddress: { hitsMax: 20, windowMs: 15 * minuteMs },
  errorReportAddress: { hitsMax: 20, windowMs: 10 * minuteMs },
  errorReportAll: { hitsMax: 300, windowMs: 10 * minuteMs },
  dataExport: { hitsMax: 6, windowMs: hourMs },
} as const satisfies Record<string, Limit>

export interface Limits {
  /** Counts one hit. Undefined when within the limit, else the whole seconds until the window ends. */
  hit(bucket: string, limit: Limit): Promise<number | undefined>
  /** Gives one hit back. */
  giveBack(bucket: string): Promise<void>
  /** Forgets a bucket. */
  clear(bucket: string): Promise<void>
}

/** Limits in the table `rate_counters`; one upsert per hit, so parallel hits cannot slip past. */
export function databaseLimits(needs: { db: Db; now: () => number }): Limits {
  const { db, now } = needs
  return {
    async hit(bucket, limit) {
      const at = new Date(now())
      const windowEnd = new Date(now() + limit.windowMs)
      const row = await db
        .insertInto('rate_counters')
        .values({ bucket, window_end: windowEnd, hits: 1 })
        .onConflict((conflict) =>
          conflict.column('bucket').doUpdateSet({
            hits: sql<number>`case when rate_counters.window_end <= ${at} then 1 else rate_counters.hits + 1 end`,
            window_end: sql<Date>`case when rate_counters.window_end <= ${at} then excluded.window_end else rate_counters.window_end end`,
          }),
        )
        .returning(['hits', 'window_end'])
        .executeTakeFirstOrThrow()
      if (row.hits <= limit.hitsMax) return undefined
      return Math.max(1, Math.ceil((row.window_end.getTime() - now()) / 1000))
    },
    async giveBack(bucket) {
      await db
        .updateTable('rate_counters')
        .set({ hits: sql<number>`greatest(hits - 1, 0)` })
        .where('bucket', '=', bucket)
        .execute()
    },
    async clear(bucket) {
      await db.deleteFrom('rate_counters').where('bucket', '=', bucket).execute()
    },
  }
}

/** No limits at all: for load and security tests, refused in production by the configuration. */
export const noLimits: Limits = {
  hit: () => Promise.resolve(undefined),
  giveBack: () => Promise.resolve(),
  clear: () => Promise.resolve(),
}
