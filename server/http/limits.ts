// Counters against guessing and floods, kept in the database: they hold over restarts and over all processes.
import { sql } from 'kysely'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'

export interface Limit {
  readonly hitsMax: number
  readonly windowMs: number
  /**
   * With it the limit is a burst: beyond it one hit is admitted after this wait, which doubles with every hit up to 15
   * minutes. The burst comes back when the window has passed without a hit.
   */
  readonly firstWaitMs?: number
}

const waitMaxMs = 15 * minuteMs

/**
 * The numbers of every named limit; a success at sign-in gives its hits back, so only failures add up.
 * Guesses of strangers at one account: at most 13 free ones and 11 with a proof of work in any hour.
 */
export const limits = {
  signInKnown: { hitsMax: 8, windowMs: 15 * minuteMs, firstWaitMs: 30_000 },
  signInAddress: { hitsMax: 15, windowMs: 15 * minuteMs, firstWaitMs: 15_000 },
  signInAccount: { hitsMax: 6, windowMs: hourMs, firstWaitMs: 30_000 },
  signInProof: { hitsMax: 4, windowMs: hourMs, firstWaitMs: 60_000 },
  signUpAddress: { hitsMax: 20, windowMs: hourMs, firstWaitMs: 15_000 },
  /** Bounds the rows that one user can add. */
  idempotencyKeys: { hitsMax: 300, windowMs: dayMs },
  sessionsUser: { hitsMax: 200, windowMs: dayMs },
  /** Entries in the audit log for turning the pages of the list of users. */
  usersReadEntry: { hitsMax: 1, windowMs: hourMs },
  paymentUser: { hitsMax: 20, windowMs: hourMs },
  confirmUser: { hitsMax: 8, windowMs: 15 * minuteMs },
  secondFactorAccount: { hitsMax: 20, windowMs: hourMs },
  /** Failed second factors of one account in the audit log. */
  secondFactorLog: { hitsMax: 50, windowMs: hourMs },
  factorReset: { hitsMax: 30, windowMs: hourMs },
  passwordReset: { hitsMax: 30, windowMs: hourMs },
  linkAddress: { hitsMax: 10, windowMs: hourMs, firstWaitMs: 15_000 },
  linkAccount: { hitsMax: 3, windowMs: hourMs },
  emailLinkUser: { hitsMax: 5, windowMs: hourMs },
  linkUseAddress: { hitsMax: 20, windowMs: 15 * minuteMs },
  errorReportAddress: { hitsMax: 20, windowMs: 10 * minuteMs },
  errorReportAll: { hitsMax: 300, windowMs: 10 * minuteMs },
  /** Each of them may call a broker. */
  brokerUser: { hitsMax: 20, windowMs: hourMs },
  dataExport: { hitsMax: 6, windowMs: hourMs },
} as const satisfies Record<string, Limit>

export interface Limits {
  /** Counts one hit. Undefined when within the limit, else the whole seconds until the next one is admitted. */
  hit(bucket: string, limit: Limit): Promise<number | undefined>
  /** Gives one hit back. */
  giveBack(bucket: string): Promise<void>
  /** Hits of a running window, and the whole seconds until a bucket with a growing wait admits the next one. */
  read(bucket: string): Promise<{ readonly hits: number; readonly waitSeconds: number | undefined }>
}

/** Beyond it a counter counts no further. */
const countMax = 1_000_000

/** Limits in the table `rate_counters`; one upsert per hit, so parallel hits cannot slip past. */
export function databaseLimits(needs: { db: Db; now: () => number }): Limits {
  const { db, now } = needs
  const secondsUntil = (moment: Date) => Math.max(1, Math.ceil((moment.getTime() - now()) / 1000))

  async function hitBurst(bucket: string, { hitsMax, windowMs }: Limit, firstWaitMs: number): Promise<number | undefined> {
    const at = new Date(now())
    const isOver = sql<boolean>`rate_counters.window_end <= ${at}`
    // The wait that follows a hit; null within the burst. It also moves the end of the window.
    const waitMs = (hits: unknown) =>
      sql<number>`case when ${hits} >= ${hitsMax}::int then least(${waitMaxMs}::float8, ${firstWaitMs}::float8 * power(2, least(${hits} - ${hitsMax}::int, 20))) end`
    const freeAt = (hits: unknown) => sql<Date>`${at}::timestamptz + ${waitMs(hits)} * interval '1 millisecond'`
    const windowEnd = (hits: unknown) =>
      sql<Date>`${at}::timestamptz + (${windowMs}::float8 + coalesce(${waitMs(hits)}, 0)) * interval '1 millisecond'`
    const first = sql`1`
    const next = sql`least(rate_counters.hits + 1, ${countMax}::int)`
    const admitted = await sql`
      insert into rate_counters (bucket, window_end, hits, free_at)
      values (${bucket}, ${windowEnd(first)}, 1, ${freeAt(first)})
      on conflict (bucket) do update set
        hits = case when ${isOver} then 1 else ${next} end,
        window_end = case when ${isOver} then excluded.window_end else ${windowEnd(next)} end,
        free_at = case when ${isOver} then excluded.free_at else ${freeAt(next)} end
      where ${isOver} or rate_counters.free_at is null or rate_counters.free_at <= ${at}
      returning hits`.execute(db)
    if (admitted.rows.length > 0) return undefined
    // Hits that are not admitted make the wait longer as well.
    const { rows } = await sql<{ free_at: Date | null }>`
      update rate_counters set hits = ${next}, free_at = ${freeAt(next)}, window_end = ${windowEnd(next)}
      where bucket = ${bucket} returning free_at`.execute(db)
    return secondsUntil(rows[0]?.free_at ?? at)
  }

  return {
    async hit(bucket, limit) {
      if (limit.firstWaitMs !== undefined) return hitBurst(bucket, limit, limit.firstWaitMs)
      const at = new Date(now())
      const windowEnd = new Date(now() + limit.windowMs)
      const row = await db
        .insertInto('rate_counters')
        .values({ bucket, window_end: windowEnd, hits: 1 })
        .onConflict((conflict) =>
          conflict.column('bucket').doUpdateSet({
            hits: sql<number>`case when rate_counters.window_end <= ${at} then 1 else least(rate_counters.hits + 1, ${countMax}) end`,
            window_end: sql<Date>`case when rate_counters.window_end <= ${at} then excluded.window_end else rate_counters.window_end end`,
          }),
        )
        .returning(['hits', 'window_end'])
        .executeTakeFirstOrThrow()
      return row.hits <= limit.hitsMax ? undefined : secondsUntil(row.window_end)
    },
    async giveBack(bucket) {
      await db
        .updateTable('rate_counters')
        // The hit was admitted, so nothing had to wait before it.
        .set({ hits: sql<number>`greatest(hits - 1, 0)`, free_at: null })
        .where('bucket', '=', bucket)
        .execute()
    },
    async read(bucket) {
      const row = await db
        .selectFrom('rate_counters')
        .select(['hits', 'free_at'])
        .where('bucket', '=', bucket)
        .where('window_end', '>', new Date(now()))
        .executeTakeFirst()
      const freeAt = row?.free_at ?? undefined
      return { hits: row?.hits ?? 0, waitSeconds: freeAt === undefined || freeAt.getTime() <= now() ? undefined : secondsUntil(freeAt) }
    },
  }
}

/** No limits at all: for load and security tests, refused in production by the configuration. */
export const noLimits: Limits = {
  hit: () => Promise.resolve(undefined),
  giveBack: () => Promise.resolve(),
  read: () => Promise.resolve({ hits: 0, waitSeconds: undefined }),
}
