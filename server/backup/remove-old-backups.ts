// Removes backups that are past their retention: of each database by itself, and by what the backups say, not by this machine's clock.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '#shared/base/durations.ts'
import { baseLsn, baseTime, listArchives, type Archive, type BackupFolder } from './backup-folder.ts'
import { segmentStart } from './lsn.ts'

/** So many of the newest base backups of a database stay, whatever their times are. */
const basesMin = 7
/** One alone may come from a wrong clock. */
const confirmations = 2

/**
 * Removes the base backups that two newer ones of the same database confirm to be `days` old, and the WAL that no other one needs.
 * The newest seven stay. Returns what was removed.
 */
export async function removeOldBackups({ dir }: BackupFolder, { days }: { days: number }): Promise<string[]> {
  const archives = await listArchives(dir)
  const removed: string[] = []
  for (const systemId of new Set(archives.map((archive) => archive.systemId))) {
    const ofSystem = archives.filter((archive) => archive.systemId === systemId)
    const old = oldBases(ofSystem, days)
    for (const archive of ofSystem) removed.push(...(await removeFrom(dir, archive, { old, isLast: archive === ofSystem.at(-1) })))
  }
  return removed
}

/** Bases of one database as `archive/base`. */
function oldBases(archives: readonly Archive[], days: number): ReadonlySet<string> {
  const bases = archives.flatMap(({ name, bases: names }) => names.map((base) => ({ path: `${name}/${base}`, atMs: baseTime(base) })))
  const isOld = (atMs: number, index: number): boolean => {
    const newer = bases.slice(index + 1)
    // A day less: the next one is due when this one is `days` old.
    const confirmed = newer.filter((other) => other.atMs - atMs >= (days - 1) * dayMs).length
    return newer.length >= Math.min(days, basesMin) && confirmed >= confirmations
  }
  return new Set(bases.filter(({ atMs }, index) => isOld(atMs, index)).map((base) => base.path))
}

async function removeFrom(
  dir: string,
  archive: Archive,
  { old, isLast }: { old: ReadonlySet<string>; isLast: boolean },
): Promise<string[]> {
  const { name } = archive
  const remaining = archive.bases.filter((base) => !old.has(`${name}/${base}`))
  // The last archive of a database may be waiting for its first base backup.
  if (remaining.length === 0 && !isLast) {
    await rm(join(dir, name), { recursive: true, force: true })
    return [name]
  }
  const removed = archive.bases.filter((base) => !remaining.includes(base)).map((base) => `${name}/${base}`)
  for (const base of removed) await rm(join(dir, base), { recursive: true, force: true })
  const neededLsn = remaining[0] === undefined ? undefined : baseLsn(remaining[0])
  // The WAL of an archive of an earlier version goes with its last base backup.
  if (neededLsn !== undefined)
    for (const file of archive.wal.filter(({ endLsn }) => endLsn <= segmentStart(neededLsn)))
      await rm(join(dir, name, file.name), { force: true })
  return removed
}
