// The backup jobs of a server process: WAL every minute or when much waits, a base backup every day.
import { realpath } from 'node:fs/promises'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { BackupConfig, Config } from './config/config.ts'
import { baseTime, listArchives, type BackupFolder } from './backup/backup-folder.ts'
import { readBackupState, type BackupState } from './backup/backup-state.ts'
import { takeBaseBackup } from './backup/base-backup.ts'
import { removeOldBackups } from './backup/remove-old-backups.ts'
import { isOnSameDisk } from './backup/same-disk.ts'
import { archiveWal, waitingWalBytes } from './backup/wal-archive.ts'
import type { Db } from './db/database.ts'
import { maintenanceUrl } from './engine/open-embedded-server.ts'
import type { JobRuns } from './metrics/job-runs.ts'

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

/** Undefined if backups are not configured. */
export function backupFolderOf(backup: BackupConfig | undefined): BackupFolder | undefined {
  return backup && { path: backup.dir, keys: backup.keys }
}

/**
 * Starts the jobs if backups of the embedded database are configured.
 * @returns reads the state of the folder; undefined without backups
 */
export function openBackups({ config, db, jobs, now, log, onError, opened }: BackupsOptions): (() => Promise<BackupState>) | undefined {
  const { backup, dataDir } = config
  const folder = backupFolderOf(backup)
  if (backup === undefined || folder === undefined) return undefined
  if (config.databaseUrl !== undefined) return undefined
  const stopping = new AbortController()
  /** Ends copies of WAL, which go on while the server stops. */
  const cutting = new AbortController()
  const running = new Map<string, Promise<void>>()
  const source = async ({ signal }: AbortController) => {
    const databaseUrl = await maintenanceUrl(await realpath(dataDir))
    return { databaseUrl, folder, dataDir, signal }
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
    for (const name of await removeOldBackups(folder, backup)) log.info(`backup ${name} is removed`)
  })
  // After a failure the next run is that of the minute.
  let hasCopied = false
  const wal = jobs.track('archive-wal', async () => {
    hasCopied = false
    const { archive } = await archiveWal(await source(cutting))
    hasCopied = true
    const bases = (await listArchives(folder.path)).find(({ name }) => name === archive)?.bases ?? []
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
  return () => readBackupState(folder)
}

async function warnOfSameDisk({ dir, dataDir, log }: { dir: string; dataDir: string } & Pick<BackupsOptions, 'log'>): Promise<void> {
  if (await isOnSameDisk(dir, dataDir))
    log.warn(`BACKUP_DIR ${dir} is on the same file system as DATA_DIR and is lost with it. Is its disk mounted?`)
}
