// Opens the embedded PostgreSQL of a data directory: user, program, cluster, process, in this order.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseLog } from '../database.ts'
import { ensureCluster } from './cluster.ts'
import { chooseOwner } from './owner.ts'
import { startPostmaster, type Postmaster } from './postmaster.ts'
import { prepareProgram } from './program.ts'
import { machineForbids, NativeUnavailable } from './unavailable.ts'

/** The caller holds the data lock. Throws `NativeUnavailable` when PostgreSQL cannot run on this machine. */
export async function openNative(needs: { dataDir: string; log: DatabaseLog; settings?: Record<string, string> }): Promise<Postmaster> {
  const { log } = needs
  const homeDir = join(needs.dataDir, 'postgres')
  await mkdir(homeDir, { recursive: true, mode: 0o755 })
  const owner = chooseOwner(join(homeDir, 'data'))
  const program = await prepareProgram({ homeDir, owner, log })
  const dataDir = await ensureCluster({ homeDir, program, owner, log, isFlushed: needs.settings?.['fsync'] !== 'off' })
  try {
    return await startPostmaster({ homeDir, dataDir, program, owner, log, ...(needs.settings ? { settings: needs.settings } : {}) })
  } catch (error) {
    if (error instanceof Error && machineForbids.test(error.message)) throw new NativeUnavailable(error.message, { cause: error })
    throw error
  }
}
