// Checks the database: reachable, new enough, enough connections; and reads its clock.
import { Client } from 'pg'
import { z } from 'zod'
import { changedCollationSql } from '#server/db/database.ts'
import { failed, ok, type CheckResult } from './check.ts'
import { aheadOf, type ClockReading } from './clock.ts'

export interface DatabaseOptions {
  readonly connectionString: string
  /** Connections of one process (`DATABASE_POOL_SIZE`). */
  readonly poolSize: number
  /** Wall clock, epoch milliseconds. */
  readonly now: () => number
  readonly timeoutMs: number
}

export interface DatabaseReport {
  readonly results: readonly CheckResult[]
  readonly readings: readonly ClockReading[]
}

const name = 'database'
const versionMin = 15
/** Kept by PostgreSQL for superusers. */
const reservedMax = 3

const factsSchema = z.object({ nowMs: z.coerce.number(), version: z.coerce.number(), connections: z.coerce.number() })

const factsSql = `select extract(epoch from clock_timestamp()) * 1000 as "nowMs",
  current_setting('server_version_num') as version, current_setting('max_connections') as connections`

/** Uses one connection, and changes nothing. Messages contain neither address nor password. */
export async function checkDatabase({ connectionString, poolSize, now, timeoutMs }: DatabaseOptions): Promise<DatabaseReport> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'tezi-doctor',
  })
  // A connection that breaks rejects the query as well.
  client.on('error', () => {})
  try {
    await client.connect()
    const sentMs = now()
    const { rows } = await client.query<Record<string, unknown>>(factsSql)
    const receivedMs = now()
    const { nowMs, version, connections } = factsSchema.parse(rows[0])
    const aheadMs = aheadOf(nowMs, sentMs, receivedMs)
    const isOld = version < versionMin * 10_000
    const collation = isOld ? [] : collationResults((await client.query<{ isChanged: boolean }>(changedCollationSql)).rows)
    return { results: [databaseResult(version, connections, poolSize), ...collation], readings: [{ from: 'the database', aheadMs }] }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const found = `does not answer: ${code ?? message}`
    return {
      results: [failed(name, found, 'Is it running, and is DATABASE_URL right? docs/operating/runbooks.md#database-down')],
      readings: [],
    }
  } finally {
    await client.end().catch(() => {})
  }
}

/** @param version as `server_version_num`, such as 180004 */
export function databaseResult(version: number, connections: number, poolSize: number): CheckResult {
  const major = Math.floor(version / 10_000)
  const found = `PostgreSQL ${major} answers, ${connections} connections`
  if (major < versionMin) return failed(name, found, `Upgrade it: Tezi needs PostgreSQL ${versionMin} or newer.`)
  // One more connection is kept for /readyz.
  if (poolSize + 1 > connections - reservedMax)
    return failed(name, `${found}, too few for one process`, 'Raise max_connections of PostgreSQL, or lower DATABASE_POOL_SIZE.')
  return ok(name, found)
}

/** A result only where the collation has changed. */
function collationResults([found]: readonly { readonly isChanged: boolean }[]): CheckResult[] {
  if (found?.isChanged !== true) return []
  const action = 'Make the indexes again: docs/operating/database.md#collations'
  return [failed('collation', 'of the database has changed since its indexes were made, so searches may miss rows', action)]
}
