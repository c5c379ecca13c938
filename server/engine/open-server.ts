// Runs the embedded PostgreSQL of a data folder for other processes, which connect by its address.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sealAudit, superuser } from './cluster-access.ts'
import { openDataDir, type OpenDataDir } from './open-data-dir.ts'

export interface EmbeddedServer {
  /** Absolute path of the data folder. */
  readonly dataDir: string
  /** Address for DATABASE_URL; valid on this machine while the server runs. */
  readonly databaseUrl: string
  readonly storageError: OpenDataDir['storageError']
  /** Takes the tables that are kept from the application role, after migrations. */
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

/** Starts the PostgreSQL of the folder and publishes its address. @throws DataInUse if another process uses the folder */
export async function openEmbeddedServer(options: { dataDir: string; log: (line: string) => void }): Promise<EmbeddedServer> {
  const data = await openDataDir(options)
  const { dataDir } = data
  const { host, port, user, database } = data.connection
  const databaseUrl = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
  const file = addressFile(dataDir)
  try {
    // A file left by a killed process may have other permissions.
    await rm(file, { force: true })
    await writeFile(file, databaseUrl, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    await data.close()
    throw error
  }
  return {
    dataDir,
    databaseUrl,
    storageError: data.storageError,
    sealAudit: () => sealAudit(data.connection),
    async close() {
      await rm(file, { force: true })
      await data.close()
    },
  }
}
