// The database port: one set of SQL for the embedded PostgreSQL and for the server of DATABASE_URL, chosen by main.ts alone.
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export type DatabaseEngine = 'embedded-postgres' | 'postgres'

export type Db = Kysely<Tables>

export interface Database {
  readonly engine: DatabaseEngine
  readonly db: Db
  /** Ends all connections and, where the engine is ours, the engine; resolves when everything is on the disk. */
  close(): Promise<void>
}
