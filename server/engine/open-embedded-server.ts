// Runs the embedded PostgreSQL of a data folder, exclusive to one process; others connect by its address.
import { readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseLog } from '../db/database.ts'
import { sealAudit, superuser } from './application-role.ts'
import { lockDataDir } from './data-lock.ts'
import { checkEngineState, recordEngine } from './engine-state.ts'
import { openPostmaster, type Postmaster } from './postmaster.ts'
import { makeDirectoryDurably } from './write-file-durably.ts'

export interface EmbeddedServer {
  /** Absolute path of the data folder. */
  readonly dataDir: string
  /** Address for DATABASE_URL; valid on this machine while the server runs. */
  readonly databaseUrl: string
  readonly storageError: Postmaster['storageError']
  /** Takes the protected tables from the application role, after migrations. */
  sealAudit(): Promise<void>
  /** Stops PostgreSQL cleanly and releases the folder. */
  close(): Promise<void>
}

/** File in the data folder with the address of a running shared server. */
export const addressFile = (dataDir: string): string => join(dataDir, 'database-url')

/** Address of the superuser at the running server of a data folder, for backups. @throws Error if none runs */
export async function maintenanceUrl(dataDir: string): Promise<string> {
  const url = new URL(await readFile(addressFile(dataDir), 'utf8'))
  url.username = superuser
  return url.href
}

/**
 * Locks the folder, creating it if needed, starts its PostgreSQL, and publishes its address.
 * @throws DataInUse if another process uses the folder
 */
export async function openEmbeddedServer(options: { dataDir: string; log: DatabaseLog }): Promise<EmbeddedServer> {
  await checkEngineState(options.dataDir)
  await makeDirectoryDurably(options.dataDir)
  const dataDir = await realpath(options.dataDir)
  const lock = await lockDataDir(dataDir)
  const file = addressFile(dataDir)
  const opened = new AsyncDisposableStack()
  opened.defer(() => lock.release())
  try {
    const postmaster = await openPostmaster({ dataDir, log: options.log })
    opened.defer(() => postmaster.stop())
    await recordEngine(dataDir)
    const { connection, storageError } = postmaster
    const { host, port, user, database } = connection
    const databaseUrl = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
    // A file left by a killed process may have other permissions.
    await rm(file, { force: true })
    await writeFile(file, databaseUrl, { mode: 0o600, flag: 'wx' })
    opened.defer(() => rm(file, { force: true }))
    return { dataDir, databaseUrl, storageError, sealAudit: () => sealAudit(connection), close: () => opened.disposeAsync() }
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}
