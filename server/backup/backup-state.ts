// What the backup folder has: of which databases, how far each archive reaches, when the newest backups were made and one was verified.
import { z } from 'zod'
import { MissingFile, baseTime, listArchives, readJson, writeJson, type Archive, type BackupFolder } from './backup-folder.ts'
import { readBaseFacts } from './take-base-backup.ts'
import { BackupError, WrongKey } from './encrypt.ts'
import type { Lsn } from './lsn.ts'
import { readReached } from './archive-wal.ts'

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
  const archives = (await listArchives(folder.dir)).filter(({ bases }) => bases.length > 0)
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

export interface ArchiveEnd {
  /** What was acknowledged before is in the archive. Epoch milliseconds. */
  readonly atMs: number
  readonly lsn: Lsn
  /** Accounts at that time, if that is known. */
  readonly users: number | undefined
  /** A line if the note is damaged. */
  readonly notes: readonly string[]
}

/** @throws BackupError if neither the note nor a file tells it, or the key is another one */
export async function readEnd(folder: BackupFolder, archive: Archive): Promise<ArchiveEnd> {
  const last = archive.wal.at(-1)
  const reached = await readReached(folder, archive.name).catch((error: unknown) => {
    if (last === undefined || !(error instanceof BackupError) || error instanceof WrongKey) throw error
    return error
  })
  if (reached instanceof BackupError) {
    if (last === undefined) throw reached
    return { atMs: last.atMs, lsn: last.endLsn, users: undefined, notes: [reached.message] }
  }
  const { atMs, lsn, users } = reached
  // A crash may come between a file and the note.
  const isNewer = last !== undefined && last.endLsn > lsn
  return { atMs: isNewer ? last.atMs : atMs, lsn: isNewer ? last.endLsn : lsn, users, notes: [] }
}

/** One line for each system with base backups: its number, its accounts, its newest moment. */
export async function describeSystems(folder: BackupFolder, archives?: readonly Archive[]): Promise<string[]> {
  const known = archives ?? (await listArchives(folder.dir)).filter(({ bases }) => bases.length > 0)
  const newest = new Map(known.map((archive) => [archive.systemId, archive]))
  return Promise.all([...newest.values()].map(async (archive) => `  ${archive.systemId}: ${await describeArchive(folder, archive)}`))
}

/** Accounts and newest moment of an archive in words; what cannot be read is said. */
export async function describeArchive(folder: BackupFolder, archive: Archive): Promise<string> {
  try {
    const { atMs, users } = await readEnd(folder, archive)
    return `${users === undefined ? await usersOfBase(folder, archive) : `${usersText(users)}, `}last moment ${new Date(atMs).toISOString()}`
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    return error.message
  }
}

/** In archives of earlier versions only base backups say it. */
async function usersOfBase(folder: BackupFolder, { name, bases }: Archive): Promise<string> {
  const base = bases.at(-1)
  if (base === undefined) return ''
  try {
    const count = (await readBaseFacts(folder, name, base)).quiet?.facts.counts['users']
    return count === undefined ? '' : `${usersText(Number(count))} in its newest base backup, `
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    return ''
  }
}

/** For example "31 users". */
export const usersText = (count: number): string => `${count} ${count === 1 ? 'user' : 'users'}`
