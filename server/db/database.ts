// The database port: one set of SQL for the embedded PostgreSQL and for the server of DATABASE_URL, chosen by main.ts alone.
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export type DatabaseEngine = 'embedded-postgres' | 'postgres'

export type Db = Kysely<Tables>

/** Connections of one process. */
export interface PoolUse {
  readonly used: number
  readonly idle: number
  readonly max: number
  /** Callers that wait for a connection. */
  readonly waiting: number
}

export interface Database {
  readonly engine: DatabaseEngine
  /** Queries reject with `OutageError` while the database cannot do its work. */
  readonly db: Db
  /** Resolves when the database answers; rejects with `OutageError` within 2 seconds when it does not, however many wait for it. */
  ping(): Promise<void>
  poolUse(): PoolUse
  /** Ends all connections and, where the engine is ours, the engine; resolves when everything is on the disk. */
  close(): Promise<void>
}

export type DatabaseLog = (line: string, level?: 'info' | 'warn' | 'error') => void

/** Times in milliseconds. */
export interface PoolLimits {
  /** Connections of one process. */
  readonly size: number
  /** For a connection: a free one of the pool, or a new one. */
  readonly connectTimeoutMs: number
  /** For one statement; the server ends it. */
  readonly statementTimeoutMs: number
  /** For a lock that another transaction holds. */
  readonly lockTimeoutMs: number
}

export const poolLimitsDefault: PoolLimits = { size: 10, connectTimeoutMs: 5_000, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 }
