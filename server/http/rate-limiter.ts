// Rate limiters against guessing and floods, stored in the database: they survive restarts and apply to all processes.
import type { IncomingMessage } from 'node:http'
import proxyaddr from '@fastify/proxy-addr'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { AppError, type MessageOf } from '#shared/http/app-error.ts'

export interface RateLimit {
  readonly hitsMax: number
  readonly windowMs: number
  /**
   * Makes the limit a burst: beyond it one hit is admitted after this wait, which doubles with every admitted hit up to
   * 15 minutes. The burst is restored after a window without an admitted hit.
   */
  readonly firstWaitMs?: number
}

const waitMaxMs = 15 * minuteMs

/**
 * All named rate limits; a successful sign-in gives its hits back, so only failures add up, and counts for itself.
 * Guesses of strangers at one account: in any hour at most 13 free ones, and with proofs of work 11 from each address and
 * 60 from all.
 */
export const rateLimits = {
  signInKnown: { hitsMax: 8, windowMs: 15 * minuteMs, firstWaitMs: 30_000 },
  signInAddress: { hitsMax: 15, windowMs: 15 * minuteMs, firstWaitMs: 15_000 },
  signInAccount: { hitsMax: 6, windowMs: hourMs, firstWaitMs: 30_000 },
  /** One account from one address. */
  signInProof: { hitsMax: 4, windowMs: hourMs, firstWaitMs: 60_000 },
  /** One account from all addresses. */
  signInProofAll: { hitsMax: 60, windowMs: hourMs },
  /** Successes of one account from one address or device: each costs a hash and a session. */
  signInSuccess: { hitsMax: 5, windowMs: 15 * minuteMs, firstWaitMs: 5_000 },
  signUpAddress: { hitsMax: 20, windowMs: hourMs, firstWaitMs: 15_000 },
  /** Of all addresses; beyond it every sign-up needs a proof, which gets harder. */
  signUpAll: { hitsMax: 120, windowMs: 10 * minuteMs },
  /** Mails to addresses that nobody has confirmed, which may belong to strangers. */
  unprovenMailRecipient: { hitsMax: 6, windowMs: 6 * hourMs },
  /** To one recipient, for sign-ups of one network with an address that is taken: the owner's own network has another count. */
  claimMailNetwork: { hitsMax: 3, windowMs: 6 * hourMs },
  unprovenMailNetwork: { hitsMax: 60, windowMs: hourMs },
  /** Bounds the rows that one user can add. */
  idempotencyKeys: { hitsMax: 300, windowMs: dayMs },
  sessionsUser: { hitsMax: 200, windowMs: dayMs },
  /** Audit log entries for paging through the list of users. */
  usersReadEntry: { hitsMax: 1, windowMs: hourMs },
  paymentUser: { hitsMax: 20, windowMs: hourMs },
  confirmUser: { hitsMax: 8, windowMs: 15 * minuteMs },
  secondFactorAccount: { hitsMax: 20, windowMs: hourMs },
  /** Audit log entries for failed second factors of one account. */
  secondFactorLog: { hitsMax: 50, windowMs: hourMs },
  factorReset: { hitsMax: 30, windowMs: hourMs },
  roleChange: { hitsMax: 30, windowMs: hourMs },
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
} as const satisfies Record<string, RateLimit>

/** @throws AppError too-many if there are seconds to wait, as a rate limiter returns them */
export function rejectWait(wait: number | undefined, message: MessageOf = 'http.tooMany'): void {
  if (wait !== undefined) throw new AppError('too-many', message, { retryAfterSeconds: wait })
}

export interface RateLimiter {
  /** Counts one hit. Undefined within the limit, else the whole seconds until the next one is admitted. */
  hit(bucket: string, limit: RateLimit): Promise<number | undefined>
  /** Gives one hit back. */
  giveBack(bucket: string): Promise<void>
  /** Hits of the current window, and the whole seconds until a bucket with a growing wait admits the next one. */
  read(bucket: string): Promise<{ readonly hits: number; readonly waitSeconds: number | undefined }>
}

/** Counts in each bucket, or in none; seconds to wait in that case. */
export async function hitAll(
  rateLimiter: RateLimiter,
  entries: readonly (readonly [bucket: string, limit: RateLimit])[],
): Promise<number | undefined> {
  const counted: string[] = []
  for (const [bucket, limit] of entries) {
    const wait = await rateLimiter.hit(bucket, limit)
    if (wait !== undefined) {
      await Promise.all(counted.map((each) => rateLimiter.giveBack(each)))
      return wait
    }
    counted.push(bucket)
  }
  return undefined
}

/** Counters stop here. */
const countMax = 1_000_000

/** Rate limits in the table `rate_counters`; one upsert per hit, so concurrent hits cannot bypass it. */
export class DatabaseRateLimiter implements RateLimiter {
  readonly #options: { db: Db; now: () => number }

  constructor(options: { db: Db; now: () => number }) {
    this.#options = options
  }

  async hit(bucket: string, limit: RateLimit): Promise<number | undefined> {
    if (limit.firstWaitMs !== undefined) return this.#hitBurst(bucket, limit, limit.firstWaitMs)
    const at = new Date(this.#options.now())
    const windowEnd = new Date(this.#options.now() + limit.windowMs)
    const row = await this.#options.db
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
    return row.hits <= limit.hitsMax ? undefined : this.#secondsUntil(row.window_end)
  }

  async giveBack(bucket: string): Promise<void> {
    await this.#options.db
      .updateTable('rate_counters')
      // The hit was admitted, so there was no wait before it.
      .set({ hits: sql<number>`greatest(hits - 1, 0)`, free_at: null })
      .where('bucket', '=', bucket)
      .execute()
  }

  async read(bucket: string): Promise<{ readonly hits: number; readonly waitSeconds: number | undefined }> {
    const row = await this.#options.db
      .selectFrom('rate_counters')
      .select(['hits', 'free_at'])
      .where('bucket', '=', bucket)
      .where('window_end', '>', new Date(this.#options.now()))
      .executeTakeFirst()
    const freeAt = row?.free_at ?? undefined
    return {
      hits: row?.hits ?? 0,
      waitSeconds: freeAt === undefined || freeAt.getTime() <= this.#options.now() ? undefined : this.#secondsUntil(freeAt),
    }
  }

  #secondsUntil(moment: Date) {
    return Math.max(1, Math.ceil((moment.getTime() - this.#options.now()) / 1000))
  }

  async #hitBurst(bucket: string, { hitsMax, windowMs }: RateLimit, firstWaitMs: number): Promise<number | undefined> {
    const at = new Date(this.#options.now())
    const isOver = sql<boolean>`rate_counters.window_end <= ${at}`
    // The wait after a hit; null within the burst. It also extends the window.
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
      returning hits`.execute(this.#options.db)
    if (admitted.rows.length > 0) return undefined
    // Rejected hits do not extend the wait, so a flood cannot lock others out.
    return (await this.read(bucket)).waitSeconds ?? 1
  }
}

/** No limits: for load and security tests, rejected in production by the configuration. */
export const noRateLimits: RateLimiter = {
  hit: () => Promise.resolve(undefined),
  giveBack: () => Promise.resolve(),
  read: () => Promise.resolve({ hits: 0, waitSeconds: undefined }),
}

/**
 * Reads the rate limit key of a raw request, such as an upgrade: the peer, or if
 * that is a trusted proxy, the last untrusted address of X-Forwarded-For. The framework does the same.
 */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyaddr.compile([...trustedProxies])
  // A closed connection has no address, and the proxy rules throw without one.
  return (request) => ipRateLimitKey(request.socket.remoteAddress === undefined ? undefined : proxyaddr(request, isTrusted))
}

/** IPv4 unchanged (also when mapped into IPv6); IPv6 by its /64, since one home owns a whole /64. A closed connection has none. */
export function ipRateLimitKey(ip: string | undefined): string {
  if (ip === undefined) return 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!ip.includes(':')) return ip
  return `${expandIpv6(ip).slice(0, 4).join(':')}::/64`
}

/** The network of a rate limit key: an IPv4 /24, or the /48 that providers give to one customer. */
export function networkOf(key: string): string {
  const ipv4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(key)
  if (ipv4 !== null) return `${ipv4[1] ?? ''}.0/24`
  return key.includes(':') ? `${key.split(':').slice(0, 3).join(':')}::/48` : key
}

function expandIpv6(ip: string): string[] {
  const [head = '', tail] = (ip.split('%')[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...right].map((part) =>
    part.toLowerCase().replace(/^0+(?=.)/, ''),
  )
}
