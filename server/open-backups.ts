// The backup jobs of a server process: WAL every minute or when much waits, a base backup every day.
import { realpath } from 'node:fs/promises'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { Config } from './config.ts'
import { baseTime, listArchives } from './db/backup/backup-folder.ts'
import { readBackupState, type BackupState } from './db/backup/backup-state.ts'
import { removeOldBackups, takeBaseBackup } from './db/backup/base-backup.ts'
import { archiveWal, waitingWalBytes } from './db/backup/wal-archive.ts'
import type { Db } from './db/database.ts'
import { maintenanceUrl } from './db/embedded/open-server.ts'
import type { JobRuns } from './metrics/job-runs.ts'

const lookEveryMs = 5_000
/** Far below what PostgreSQL keeps, so that it never removes WAL that a restore needs. */
const waitingBytesMax = 256 * 1024 ** 2

export interface BackupsOptions {
  readonly config: Pick<Config, 'backup' | 'databaseUrl' | 'dataDir'>
  readonly db: Db
  readonly jobs: Pick<JobRuns, 'track'>
  readonly now: () => number
  readonly log: (line: string) => void
  readonly onError: (error: unknown, line: string) => void
  /** Stops the jobs; register it after the database. */
  readonly opened: AsyncDisposableStack
}

/**
 * Starts the jobs if backups are configured, for a server of DATABASE_URL with a role for backups.
 * @returns reads the state of the folder; undefined without backups
 */
export function openBackups({ config, db, jobs, now, log, onError, opened }: BackupsOptions): (() => Promise<BackupState>) | undefined {
  const { backup, dataDir } = config
  if (backup === undefined || (config.databaseUrl !== undefined && backup.databaseUrl === undefined)) return undefined
  const folder = { path: backup.dir, keys: backup.keys }
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const source = async () => {
    const databaseUrl = backup.databaseUrl ?? (await maintenanceUrl(await realpath(dataDir)))
    return { databaseUrl, folder, dataDir, signal: stopping.signal }
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
    const finished = await takeBaseBackup(await source())
    log(`backup ${finished.archive}/${finished.base} is complete`)
    for (const name of await removeOldBackups(folder, { days: backup.days, nowMs: now() })) log(`backup ${name} is removed`)
  })
  // After a failure the next run is that of the minute.
  let hasCopied = false
  const wal = jobs.track('archive-wal', async () => {
    hasCopied = false
    const { archive } = await archiveWal(await source())
    hasCopied = true
    const newest = (await listArchives(folder.path)).find(({ name }) => name === archive)?.bases.at(-1)
    if (newest === undefined || now() - baseTime(newest) >= dayMs) start('backup', base)
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
  opened.defer(async () => {
    for (const timer of timers) clearInterval(timer)
    stopping.abort()
    await Promise.all(running.values())
  })
  return () => readBackupState(folder)
}
