// Opens the embedded PostgreSQL of a data directory: user, binary, cluster, process, in this order.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseLog } from '../db/database.ts'
import { ensureCluster } from './cluster.ts'
import { chooseOwner } from './os-user.ts'
import { startPostmaster, type Postmaster } from './postmaster.ts'
import { prepareProgram } from './postgres-binary.ts'
import { machineForbids, NativeUnavailable } from './unsupported-platform.ts'

/** The caller holds the data lock. Throws `NativeUnavailable` if PostgreSQL cannot run on this machine. */
export async function openNative(options: {
  dataDir: string
  log: DatabaseLog
  settings?: Record<string, string>
  readyMs?: number
}): Promise<Postmaster> {
  const { log, settings, readyMs } = options
  const homeDir = join(options.dataDir, 'postgres')
  await mkdir(homeDir, { recursive: true, mode: 0o755 })
  const owner = chooseOwner(join(homeDir, 'data'))
  const program = await prepareProgram({ homeDir, owner, log })
  const dataDir = await ensureCluster({ homeDir, program, owner, log, isFlushed: settings?.['fsync'] !== 'off' })
  try {
    return await startPostmaster({ homeDir, dataDir, program, owner, log, settings, readyMs })
  } catch (error) {
    if (error instanceof Error && machineForbids.test(error.message)) throw new NativeUnavailable(error.message, { cause: error })
    throw error
  }
}
