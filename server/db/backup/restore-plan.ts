// Chooses the base backup and the WAL for a restore, before anything is written.
import { listArchives, type Archive, type BackupFolder } from './backup-folder.ts'
import { readBaseFacts, type BaseFacts } from './base-backup.ts'
import { BackupError } from './encrypted-stream.ts'
import { parseLsn, segmentStart } from './lsn.ts'
import { readReached } from './wal-archive.ts'

export interface RestorePlan {
  readonly archive: Archive
  readonly base: string
  readonly facts: BaseFacts
  /** The WAL has everything that was acknowledged before. Epoch milliseconds. */
  readonly reachedMs: number
}

/** An archive with the moments that a restore from it can reach. */
interface Reach {
  readonly archive: Archive
  readonly bases: readonly { readonly name: string; readonly facts: BaseFacts }[]
  readonly reachedMs: number
}

/**
 * The plan for a moment, by default the newest one that the backups reach.
 * @param toMs epoch milliseconds
 * @throws BackupError if no backup reaches it, or a file of it is missing, damaged or encrypted with another key
 */
export async function planRestore(folder: BackupFolder, toMs?: number): Promise<RestorePlan> {
  const archives = (await listArchives(folder.path)).filter(({ bases }) => bases.length > 0).toReversed()
  if (archives.length === 0) throw new BackupError(`there is no backup in ${folder.path}`)
  const reaches: string[] = []
  for (const archive of archives) {
    const { bases, reachedMs } = await readReach(folder, archive)
    const base = bases.findLast(({ facts }) => toMs === undefined || facts.consistentAtMs <= toMs)
    if (base !== undefined && (toMs === undefined || toMs <= reachedMs)) {
      await checkWal(folder, archive, base.facts)
      return { archive, base: base.name, facts: base.facts, reachedMs }
    }
    if (bases[0] !== undefined) reaches.push(`  ${iso(bases[0].facts.consistentAtMs)} to ${iso(reachedMs)}`)
  }
  throw new BackupError(`no backup reaches ${iso(toMs ?? 0)}. A restore is possible to:\n${reaches.join('\n')}`)
}

/** The plan for one base backup and its own verification point. @throws BackupError as `planRestore` */
export async function planVerify(folder: BackupFolder, name?: string): Promise<RestorePlan> {
  const archives = await listArchives(folder.path)
  const archive = archives.findLast(({ bases }) => (name === undefined ? bases.length > 0 : bases.includes(name)))
  const base = name ?? archive?.bases.at(-1)
  if (archive === undefined || base === undefined)
    throw new BackupError(name === undefined ? `there is no backup in ${folder.path}` : `there is no backup ${name} in ${folder.path}`)
  const facts = await readBaseFacts(folder, archive.name, base)
  await checkWal(folder, archive, facts)
  return { archive, base, facts, reachedMs: (await readReached(folder, archive.name)).atMs }
}

async function readReach(folder: BackupFolder, archive: Archive): Promise<Reach> {
  const { atMs: reachedMs } = await readReached(folder, archive.name)
  const bases = await Promise.all(archive.bases.map(async (name) => ({ name, facts: await readBaseFacts(folder, archive.name, name) })))
  return { archive, bases, reachedMs }
}

/** @throws BackupError if WAL is missing between the base backup and the end of the archive */
async function checkWal(folder: BackupFolder, archive: Archive, facts: BaseFacts): Promise<void> {
  const neededLsn = segmentStart(parseLsn(facts.startLsn))
  const { lsn: reachedLsn } = await readReached(folder, archive.name)
  let lsn: bigint | undefined
  for (const file of archive.wal.filter(({ endLsn }) => endLsn > neededLsn)) {
    if (lsn === undefined ? file.startLsn > neededLsn : file.startLsn !== lsn)
      throw new BackupError(`WAL is missing before ${archive.name}/${file.name}`)
    lsn = file.endLsn
  }
  // A file may be newer than the note of how far the archive reaches.
  if (lsn === undefined || lsn < reachedLsn) throw new BackupError(`the end of the WAL of ${archive.name} is missing`)
}

export const iso = (atMs: number): string => new Date(atMs).toISOString()
