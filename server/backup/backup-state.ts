// When the newest backups were made, for metrics and the admin's Status page. Reads names and two small files.
import { z } from 'zod'
import { baseTime, listArchives, MissingFile, readJson, writeJson, type BackupFolder } from './backup-folder.ts'
import { readReached } from './wal-archive.ts'

/** Epoch milliseconds; undefined for what does not exist. */
export interface BackupState {
  /** When the newest base backup began. */
  readonly baseMs: number | undefined
  /** The newest moment that a restore reaches. */
  readonly reachedMs: number | undefined
  /** When `verify-backup` last succeeded. */
  readonly verifiedMs: number | undefined
  /** When the oldest base backup began. */
  readonly oldestMs: number | undefined
}

const verifiedSchema = z.object({ atMs: z.number() })
const verifiedName = (archive: string, base: string): string => `${archive}/${base}/verified`

/** @throws BackupError for damaged files; Error if the folder cannot be read. An absent folder has no backups. */
export async function readBackupState(folder: BackupFolder): Promise<BackupState> {
  const archives = (await listArchives(folder.path)).filter(({ bases }) => bases.length > 0)
  const bases = archives.flatMap(({ name, bases: names }) => names.map((base) => ({ archive: name, base })))
  const newest = archives.at(-1)
  // Not by its time, which a wrong clock may have set.
  const newestBase = newest?.bases.at(-1)
  const times = bases.map(({ base }) => baseTime(base)).toSorted((one, other) => one - other)
  const verified = await Promise.all(bases.map(({ archive, base }) => readVerified(folder, archive, base)))
  return {
    baseMs: newestBase === undefined ? undefined : baseTime(newestBase),
    reachedMs: newest === undefined ? undefined : (await readReached(folder, newest.name)).atMs,
    verifiedMs: verified.flatMap((ms) => ms ?? []).reduce<number | undefined>((latest, ms) => Math.max(latest ?? ms, ms), undefined),
    oldestMs: times[0],
  }
}

/** Notes in the backup that it was verified. */
export async function writeVerified(folder: BackupFolder, backup: { archive: string; base: string }, atMs: number): Promise<void> {
  await writeJson(folder, verifiedName(backup.archive, backup.base), { atMs })
}

async function readVerified(folder: BackupFolder, archive: string, base: string): Promise<number | undefined> {
  try {
    return (await readJson(folder, verifiedName(archive, base), verifiedSchema)).atMs
  } catch (error) {
    if (error instanceof MissingFile) return undefined
    throw error
  }
}
