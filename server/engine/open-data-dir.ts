// Starts the embedded PostgreSQL of a data folder, exclusive to one process.
import { realpath } from 'node:fs/promises'
import type { DatabaseLog } from '../db/database.ts'
import { lockDataDir } from './data-lock.ts'
import { makeDirectoryDurably } from './durable.ts'
import { checkEngine, recordEngine } from './engine-file.ts'
import { openNative } from './open-native.ts'

type NativeServer = Awaited<ReturnType<typeof openNative>>

export interface OpenDataDir {
  /** Absolute path of the data folder. */
  readonly dataDir: string
  readonly connection: NativeServer['connection']
  readonly storageError: NativeServer['storageError']
  /** Stops PostgreSQL cleanly and releases the folder. */
  close(): Promise<void>
}

/** Locks the folder, creating it if needed, and starts its PostgreSQL. @throws DataInUse if another process uses the folder */
export async function openDataDir(options: { dataDir: string; log: DatabaseLog }): Promise<OpenDataDir> {
  await checkEngine(options.dataDir)
  await makeDirectoryDurably(options.dataDir)
  const dataDir = await realpath(options.dataDir)
  const lock = await lockDataDir(dataDir)
  try {
    const postgres = await openNative({ dataDir, log: options.log })
    await recordEngine(dataDir)
    return {
      dataDir,
      connection: postgres.connection,
      storageError: postgres.storageError,
      async close() {
        await postgres.stop()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}
