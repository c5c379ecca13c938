// Copies new WAL into the backup folder: the job that makes a restore to any moment possible. The database notes the copy that it began last,
// which decides whether it continues an archive or begins a new one.
import { join } from 'node:path'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { makeDirectoryDurably } from '../engine/write-file-durably.ts'
import {
  archiveName,
  listArchives,
  readArchiveName,
  readJson,
  removePartial,
  walContext,
  walFileName,
  writeEncrypted,
  writeJson,
  type Archive,
  type BackupFolder,
} from './backup-folder.ts'
import { BackupError } from './encrypt.ts'
import { saveErasures } from './save-erasures.ts'
import { formatLsn, parseLsn, segmentBytes, segmentStart, type Lsn } from './lsn.ts'
import { ReplicationConnection } from './replication-connection.ts'

export interface BackupSource {
  /** Of a superuser of the database. */
  readonly databaseUrl: string
  readonly folder: BackupFolder
  /** Whether backups may begin in a folder that lacks those of before; else that is an error. */
  readonly mayBegin?: boolean
  /** Ends the work early, with an error. */
  readonly signal?: AbortSignal
}

export interface Reached {
  readonly archive: string
  readonly lsn: Lsn
  /** What was acknowledged before can be restored. Epoch milliseconds, by the database's clock. */
  readonly atMs: number
  /** Accounts at that time; undefined in archives of earlier versions. */
  readonly users?: number | undefined
  /** Of the database at that time, if no transaction was under way: the same one later means that nothing was written. */
  readonly snapshot?: string | undefined
}

const slotName = 'tezi_backup'
/** Advisory lock id of everything that writes WAL files; any fixed number. */
const walLock = 7_239_412_019
const reachedSchema = z.object({
  lsn: z.string(),
  atMs: z.number(),
  users: z.number().optional(),
  snapshot: z.string().optional(),
})

/** How far the WAL of an archive reaches. @throws BackupError if that is unknown */
export async function readReached(folder: BackupFolder, archive: string): Promise<Reached> {
  const { lsn, ...more } = await readJson(folder, `${archive}/reached`, reachedSchema)
  return { ...more, archive, lsn: parseLsn(lsn) }
}

/**
 * Copies all WAL that is not in the folder yet, and the list of erasures, if something was written to the database or the copy is
 * forced. Concurrent callers wait for each other.
 * Begins a new archive when the last one cannot be continued: another database, a restored one, one that was set back, or WAL
 * that is gone.
 * @throws BackupError if the folder lacks the backups of before and none may be begun; Error if the database is unavailable or
 * the disk is full: the next call continues where the last complete file ends
 */
export async function archiveWal(source: BackupSource, { isForced = false } = {}): Promise<Reached> {
  const { databaseUrl, folder, mayBegin = false, signal } = source
  const connection = await ReplicationConnection.open(databaseUrl, signal)
  try {
    await connection.lock(walLock, 60)
    await requireSegmentSize(connection)
    const [clock] = await connection.query<{ ms: string }>(`select floor(extract(epoch from clock_timestamp()) * 1000)::text as ms`)
    const atMs = Number(clock?.ms)
    const state = { ...(await identify(connection)), atMs }
    const { archive, fromLsn } = await openArchive(connection, folder, state, mayBegin)
    const known = isForced ? undefined : await unchanged(connection, folder, { archive, fromLsn, untilLsn: state.untilLsn })
    if (known !== undefined) return await writeReached(folder, { ...known, atMs })
    await writeMarker(connection, { archive, fromLsn, atMs })
    const snapshot = await quietSnapshot(connection)
    const copied = await copyAll(connection, folder, { archive, fromLsn, atMs })
    return await writeReached(folder, { ...copied, snapshot })
  } finally {
    await connection.close()
  }
}

/** What was reached last, if nothing was written to the database since. */
async function unchanged(
  connection: ReplicationConnection,
  folder: BackupFolder,
  { archive, fromLsn, untilLsn }: { archive: string; fromLsn: Lsn; untilLsn: Lsn },
): Promise<Reached | undefined> {
  const reached = await readReached(folder, archive).catch((error: unknown) => {
    if (error instanceof BackupError) return undefined
    throw error
  })
  // PostgreSQL itself writes a little; much of it must not wait.
  if (reached?.snapshot === undefined || reached.lsn !== fromLsn || untilLsn - fromLsn >= segmentBytes) return undefined
  return reached.snapshot === (await quietSnapshot(connection)) ? reached : undefined
}

/** Undefined while a transaction that writes is under way. */
async function quietSnapshot(connection: ReplicationConnection): Promise<string | undefined> {
  const [row] = await connection.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
  const [oldest, next] = row?.snapshot.split(':') ?? []
  return oldest === next ? row?.snapshot : undefined
}

async function copyAll(
  connection: ReplicationConnection,
  folder: BackupFolder,
  { archive, fromLsn, atMs }: { archive: string; fromLsn: Lsn; atMs: number },
): Promise<Reached> {
  const { timeline, untilLsn } = await identify(connection)
  const lsn = untilLsn > fromLsn ? await copyWal(connection, folder, { archive, timeline, fromLsn, untilLsn, atMs }) : fromLsn
  await saveErasures(connection, folder)
  return { archive, lsn, atMs, users: await countUsers(connection) }
}

async function writeReached(folder: BackupFolder, reached: Reached): Promise<Reached> {
  const { archive, lsn, ...more } = reached
  await writeJson(folder, `${archive}/reached`, { ...more, lsn: formatLsn(lsn) })
  return reached
}

async function identify(connection: ReplicationConnection): Promise<Omit<SystemState, 'atMs'>> {
  const [system] = await connection.query<{ systemid: string; timeline: string; xlogpos: string }>('IDENTIFY_SYSTEM')
  if (system === undefined) throw new Error('the database does not identify itself')
  return { systemId: system.systemid, timeline: Number(system.timeline), untilLsn: parseLsn(system.xlogpos) }
}

async function countUsers(connection: ReplicationConnection): Promise<number | undefined> {
  const [table] = await connection.query<{ found: boolean }>(`select to_regclass('public.users') is not null as found`)
  if (table?.found !== true) return undefined
  const [row] = await connection.query<{ count: string }>('select count(*)::text as count from public.users')
  return Number(row?.count)
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

interface WalCopy {
  readonly archive: string
  readonly timeline: number
  readonly fromLsn: Lsn
  readonly untilLsn: Lsn
  readonly atMs: number
}

async function copyWal(connection: ReplicationConnection, folder: BackupFolder, copy: WalCopy): Promise<Lsn> {
  const { archive, fromLsn: startLsn, atMs } = copy
  const final = (bytes: number) => `${archive}/${walFileName({ startLsn, endLsn: startLsn + BigInt(bytes), atMs })}`
  const endLsn = await connection.readWal({ ...copy, slot: slotName }, (wal) =>
    writeEncrypted(folder, walContext(archive, { startLsn, atMs }), wal, { final }),
  )
  // Only now may PostgreSQL remove it.
  await connection.query(`select pg_replication_slot_advance('${slotName}', '${formatLsn(endLsn)}')`)
  return endLsn
}

interface SystemState {
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
async function openArchive(
  connection: ReplicationConnection,
  { dir }: BackupFolder,
  state: SystemState,
  mayBegin: boolean,
): Promise<Continued> {
  const [slot] = await connection.query<{ lsn: string | null; wal_status: string | null }>(
    `select restart_lsn::text as lsn, wal_status from pg_replication_slots where slot_name = '${slotName}'`,
  )
  const archives = await listArchives(dir)
  const found = await continuedByMarker(connection, { dir, archives, state, mayBegin })
  const keptLsn = typeof slot?.lsn === 'string' && slot.wal_status !== 'lost' ? parseLsn(slot.lsn) : undefined
  if (found !== undefined && keptLsn !== undefined && keptLsn <= found.fromLsn && found.fromLsn <= state.untilLsn) {
    await removePartial(dir, found.archive, 'wal-')
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
  await makeDirectoryDurably(join(dir, archive))
  // Recovery reads whole segments.
  return { archive, fromLsn: segmentStart(parseLsn(made.lsn)) }
}

async function continuedByMarker(
  connection: ReplicationConnection,
  { dir, archives, state, mayBegin }: { dir: string; archives: readonly Archive[]; state: SystemState; mayBegin: boolean },
): Promise<Continued | undefined> {
  const marker = await readMarker(connection)
  if (marker === undefined) return undefined
  const archive = archives.find(({ name }) => name === marker.archive)
  if (archive?.systemId === state.systemId && archive.timeline === state.timeline) {
    const fromLsn = continuedFrom(marker, archive)
    return fromLsn === undefined ? undefined : { archive: archive.name, fromLsn }
  }
  // A restored database has another timeline than the one that was copied.
  const { systemId, timeline } = readArchiveName(marker.archive)
  if (!mayBegin && systemId === state.systemId && timeline === state.timeline)
    throw new BackupError(
      `${dir} lacks ${marker.archive}, where the last backups were written. Is its disk mounted? To begin new backups in this folder, run npx tezi backup`,
    )
  return undefined
}

export interface BackupMarker {
  readonly archive: string
  readonly fromLsn: Lsn
  /** Epoch milliseconds. */
  readonly atMs: number
}

/** Undefined before the first copy of this version. */
async function readMarker(connection: ReplicationConnection): Promise<BackupMarker | undefined> {
  const [row] = await connection.query<{ archive: string; lsn: string; ms: string }>(
    'select archive, from_lsn::text as lsn, at_ms::text as ms from public.backup_marker',
  )
  return row && { archive: row.archive, fromLsn: parseLsn(row.lsn), atMs: Number(row.ms) }
}

/** Notes the copy that begins. What is committed then is on disk, so the copy includes it. */
async function writeMarker(connection: ReplicationConnection, { archive, fromLsn, atMs }: BackupMarker): Promise<void> {
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
