// Expires subscriptions whose term is over, unless the clock cannot be trusted.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'

/** Maximum subscriptions expired per transaction. */
const expireMax = 500
/** Allowed clock difference between hosts; marking a term minutes late is harmless. */
const toleranceMs = 5 * minuteMs
/** A clock that has jumped is trusted again after running evenly for this long: the host may also have slept. */
const believedAfterMs = dayMs
const logEveryMs = hourMs

export interface ExpiryJobDeps {
  readonly expire: (limit: number) => Promise<number>
  /** The database's clock, epoch milliseconds. */
  readonly databaseNow: () => Promise<number>
  /** This process's wall clock, epoch milliseconds. */
  readonly now: () => number
  /** Monotonic milliseconds. */
  readonly monotonic: () => number
  readonly log: (line: string, details: Readonly<Record<string, unknown>>) => void
}

/**
 * Returns the job, which resolves to whether it did its work. An expiry cannot be undone by correcting the clock,
 * so it does nothing while the wall clock differs from the database's, or has jumped since the last run; premium
 * itself is decided at each read.
 */
export function expiryJob({ expire, databaseNow, now, monotonic, log }: ExpiryJobDeps): () => Promise<boolean> {
  /** Wall clock minus monotonic clock, as trusted and after a jump. */
  let trustedMs = now() - monotonic()
  let jumped: { readonly originMs: number; readonly sinceMs: number } | undefined
  let loggedMs = -Infinity

  function jumpOf(originMs: number): number {
    if (Math.abs(originMs - trustedMs) <= toleranceMs) jumped = undefined
    else if (jumped === undefined || Math.abs(originMs - jumped.originMs) > toleranceMs) jumped = { originMs, sinceMs: monotonic() }
    else if (monotonic() - jumped.sinceMs >= believedAfterMs) jumped = undefined
    if (jumped !== undefined) return originMs - trustedMs
    trustedMs = originMs
    return 0
  }

  return async () => {
    const jumpMs = jumpOf(now() - monotonic())
    const differenceMs = now() - (await databaseNow())
    if (jumpMs === 0 && Math.abs(differenceMs) <= toleranceMs) {
      while ((await expire(expireMax)) === expireMax);
      return true
    }
    if (monotonic() - loggedMs < logEveryMs) return false
    loggedMs = monotonic()
    log('no subscription is ended: the clock cannot be trusted', {
      jumpSeconds: Math.round(jumpMs / 1_000),
      aheadOfDatabaseSeconds: Math.round(differenceMs / 1_000),
    })
    return false
  }
}

/** The database's clock, epoch milliseconds. */
export async function databaseNow(db: Db): Promise<number> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the database does not say what time it is')
  return row.at.getTime()
}
