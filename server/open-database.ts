// Opens the configured database: the server of DATABASE_URL, otherwise the embedded PostgreSQL of the data folder.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import type { BackupConfig } from './config/config.ts'
import { rejectEmptyStart } from './backup/open-backups.ts'
import { poolLimitsDefault, type Database, type DatabaseLog, type PoolLimits } from './db/database.ts'
import { DataInUse } from './engine/data-lock.ts'
import { addressFile, maintenanceUrl, openEmbeddedServer } from './engine/open-embedded-server.ts'
import { openPostgres } from './db/open-postgres.ts'
import { openPool } from './db/open-pool.ts'

/** The embedded PostgreSQL has 40 connections, and scripts need some. */
const embeddedPoolSizeMax = 30

export interface OpenDatabaseOptions {
  /** Folder of all data; created if missing. */
  readonly dataDir: string
  readonly databaseUrl?: string
  readonly log: DatabaseLog
  /** The backups, if there are any: beside them no new, empty database is made. */
  readonly backup?: Pick<BackupConfig, 'dir' | 'keys'> | undefined
  /** Pool size and timeouts that override the defaults. */
  readonly limits?: Partial<PoolLimits>
}

/**
 * Returns an open database, not yet migrated. Throws `DataInUse` if another process uses the folder, otherwise an
 * error whose message can be shown to the operator.
 */
export async function openDatabase({ dataDir, databaseUrl, log, backup, limits }: OpenDatabaseOptions): Promise<Database> {
  if (databaseUrl !== undefined) return openPostgres({ databaseUrl, log, limits })
  if (backup !== undefined) await rejectEmptyStart(dataDir, backup)
  const server = await openEmbeddedServer({ dataDir, log })
  const size = Math.min(embeddedPoolSizeMax, limits?.size ?? poolLimitsDefault.size)
  const connection = { connectionString: server.databaseUrl }
  const pool = openPool({ connection, log, limits: { ...limits, size }, storageError: server.storageError })
  return {
    engine: 'embedded-postgres',
    ...pool,
    sealAudit: () => server.sealAudit(),
    async close() {
      await pool.close()
      await server.close()
    },
  }
}

/**
 * Like `openDatabase`, for a command; a data folder in use is reached through the address that its server publishes, with `isMaintenance` as
 * the superuser, who may turn triggers off.
 */
export async function openBesideServer(options: OpenDatabaseOptions & { readonly isMaintenance?: boolean }): Promise<Database> {
  try {
    return await openDatabase(options)
  } catch (error) {
    if (!(error instanceof DataInUse)) throw error
    const dataDir = realpathSync(options.dataDir)
    const file = addressFile(dataDir)
    if (!existsSync(file)) throw new Error(`${error.message}, which is just starting or stopping. Try again in a moment.`, { cause: error })
    return openDatabase({
      ...options,
      databaseUrl: options.isMaintenance === true ? await maintenanceUrl(dataDir) : readFileSync(file, 'utf8'),
    })
  }
}
