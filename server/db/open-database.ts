// Opens the database of this start: the PostgreSQL server of an address, otherwise the embedded PostgreSQL of the data folder.
import { realpath } from 'node:fs/promises'
import type { Database } from './database.ts'
import { lockDataDir } from './embedded/data-lock.ts'
import { makeDirectoryDurably } from './embedded/durable.ts'
import { checkEngine, recordEngine } from './embedded/engine-file.ts'
import { openNative } from './embedded/open-native.ts'
import { openPool, openPostgres } from './postgres.ts'

export interface DatabaseNeeds {
  /** Folder of all data; made when missing. */
  readonly dataDir: string
  readonly databaseUrl?: string
  readonly log: (line: string) => void
}

/**
 * Answers an open database, not yet migrated. Throws `DataInUse` when another process works on the folder, otherwise an
 * error whose message is fit to be shown at start.
 */
export async function openDatabase(needs: DatabaseNeeds): Promise<Database> {
  const { log, databaseUrl } = needs
  if (databaseUrl !== undefined) return openPostgres({ databaseUrl, log })
  await checkEngine(needs.dataDir)
  await makeDirectoryDurably(needs.dataDir)
  const dataDir = await realpath(needs.dataDir)
  const lock = await lockDataDir(dataDir)
  try {
    const opened = await openEmbedded(dataDir, log)
    return {
      ...opened,
      async close() {
        await opened.close()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function openEmbedded(dataDir: string, log: (line: string) => void): Promise<Database> {
  const engine = await openNative({ dataDir, log })
  await recordEngine(dataDir)
  const { db } = openPool({ connection: { ...engine.connection }, log })
  return {
    engine: 'embedded-postgres',
    db,
    async close() {
      await db.destroy()
      await engine.stop()
    },
  }
}
