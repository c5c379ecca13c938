// The database port: the same SQL for the embedded PostgreSQL and for the server of DATABASE_URL, chosen only by main.ts.
import type { Kysely } from 'kysely'
import type { PoolConfig } from 'pg'
import type { Tables } from './tables.ts'

export type DatabaseEngine = 'embedded-postgres' | 'postgres'

export type Db = Kysely<Tables>

/** Connections of one process. */
export interface PoolUse {
  readonly used: number
  readonly idle: number
  readonly max: number
  /** Callers waiting for a connection. */
  readonly waiting: number
}

export interface Database {
  readonly engine: DatabaseEngine
  readonly connection: PoolConfig
  /** Queries reject with `OutageError` while the database is unavailable. */
  readonly db: Db
  /** Resolves when the database responds; rejects with `OutageError` after 2 seconds. Concurrent callers share one ping. */
  ping(): Promise<void>
  poolUse(): PoolUse
  /** Keeps the application role from turning off the triggers of the audit log; of an embedded engine, after migrations. */
  sealAudit?(): Promise<void>
  /** Closes all connections and an embedded engine; resolves when all data is on disk. */
  close(): Promise<void>
}

/** A replica of the database, for reads that take long. */
export interface Replica {
  /**
   * Runs a read on the replica once that has replayed everything that is committed now. If it fails, or has not replayed it
   * within a second, the primary is used, for this read and for those of the next 10 seconds.
   */
  read<Result>(run: (db: Db) => Promise<Result>): Promise<Result>
  /** Reads so far, by the server that served them. */
  readonly counts: Readonly<Record<'replica' | 'primary', number>>
  /** Why the last attempt failed; undefined if it did not. Contains neither address nor password. */
  issue(): string | undefined
  close(): Promise<void>
}

export type DatabaseLog = (line: string, level?: 'info' | 'warn' | 'error') => void

/** Times in milliseconds. */
export interface PoolLimits {
  /** Connections of one process. */
  readonly size: number
  /** For a connection: a free one from the pool, or a new one. */
  readonly connectTimeoutMs: number
  /** For one statement; enforced by the server. */
  readonly statementTimeoutMs: number
  /** For a lock that another transaction holds. */
  readonly lockTimeoutMs: number
}

export const poolLimitsDefault: PoolLimits = { size: 10, connectTimeoutMs: 5_000, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 }

/** Whether the C library or ICU sorts otherwise than when the indexes were made; the builtin C.UTF-8 never does. */
export const changedCollationSql = `select coalesce(datcollversion <> pg_database_collation_actual_version(oid), false) as "isChanged"
  from pg_database where datname = current_database()`
