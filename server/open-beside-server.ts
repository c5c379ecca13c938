// Opens the configured database for a command, even while the server uses it.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import type { Database } from './db/database.ts'
import { addressFile, maintenanceUrl } from './engine/open-embedded-server.ts'
import { openDatabase, type DatabaseOptions } from './open-database.ts'

/**
 * Like `openDatabase`; a data folder in use is reached through the address that its server publishes, with `isMaintenance` as
 * the superuser, who may turn triggers off.
 */
export async function openBesideServer(options: DatabaseOptions & { readonly isMaintenance?: boolean }): Promise<Database> {
  try {
    return await openDatabase(options)
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'DataInUse') throw error
    const dataDir = realpathSync(options.dataDir)
    const file = addressFile(dataDir)
    if (!existsSync(file)) throw new Error(`${error.message}, which is just starting or stopping. Try again in a moment.`, { cause: error })
    return openDatabase({
      ...options,
      databaseUrl: options.isMaintenance === true ? await maintenanceUrl(dataDir) : readFileSync(file, 'utf8'),
    })
  }
}
