// A lost data folder must not become an empty site whose backups take the place of the real ones.
import { join } from 'node:path'
import { clusterVersion } from '../engine/ensure-cluster.ts'
import { checkEngineState } from '../engine/engine-state.ts'
import type { BackupFolder } from './backup-folder.ts'
import { describeSystems } from './backup-systems.ts'
import { BackupError } from './encrypted-stream.ts'

export const hasDatabase = async (dataDir: string): Promise<boolean> =>
  (await clusterVersion(join(dataDir, 'postgres', 'data'))) !== undefined

/** @throws BackupError if `dataDir` has no database and the folder has backups of one, or cannot be read */
export async function rejectEmptyStart(dataDir: string, folder: BackupFolder): Promise<void> {
  if (await hasDatabase(dataDir)) return
  // An interrupted restore or upgrade has its own message.
  await checkEngineState(dataDir)
  const systems = await describeSystems(folder).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BackupError(`${dataDir} has no database, and ${folder.path}, which may have backups of it, cannot be read: ${reason}`, {
      cause: error,
    })
  })
  if (systems.length === 0) return
  throw new BackupError(
    [
      `${dataDir} has no database, and ${folder.path} has backups:`,
      ...systems,
      'Tezi does not begin an empty database beside them. If the data is lost, run npx tezi restore.',
      'If an empty database is meant, run npx tezi new-database.',
    ].join('\n'),
  )
}
