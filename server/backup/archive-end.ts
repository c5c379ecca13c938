// How far an archive reaches: by its note `reached`, and by its files where these are newer or the note is damaged.
import type { Archive, BackupFolder } from './backup-folder.ts'
import { BackupError, WrongKey } from './encrypted-stream.ts'
import type { Lsn } from './lsn.ts'
import { readReached } from './wal-archive.ts'

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
