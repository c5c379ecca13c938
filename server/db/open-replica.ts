// Long reads from a streaming replica. Each is as fresh as one from the primary, which serves it if the replica cannot.
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { OutageError } from '../outages/outage-error.ts'
import type { DatabaseLog, Db, PoolLimits, Replica } from './database.ts'
import { openPool } from './open-pool.ts'

export interface ReplicaOptions {
  readonly databaseUrl: string
  readonly primary: Db
  readonly limits?: Partial<PoolLimits>
  readonly log: DatabaseLog
  readonly monotonic: () => number
}

/** What the replica must have replayed, and which database it must have. */
interface Position {
  readonly lsn: string
  readonly system: string
  readonly name: string
}

/** Limit of the connection and of the wait for the position. */
const lagMaxMs = 1_000
const retryMs = 10_000
const pollMs = 10

class ReplicaError extends Error {
  override readonly name = 'ReplicaError'
}

/** Connects lazily. */
export function openReplica({ databaseUrl, primary, limits, log, monotonic }: ReplicaOptions): Replica {
  const { db, close } = openPool({
    connection: { connectionString: databaseUrl },
    log,
    limits: { ...limits, connectTimeoutMs: lagMaxMs },
  })
  const counts = { replica: 0, primary: 0 }
  let issue: string | undefined
  let retryAtMs = -Infinity
  function setIssue(found: string | undefined): void {
    if (found !== issue) log(found === undefined ? 'the replica is used again' : `the replica is not used: it ${found}`, 'warn')
    issue = found
  }
  return {
    async read(run) {
      if (monotonic() >= retryAtMs) {
        const position = await positionOf(primary)
        try {
          const result = await readAt(db, position, run)
          counts.replica += 1
          setIssue(undefined)
          return result
        } catch (error) {
          retryAtMs = monotonic() + retryMs
          setIssue(reasonOf(error))
        }
      }
      counts.primary += 1
      return run(primary)
    },
    counts,
    issue: () => issue,
    close,
  }
}

async function positionOf(primary: Db): Promise<Position> {
  const { rows } = await sql<Position>`
    select pg_current_wal_flush_lsn()::text as lsn, system_identifier::text as system, current_database() as name
    from pg_control_system()`.execute(primary)
  const [position] = rows
  if (position === undefined) throw new Error('the primary does not describe itself')
  return position
}

/** Waits and reads on one connection: an address may lead to several replicas. */
async function readAt<Result>(db: Db, position: Position, run: (db: Db) => Promise<Result>): Promise<Result> {
  const waited = Promise.withResolvers<void>()
  const late = new ReplicaError(`is more than ${lagMaxMs / 1_000} s behind, or does not answer`)
  const limit = new AbortController()
  const timer = setTimeout(() => {
    waited.reject(late)
    limit.abort(late)
  }, lagMaxMs)
  const result = db
    .transaction()
    .setAccessMode('read only')
    .execute(async (transaction) => {
      while (!(await hasReached(transaction, position))) await delay(pollMs, undefined, { signal: limit.signal })
      limit.signal.throwIfAborted()
      waited.resolve()
      return run(transaction)
    })
  // After the time limit nothing awaits it.
  result.catch(() => {})
  try {
    await Promise.race([waited.promise, result])
    return await result
  } finally {
    clearTimeout(timer)
  }
}

/** @throws ReplicaError if the server is not a standby with the database of the position */
async function hasReached(db: Db, { lsn, system, name }: Position): Promise<boolean> {
  const { rows } = await sql<{ replicates: boolean; reached: boolean | null }>`
    select pg_is_in_recovery() and system_identifier::text = ${system} and current_database() = ${name} as replicates,
      pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as reached
    from pg_control_system()`.execute(db)
  const { replicates = false, reached = null } = rows[0] ?? {}
  if (!replicates) throw new ReplicaError('is no streaming replica of the database of DATABASE_URL')
  return reached === true
}

function reasonOf(error: unknown): string {
  if (error instanceof ReplicaError) return error.message
  const { code, message } = ((error instanceof OutageError ? error.cause : error) ?? {}) as { code?: string; message?: string }
  return `failed: ${code ?? message ?? 'unknown reason'}`
}

/**
 * Why a replica cannot serve reads, found by one read; undefined if it can.
 * @throws OutageError if the primary does not answer
 */
export async function replicaIssue(options: {
  readonly databaseUrl: string
  readonly replicaUrl: string
  readonly timeoutMs: number
}): Promise<string | undefined> {
  const { databaseUrl, replicaUrl, timeoutMs } = options
  const common = { log: () => {}, limits: { size: 2, connectTimeoutMs: timeoutMs, statementTimeoutMs: timeoutMs } }
  const primary = openPool({ connection: { connectionString: databaseUrl }, ...common })
  const replica = openReplica({ databaseUrl: replicaUrl, primary: primary.db, ...common, monotonic: () => performance.now() })
  try {
    await replica.read((db) => sql`select 1`.execute(db))
    return replica.issue()
  } finally {
    await Promise.all([replica.close(), primary.close()])
  }
}
