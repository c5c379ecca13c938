// The database's own note of the copy of WAL that it began last. It decides whether the database may continue an archive.
import type { Archive } from './backup-folder.ts'
import { formatLsn, parseLsn, type Lsn } from './lsn.ts'
import type { ReplicationConnection } from './replication.ts'

export interface BackupMarker {
  readonly archive: string
  readonly fromLsn: Lsn
  /** Epoch milliseconds. */
  readonly atMs: number
}

/** Undefined before the first copy of this version. */
export async function readMarker(connection: ReplicationConnection): Promise<BackupMarker | undefined> {
  const [row] = await connection.query<{ archive: string; lsn: string; ms: string }>(
    'select archive, from_lsn::text as lsn, at_ms::text as ms from public.backup_marker',
  )
  return row && { archive: row.archive, fromLsn: parseLsn(row.lsn), atMs: Number(row.ms) }
}

/** Notes the copy that begins. What is committed then is on disk, so the copy includes it. */
export async function writeMarker(connection: ReplicationConnection, { archive, fromLsn, atMs }: BackupMarker): Promise<void> {
  await connection.query(
    `insert into public.backup_marker (archive, from_lsn, at_ms) values ('${archive}', '${formatLsn(fromLsn)}', ${atMs})
      on conflict (is_only) do update set archive = excluded.archive, from_lsn = excluded.from_lsn, at_ms = excluded.at_ms`,
  )
}

/** Where the next copy begins if the last file of the archive is that of the marker, or the one before it; else undefined. */
export function continuedFrom({ archive, fromLsn, atMs }: BackupMarker, { name, wal }: Archive): Lsn | undefined {
  const last = wal.at(-1)
  if (name !== archive) return undefined
  // The marked copy ended with its file, or without one.
  if (last !== undefined && last.startLsn === fromLsn && last.atMs === atMs) return last.endLsn
  return last === undefined || last.endLsn === fromLsn ? fromLsn : undefined
}
