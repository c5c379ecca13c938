// Opens the database of this start: the PostgreSQL server of an address, otherwise the embedded PostgreSQL of the data folder.
import { poolLimitsDefault, type Database, type DatabaseLog, type PoolLimits } from './database.ts'
import { openEmbeddedServer } from './embedded/open-server.ts'
import { openPool, openPostgres } from './postgres.ts'

/** The embedded PostgreSQL takes 40 connections, and scripts need some. */
const embeddedPoolSizeMax = 30

export interface DatabaseNeeds {
  /** Folder of all data; made when missing. */
  readonly dataDir: string
  readonly databaseUrl?: string
  readonly log: DatabaseLog
  /** Pool size and time limits other than the defaults. */
  readonly limits?: Partial<PoolLimits>
}

/**
 * Answers an open database, not yet migrated. Throws `DataInUse` when another process works on the folder, otherwise an
 * error whose message is fit to be shown at start.
 */
export async function openDatabase({ dataDir, databaseUrl, log, limits }: DatabaseNeeds): Promise<Database> {
  if (databaseUrl !== undefined) return openPostgres({ databaseUrl, log, limits })
  const server = await openEmbeddedServer({ dataDir, log })
  const size = Math.min(embeddedPoolSizeMax, limits?.size ?? poolLimitsDefault.size)
  const connection = { connectionString: server.databaseUrl }
  const pool = openPool({ connection, log, limits: { ...limits, size }, storageError: server.storageError })
  return {
    engine: 'embedded-postgres',
    ...pool,
    async close() {
      await pool.close()
      await server.close()
    },
  }
}
