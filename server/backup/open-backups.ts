// The backups of a server process: WAL every minute or when much waits, a base backup every day, and no empty database beside them.
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { checkEngineState } from '../engine/engine-state.ts'
import { clusterVersion } from '../engine/ensure-cluster.ts'
import { maintenanceUrl } from '../engine/open-embedded-server.ts'
import type { JobRuns } from '../metrics/job-runs.ts'
import { baseTime, listArchives, type BackupFolder } from './backup-folder.ts'
import { readBackupState, type BackupState } from './backup-state.ts'
import { describeSystems } from './backup-state.ts'
import { takeBaseBackup } from './take-base-backup.ts'
import { BackupError } from './encrypt.ts'
import { removeOldBackups } from './remove-old-backups.ts'
import { isOnSameDisk } from './backup-folder.ts'
import { archiveWal, waitingWalBytes } from './archive-wal.ts'

const lookEveryMs = 5_000
/** A service manager gives a process some 20 seconds to stop. */
const lastCopyMs = 8_000
/** Far below what PostgreSQL keeps, so that it never removes WAL that a restore needs. */
const waitingBytesMax = 256 * 1024 ** 2

export interface BackupsOptions {
  readonly config: Pick<Config, 'backup' | 'databaseUrl' | 'dataDir'>
  readonly db: Db
  readonly jobs: Pick<JobRuns, 'track'>
  readonly now: () => number
  readonly log: { readonly info: (line: string) => void; readonly warn: (line: string) => void }
  readonly onError: (error: unknown, line: string) => void
  /** Stops the jobs; register it after the database. */
  readonly opened: AsyncDisposableStack
}

/**
 * Starts the jobs if backups of the embedded database are configured.
 * @returns reads the state of the folder; undefined without backups
 */
export function openBackups({ config, db, jobs, now, log, onError, opened }: BackupsOptions): (() => Promise<BackupState>) | undefined {
  const { backup, dataDir } = config
  if (backup === undefined || config.databaseUrl !== undefined) return undefined
  const stopping = new AbortController()
  /** Ends copies of WAL, which go on while the server stops. */
  const cutting = new AbortController()
  const running = new Map<string, Promise<void>>()
  const source = async ({ signal }: AbortController) => {
    const databaseUrl = await maintenanceUrl(await realpath(dataDir))
    return { databaseUrl, folder: backup, dataDir, signal }
  }
  /** Starts a job unless its last run is still under way. */
  const start = (name: string, run: () => Promise<void>): void => {
    if (running.has(name) || stopping.signal.aborted) return
    const ended = run().catch((error: unknown) => {
      if (!stopping.signal.aborted) onError(error, `${name} failed`)
    })
    running.set(
      name,
      ended.then(() => void running.delete(name)),
    )
  }
  const base = jobs.track('backup', async () => {
    const finished = await takeBaseBackup(await source(stopping))
    log.info(`backup ${finished.archive}/${finished.base} is complete`)
    for (const name of await removeOldBackups(backup, backup)) log.info(`backup ${name} is removed`)
  })
  // After a failure the next run is that of the minute.
  let hasCopied = false
  const wal = jobs.track('archive-wal', async () => {
    hasCopied = false
    const { archive } = await archiveWal(await source(cutting))
    hasCopied = true
    const bases = (await listArchives(backup.dir)).find(({ name }) => name === archive)?.bases ?? []
    // One of the future is of a wrong clock.
    if (!bases.some((name) => Math.abs(now() - baseTime(name)) < dayMs)) start('backup', base)
  })
  start('archive-wal', wal)
  const startIfMuchWaits = async (): Promise<void> => {
    if (hasCopied && (await waitingWalBytes(db)) > waitingBytesMax) start('archive-wal', wal)
  }
  const timers = [
    setInterval(() => start('archive-wal', wal), minuteMs),
    // Without an answer nothing waits to be copied either.
    setInterval(() => void startIfMuchWaits().catch(() => {}), lookEveryMs),
  ]
  void warnOfSameDisk({ dir: backup.dir, dataDir, log }).catch((error: unknown) => onError(error, 'backup folder'))
  opened.defer(async () => {
    for (const timer of timers) clearInterval(timer)
    stopping.abort()
    const limit = setTimeout(() => cutting.abort(), lastCopyMs)
    await Promise.all(running.values())
    try {
      // Nothing is acknowledged any more.
      await archiveWal(await source(cutting))
    } catch (error) {
      onError(error, 'the last changes were not copied to BACKUP_DIR')
    }
    clearTimeout(limit)
  })
  return () => readBackupState(backup)
}

async function warnOfSameDisk({ dir, dataDir, log }: { dir: string; dataDir: string } & Pick<BackupsOptions, 'log'>): Promise<void> {
  if (await isOnSameDisk(dir, dataDir))
    log.warn(`BACKUP_DIR ${dir} is on the same file system as DATA_DIR and is lost with it. Is its disk mounted?`)
}

export const hasDatabase = async (dataDir: string): Promise<boolean> =>
  (await clusterVersion(join(dataDir, 'postgres', 'data'))) !== undefined

/** @throws BackupError if `dataDir` has no database and the folder has backups of one, or cannot be read */
export async function rejectEmptyStart(dataDir: string, folder: BackupFolder): Promise<void> {
  if (await hasDatabase(dataDir)) return
  // An interrupted restore or upgrade has its own message.
  await checkEngineState(dataDir)
  const systems = await describeSystems(folder).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BackupError(`${dataDir} has no database, and ${folder.dir}, which may have backups of it, cannot be read: ${reason}`, {
      cause: error,
    })
  })
  if (systems.length === 0) return
  throw new BackupError(
    [
      `${dataDir} has no database, and ${folder.dir} has backups:`,
      ...systems,
      'Tezi does not begin an empty database beside them. If the data is lost, run npx tezi restore.',
      'If an empty database is meant, run npx tezi new-database.',
    ].join('\n'),
  )
}
