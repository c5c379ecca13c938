// Opens the database this start works with: a PostgreSQL server when an address is given, otherwise an engine of our own in the data directory.
import { realpath } from 'node:fs/promises'
import type { Database } from './database.ts'
import { lockDataDir } from './embedded/data-lock.ts'
import { makeDirectoryDurably } from './embedded/durable.ts'
import { readEngine, writeEngine, type EmbeddedEngine } from './embedded/engine-file.ts'
import { openNative } from './embedded/open-native.ts'
import { NativeUnavailable } from './embedded/unavailable.ts'
import { openPglite } from './pglite/open-pglite.ts'
import { openPool, openPostgres } from './postgres.ts'

export interface DatabaseNeeds {
  /** Folder of all data; made when missing. */
  readonly dataDir: string
  readonly databaseUrl?: string
  readonly log: (line: string) => void
  /** For tests of the fallback: behave as on a machine where only this engine runs. */
  readonly onlyEngine?: EmbeddedEngine
}

/**
 * Answers an open database, not yet migrated. Throws `DataInUse` when another process works on the folder, otherwise an
 * error whose message is fit to be shown at start.
 */
export async function openDatabase(needs: DatabaseNeeds): Promise<Database> {
  const { log, databaseUrl } = needs
  if (databaseUrl !== undefined) return openPostgres({ databaseUrl, log })
  await makeDirectoryDurably(needs.dataDir)
  const dataDir = await realpath(needs.dataDir)
  const lock = await lockDataDir(dataDir)
  try {
    const opened = await openEmbedded({ ...needs, dataDir })
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

async function openEmbedded(needs: DatabaseNeeds): Promise<Database> {
  const { dataDir, log } = needs
  const noted = await readEngine(dataDir)
  const engine = noted ?? needs.onlyEngine ?? 'embedded-postgres'
  if (needs.onlyEngine !== undefined && engine !== needs.onlyEngine) {
    throw new Error(`${dataDir} was made with ${engine}, which does not run here; nothing was changed`)
  }
  try {
    const opened = engine === 'pglite' ? await openPglite({ dataDir, log }) : await openOwnPostgres(dataDir, log)
    await writeEngine(dataDir, engine)
    return opened
  } catch (error) {
    if (!(error instanceof NativeUnavailable)) throw error
    // Data that PostgreSQL has made must never come back empty under another engine.
    if (noted !== undefined)
      throw new Error(`${dataDir} was made with ${noted}, which does not run here: ${error.message}`, { cause: error })
    log(`using PGlite, slower than PostgreSQL and for one process only, because ${error.message}`)
    const opened = await openPglite({ dataDir, log })
    await writeEngine(dataDir, 'pglite')
    return opened
  }
}

async function openOwnPostgres(dataDir: string, log: (line: string) => void): Promise<Database> {
  const engine = await openNative({ dataDir, log })
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
