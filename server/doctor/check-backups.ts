// Judges the backups: what the newest ones reach, and when one was last verified.
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ErasuresFile } from '#server/features/privacy/erasures-file.ts'
import type { BackupTimes } from '#server/features/system-status/service.ts'
import { failed, ok, warning, type CheckResult } from './check.ts'

/** A daily base backup that is late by more than this is missing. */
const baseAgeMsMax = dayMs + 2 * hourMs
/** Changes are copied every minute. */
const changesAgeMsMax = 5 * minuteMs
/** A weekly verification, and some days. */
const verifiedAgeMsMax = 10 * dayMs

const name = 'backup'
const page = 'docs/operating/backup-and-restore.md'

export interface Backups {
  readonly dir: string
  readonly read: () => Promise<BackupTimes>
  /** Whether the folder is on the same file system as DATA_DIR, and of how many databases it has backups. */
  readonly folder: () => Promise<{ readonly isOnSameDisk: boolean; readonly systems: number }>
}

/** @param nowMs wall clock, epoch milliseconds */
export async function checkBackups({ dir, read }: Backups, nowMs: number): Promise<CheckResult> {
  let state: BackupTimes
  try {
    state = await read()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return failed(name, `${dir}: ${reason}`, `Mount the backup folder, let the user of Tezi read it, and use its key: ${page}`)
  }
  const { baseMs, reachedMs, verifiedMs } = state
  if (baseMs === undefined || reachedMs === undefined)
    return failed(name, `${dir} has no base backup`, `Is its disk mounted? If it is, start Tezi, or run npx tezi backup: ${page}`)
  const found = `a restore reaches ${ageText(nowMs - reachedMs)} ago, the base backup is of ${ageText(nowMs - baseMs)} ago`
  if (nowMs - baseMs > baseAgeMsMax) return failed(name, found, `Look into the log for why backups fail: ${page}`)
  if (nowMs - reachedMs > changesAgeMsMax)
    return warning(name, found, `Start Tezi. If it runs, look into the log for why archive-wal fails: ${page}`)
  if (nowMs - (verifiedMs ?? -Infinity) > verifiedAgeMsMax)
    return warning(name, `${found}; none was verified in the last 10 days`, 'npx tezi verify-backup, once a week.')
  return ok(name, found)
}

/** Whether a lost disk takes the backups along, and whether some are never removed. */
export async function checkBackupFolder({ dir, folder }: Pick<Backups, 'dir' | 'folder'>): Promise<CheckResult> {
  const { isOnSameDisk, systems } = await folder()
  if (isOnSameDisk)
    return warning(
      'backup folder',
      `${dir} is on the same file system as DATA_DIR and is lost with it`,
      `Is its disk mounted? If it has none, mount one, or copy the backups elsewhere: ${page}#copies-elsewhere`,
    )
  if (systems > 1)
    return warning(
      'backup folder',
      `${dir} has backups of ${systems} databases; Tezi removes old ones of its own only`,
      `npx tezi list-backups shows them. Delete the folders of those that are not needed: ${page}#several-databases`,
    )
  return ok('backup folder', `${dir} is on another file system than DATA_DIR`)
}

const pgbackrestSchema = z.array(
  z.object({
    name: z.string(),
    status: z.object({ code: z.number(), message: z.string() }),
    backup: z.array(z.object({ error: z.boolean().nullish(), timestamp: z.object({ stop: z.number() }) })),
  }),
)

/** @param file output of `pgbackrest info --output=json`, which is written after each backup */
export async function checkPgbackrest(file: string, nowMs: number): Promise<CheckResult> {
  const action = `Look into the log of pgBackRest, and write the file after each backup: ${page}#your-own-postgresql`
  let stanzas: z.output<typeof pgbackrestSchema>
  try {
    stanzas = pgbackrestSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'it is not what pgbackrest info --output=json prints'
    return failed(name, `PGBACKREST_INFO ${file}: ${reason}`, action)
  }
  const bad = stanzas.find(({ status }) => status.code !== 0)
  if (bad !== undefined) return failed(name, `pgBackRest says of ${bad.name}: ${bad.status.message}`, action)
  const newest = stanzas.flatMap(({ backup }) => backup).toSorted((one, other) => other.timestamp.stop - one.timestamp.stop)[0]
  if (newest === undefined) return failed(name, 'pgBackRest has no backup', action)
  const ageMs = nowMs - newest.timestamp.stop * 1_000
  const found = `the newest backup of pgBackRest is of ${ageText(ageMs)} ago`
  if (ageMs > baseAgeMsMax) return failed(name, found, action)
  if (newest.error === true)
    return failed(name, `${found}, and has damaged pages`, `The data folder of the server is damaged: ${page}#your-own-postgresql`)
  return ok(name, found)
}

/** Whether a restore of the server of DATABASE_URL can erase again who was erased since. */
export async function checkErasures(file: string | undefined): Promise<CheckResult> {
  if (file === undefined)
    return warning(
      'erasures',
      'ERASURES_FILE is not set: a restored backup would bring erased accounts back',
      `Set it to a file on another disk than the database: ${page}#your-own-postgresql`,
    )
  try {
    return ok('erasures', `${(await new ErasuresFile(file).read()).length} in ${file}`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return failed('erasures', reason, 'Mount its disk, or start Tezi, which writes the file.')
  }
}

function ageText(ms: number): string {
  if (ms < 2 * minuteMs) return `${Math.max(0, Math.round(ms / 1_000))} seconds`
  return ms < 2 * hourMs ? `${Math.round(ms / minuteMs)} minutes` : `${Math.round(ms / hourMs)} hours`
}
