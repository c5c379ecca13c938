// Copies new WAL into the backup folder: the job that makes a restore to any moment possible.
import { join } from 'node:path'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../database.ts'
import { makeDirectoryDurably } from '../embedded/durable.ts'
import {
  listArchives,
  readJson,
  removePartial,
  timeName,
  walContext,
  walFileName,
  writeEncrypted,
  writeJson,
  type Archive,
  type BackupFolder,
} from './backup-folder.ts'
import { saveErasures } from './erasure-list.ts'
import { BackupError } from './encrypted-stream.ts'
import { formatLsn, parseLsn, segmentBytes, segmentStart, type Lsn } from './lsn.ts'
import { ReplicationConnection } from './replication.ts'

export interface BackupSource {
  /** Of a superuser of the database. */
  readonly databaseUrl: string
  readonly folder: BackupFolder
  /** Ends the work early, with an error. */
  readonly signal?: AbortSignal
}

export interface Reached {
  readonly archive: string
  readonly lsn: Lsn
  /** What was acknowledged before can be restored. Epoch milliseconds, by the database's clock. */
  readonly atMs: number
}

const slotName = 'tezi_backup'
/** Advisory lock id of everything that writes WAL files; any fixed number. */
const walLock = 7_239_412_019
const reachedSchema = z.object({ lsn: z.string(), atMs: z.number() })

const endOf = (archive: Archive | undefined): Lsn | undefined => archive?.wal.at(-1)?.endLsn

/** How far the WAL of an archive reaches. @throws BackupError if that is unknown */
export async function readReached(folder: BackupFolder, archive: string): Promise<Reached> {
  const { lsn, atMs } = await readJson(folder, `${archive}/reached`, reachedSchema)
  return { archive, lsn: parseLsn(lsn), atMs }
}

/**
 * Copies all WAL that is not in the folder yet, and the list of erasures. Concurrent callers wait for each other.
 * Begins a new archive when the last one cannot be continued: another database, a restored one, or WAL that is gone.
 * @throws Error if the database is unavailable or the disk is full; the next call continues where the last complete file ends
 */
export async function archiveWal({ databaseUrl, folder, signal }: BackupSource): Promise<Reached> {
  const connection = await ReplicationConnection.open(databaseUrl, signal)
  try {
    await connection.lock(walLock, 60)
    const [clock] = await connection.query<{ ms: string }>(`select floor(extract(epoch from clock_timestamp()) * 1000)::text as ms`)
    const atMs = Number(clock?.ms)
    const [system] = await connection.query<{ systemid: string; timeline: string; xlogpos: string }>('IDENTIFY_SYSTEM')
    if (system === undefined) throw new Error('the database does not identify itself')
    const untilLsn = parseLsn(system.xlogpos)
    await requireSegmentSize(connection)
    const timeline = Number(system.timeline)
    const { archive, fromLsn } = await openArchive(connection, folder, { systemId: system.systemid, timeline, untilLsn, atMs })
    const lsn = untilLsn > fromLsn ? await copyWal(connection, folder, { archive, timeline, fromLsn, untilLsn, atMs }) : fromLsn
    await saveErasures(connection, folder)
    await writeJson(folder, `${archive}/reached`, { lsn: formatLsn(lsn), atMs })
    return { archive, lsn, atMs }
  } finally {
    await connection.close()
  }
}

async function requireSegmentSize(connection: ReplicationConnection): Promise<void> {
  const [row] = await connection.query<{ bytes: string }>(`select setting as bytes from pg_settings where name = 'wal_segment_size'`)
  if (row?.bytes !== String(segmentBytes)) throw new BackupError('only servers with WAL segments of 16 MB can be backed up')
}

/** WAL that PostgreSQL keeps for the next copy, in bytes; 0 before the first one. */
export async function waitingWalBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: string | null }>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::text as bytes from pg_replication_slots where slot_name = ${slotName}`.execute(
    db,
  )
  return Number(rows[0]?.bytes ?? 0)
}

interface SystemState {
  readonly systemId: string
  readonly timeline: number
  readonly untilLsn: Lsn
  readonly atMs: number
}

/** The archive that this database continues, or a new one with a new slot. */
async function openArchive(
  connection: ReplicationConnection,
  { path }: BackupFolder,
  { systemId, timeline, untilLsn, atMs }: SystemState,
): Promise<{ archive: string; fromLsn: Lsn }> {
  const [slot] = await connection.query<{ lsn: string | null; wal_status: string | null }>(
    `select restart_lsn::text as lsn, wal_status from pg_replication_slots where slot_name = '${slotName}'`,
  )
  const last = (await listArchives(path)).findLast((archive) => archive.systemId === systemId && archive.timeline === timeline)
  const endLsn = endOf(last)
  if (last !== undefined && endLsn !== undefined && typeof slot?.lsn === 'string' && slot.wal_status !== 'lost') {
    await removePartial(path, last.name, 'wal-')
    // A data folder that was set back ends before the archive does.
    if (parseLsn(slot.lsn) <= endLsn && endLsn <= untilLsn) return { archive: last.name, fromLsn: endLsn }
  }
  if (slot !== undefined) await connection.query(`select pg_drop_replication_slot('${slotName}')`)
  const [made] = await connection.query<{ lsn: string }>(
    `select lsn::text from pg_create_physical_replication_slot('${slotName}', immediately_reserve => true)`,
  )
  if (made === undefined) throw new Error('the database made no replication slot')
  const archive = `archive-${timeName(atMs)}-${systemId}-${timeline}`
  await makeDirectoryDurably(join(path, archive))
  // Recovery reads whole segments.
  return { archive, fromLsn: segmentStart(parseLsn(made.lsn)) }
}

interface WalCopy {
  readonly archive: string
  readonly timeline: number
  readonly fromLsn: Lsn
  readonly untilLsn: Lsn
  readonly atMs: number
}

async function copyWal(connection: ReplicationConnection, folder: BackupFolder, copy: WalCopy): Promise<Lsn> {
  const { archive, fromLsn: startLsn, atMs } = copy
  let endLsn = startLsn
  const final = () => `${archive}/${walFileName({ startLsn, endLsn, atMs })}`
  await connection.readWal({ ...copy, slot: slotName }, (wal) =>
    writeEncrypted(folder, walContext(archive, { startLsn, atMs }), counted(wal), { final }),
  )
  async function* counted(wal: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const bytes of wal) {
      endLsn += BigInt(bytes.length)
      yield bytes
    }
  }
  // Only now may PostgreSQL remove it.
  await connection.query(`select pg_replication_slot_advance('${slotName}', '${formatLsn(endLsn)}')`)
  return endLsn
}
