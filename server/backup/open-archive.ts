// The archive that a copy of WAL continues, or a new one.
import { join } from 'node:path'
import { makeDirectoryDurably } from '../engine/write-file-durably.ts'
import { archiveName, listArchives, readArchiveName, removePartial, type Archive, type BackupFolder } from './backup-folder.ts'
import { continuedFrom, readMarker } from './backup-marker.ts'
import { BackupError } from './encrypted-stream.ts'
import { parseLsn, segmentStart, type Lsn } from './lsn.ts'
import type { ReplicationConnection } from './replication.ts'

export const slotName = 'tezi_backup'

export interface SystemState {
  readonly systemId: string
  readonly timeline: number
  readonly untilLsn: Lsn
  readonly atMs: number
}

interface Continued {
  readonly archive: string
  readonly fromLsn: Lsn
}

/**
 * The archive that this database continues, or a new one with a new slot.
 * @throws BackupError if the folder lacks the archive that the database was copied to last, and none may be begun
 */
export async function openArchive(
  connection: ReplicationConnection,
  { path }: BackupFolder,
  state: SystemState,
  { mayBegin }: { mayBegin: boolean },
): Promise<Continued> {
  const [slot] = await connection.query<{ lsn: string | null; wal_status: string | null }>(
    `select restart_lsn::text as lsn, wal_status from pg_replication_slots where slot_name = '${slotName}'`,
  )
  const archives = await listArchives(path)
  const own = archives.filter(({ systemId, timeline }) => systemId === state.systemId && timeline === state.timeline)
  const found = await continuedByMarker(connection, { path, own, state, mayBegin })
  const keptLsn = typeof slot?.lsn === 'string' && slot.wal_status !== 'lost' ? parseLsn(slot.lsn) : undefined
  if (found !== undefined && keptLsn !== undefined && keptLsn <= found.fromLsn && found.fromLsn <= state.untilLsn) {
    await removePartial(path, found.archive, 'wal-')
    return found
  }
  if (slot !== undefined) await connection.query(`select pg_drop_replication_slot('${slotName}')`)
  const [made] = await connection.query<{ lsn: string }>(
    `select lsn::text from pg_create_physical_replication_slot('${slotName}', immediately_reserve => true)`,
  )
  if (made === undefined) throw new Error('the database made no replication slot')
  // Names are in the order in which archives began, also when a clock was wrong.
  const atMs = Math.max(state.atMs, ...archives.map(({ name }) => readArchiveName(name).atMs + 1))
  const archive = archiveName({ ...state, atMs })
  await makeDirectoryDurably(join(path, archive))
  // Recovery reads whole segments.
  return { archive, fromLsn: segmentStart(parseLsn(made.lsn)) }
}

async function continuedByMarker(
  connection: ReplicationConnection,
  { path, own, state, mayBegin }: { path: string; own: readonly Archive[]; state: SystemState; mayBegin: boolean },
): Promise<Continued | undefined> {
  const marker = await readMarker(connection)
  if (marker === undefined) return undefined
  const archive = own.find(({ name }) => name === marker.archive)
  if (archive !== undefined) {
    const fromLsn = continuedFrom(marker, archive)
    return fromLsn === undefined ? undefined : { archive: archive.name, fromLsn }
  }
  // A restored database has another timeline than the one that was copied.
  const { systemId, timeline } = readArchiveName(marker.archive)
  if (!mayBegin && systemId === state.systemId && timeline === state.timeline)
    throw new BackupError(
      `${path} lacks ${marker.archive}, where the last backups were written. Is its disk mounted? To begin new backups in this folder, run npx tezi backup`,
    )
  return undefined
}
