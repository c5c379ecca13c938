// Rebuilds a data folder from a plan, and lets PostgreSQL recover it to a moment.
import { chown, mkdir, open, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DatabaseLog } from '../db/database.ts'
import type { EngineConnection } from '../engine/application-role.ts'
import { connect } from '../engine/copy-command.ts'
import { chooseOsUser, makePrivate, type OsUser } from '../engine/os-user.ts'
import { openPostmaster, type Postmaster } from '../engine/postmaster.ts'
import { requireSpace } from '../engine/write-file-durably.ts'
import { readEncrypted, walContext, type BackupFolder } from './backup-folder.ts'
import { BackupError } from './encrypt.ts'
import { extractTar } from './extract-tar.ts'
import { formatLsn, lastRecordEnd, parseLsn, segmentBytes, segmentName, segmentStart, type Lsn } from './lsn.ts'
import { iso, type Base, type RestorePlan } from './restore-plan.ts'

/** Where recovery ends: a named point, a moment (epoch milliseconds), or the end of the WAL. */
export type RecoveryTarget = { readonly restorePoint: string } | { readonly toMs: number } | 'end'

interface RecoverOptions {
  readonly folder: BackupFolder
  readonly plan: RestorePlan
  readonly target: RecoveryTarget
  /** An existing, empty folder, which becomes a data folder. */
  readonly dir: string
  readonly log: DatabaseLog
}

/** Replaying the WAL of some days takes hours on a slow disk. */
const recoveryMs = 12 * 3_600_000

interface Recovered {
  readonly postmaster: Postmaster
  /** Name of the base backup that was used: an older one if the files of the plan's are damaged. */
  readonly base: string
}

/**
 * A running, recovered PostgreSQL.
 * @throws BackupError for damaged files, a full disk, and if the replay ended before what the archive promises; Error if PostgreSQL
 * does not reach the target
 */
export async function recover(options: RecoverOptions): Promise<Recovered> {
  const { plan, target, dir, log } = options
  const homeDir = join(dir, 'postgres')
  const dataDir = join(homeDir, 'data')
  await mkdir(homeDir, { mode: 0o755 })
  const owner = chooseOsUser(dataDir)
  const base = await rebuildFromAny(options, dataDir, owner)
  const start = (more: Readonly<Record<string, string>>): Promise<Postmaster> =>
    openPostmaster({ dataDir: dir, log, settings: { ...recoverySettings, hot_standby: 'off', ...more }, readyMs: recoveryMs })
  log('PostgreSQL recovers')
  // Before PostgreSQL recycles the files.
  const endLsn = await lastRecordEnd(join(dataDir, 'pg_wal'), plan.archive.timeline, plan.wal.at(-1)?.endLsn ?? 0n)
  const { postmaster, promisedLsn } = await startAt(target, { endLsn, momentLsn: plan.momentLsn }, start)
  try {
    await requireReplayed(postmaster.maintenance, { ...plan, base }, promisedLsn)
    return { postmaster, base }
  } catch (error) {
    await postmaster.stop()
    throw error
  }
}

async function startAt(
  target: RecoveryTarget,
  promise: { readonly endLsn: Lsn; readonly momentLsn: Lsn },
  start: (more: Readonly<Record<string, string>>) => Promise<Postmaster>,
): Promise<{ postmaster: Postmaster; promisedLsn: Lsn }> {
  const toEnd = async () => ({ postmaster: await start({}), promisedLsn: promise.endLsn })
  if (target === 'end') return toEnd()
  // A named point is reached, or PostgreSQL does not start.
  if ('restorePoint' in target) return { postmaster: await start({ recovery_target_name: target.restorePoint }), promisedLsn: 0n }
  try {
    return { postmaster: await start({ recovery_target_time: recoveryTime(target.toMs) }), promisedLsn: promise.momentLsn }
  } catch (error) {
    // Nothing was committed between the moment and the end of the WAL, which reaches at least up to the moment.
    if (!(error instanceof Error && /recovery ended before configured recovery target/.test(error.message))) throw error
    return toEnd()
  }
}

/** Rebuilds the data folder from the newest base backup of the plan that is not damaged, and returns its name. */
async function rebuildFromAny({ folder, plan, log }: RecoverOptions, dataDir: string, owner: OsUser): Promise<string> {
  const bases: Base[] = [plan, ...plan.older]
  for (const [index, { base, facts }] of bases.entries()) {
    await requireSpace(dirname(dataDir), spaceFor(plan, facts))
    makePrivate(dataDir, owner)
    try {
      await rebuildDataFolder({ folder, plan: { ...plan, base, facts }, log }, dataDir, owner)
      return base
    } catch (error) {
      const next = bases[index + 1]?.base
      if (!(error instanceof DamagedBase) || next === undefined) throw error
      log(`${error.message}; the older ${next} is used`)
      await rm(dataDir, { recursive: true, force: true })
    }
  }
  throw new Error('the plan has no base backup')
}

/** Data folder and WAL, uncompressed. */
export function spaceFor({ wal }: RestorePlan, facts: Base['facts']): number {
  const firstLsn = segmentStart(parseLsn(facts.startLsn))
  return wal.filter(({ endLsn }) => endLsn > firstLsn).reduce((sum, { startLsn, endLsn }) => sum + Number(endLsn - startLsn), facts.bytes)
}

/** The files of a base backup are missing or damaged; those of the WAL may be whole. */
class DamagedBase extends BackupError {}

/** All WAL is in place; recovery insists on a command for what is not. */
const recoverySettings = { restore_command: 'false', recovery_target_action: 'promote' } as const

/** At this point of its start PostgreSQL knows no zone by name, and not even Z. */
const recoveryTime = (toMs: number): string => new Date(toMs).toISOString().replace('T', ' ').replace('Z', '+00')

/** Writes files and WAL into the empty folder `dataDir`, which PostgreSQL then recovers at its start. */
async function rebuildDataFolder(
  { folder, plan, log }: Pick<RecoverOptions, 'folder' | 'plan' | 'log'>,
  dataDir: string,
  owner: OsUser,
): Promise<void> {
  log(`restoring ${plan.archive.name}/${plan.base}`)
  try {
    await readEncrypted(folder, `${plan.archive.name}/${plan.base}/data`, (tar) => extractTar(tar, dataDir, owner))
  } catch (error) {
    throw error instanceof BackupError ? new DamagedBase(error.message, { cause: error }) : error
  }
  log('restoring the WAL')
  await writeWal({ folder, plan, walDir: join(dataDir, 'pg_wal'), owner })
  const signal = join(dataDir, 'recovery.signal')
  await writeFile(signal, '', { mode: 0o600 })
  if (owner) await chown(signal, owner.uid, owner.gid)
}

interface WalTarget {
  readonly folder: BackupFolder
  readonly plan: RestorePlan
  readonly walDir: string
  readonly owner: OsUser
}

/** Cuts the WAL files of the archive into PostgreSQL's segments, beginning with that of the base backup. */
async function writeWal({ folder, plan, walDir, owner }: WalTarget): Promise<void> {
  const { archive, wal: files } = plan
  const firstLsn = segmentStart(parseLsn(plan.facts.startLsn))
  let lsn: Lsn = firstLsn
  let segment: FileHandle | undefined
  async function write(bytes: Buffer): Promise<void> {
    if (segment === undefined || lsn % segmentBytes === 0n) {
      await segment?.close()
      segment = await open(join(walDir, segmentName(archive.timeline, lsn)), 'wx', 0o600)
      if (owner) await segment.chown(owner.uid, owner.gid)
      // PostgreSQL reads whole segments; the end of the last one stays empty.
      await segment.truncate(Number(segmentBytes))
    }
    await segment.writeFile(bytes)
    lsn += BigInt(bytes.length)
  }
  async function writeAll(wal: AsyncIterable<Buffer>): Promise<void> {
    for await (let bytes of wal) {
      const before = firstLsn > lsn ? Math.min(bytes.length, Number(firstLsn - lsn)) : 0
      lsn += BigInt(before)
      for (bytes = bytes.subarray(before); bytes.length > 0;) {
        const size = Math.min(bytes.length, Number(segmentBytes - (lsn % segmentBytes)))
        await write(bytes.subarray(0, size))
        bytes = bytes.subarray(size)
      }
    }
  }
  try {
    for (const file of files.filter(({ endLsn }) => endLsn > firstLsn)) {
      lsn = file.startLsn
      const fileName = `${archive.name}/${file.name}`
      await readEncrypted(folder, walContext(archive.name, file), writeAll, fileName)
      if (lsn !== file.endLsn) throw new BackupError(`${fileName} ends at ${formatLsn(lsn)}, which is not its name`)
    }
  } finally {
    await segment?.close()
  }
}

/** @throws BackupError that says which time is missing, if the recovered database ended before the promised position */
async function requireReplayed(connection: EngineConnection, plan: RestorePlan, promisedLsn: Lsn): Promise<void> {
  const replayedLsn = await readReplayed(connection)
  if (replayedLsn >= promisedLsn) return
  const lastMs = plan.wal.findLast(({ endLsn }) => endLsn <= replayedLsn)?.atMs ?? plan.facts.consistentAtMs
  const endMs = plan.wal.at(-1)?.atMs ?? plan.reachedMs
  throw new BackupError(
    `the WAL of ${plan.archive.name} cannot be replayed beyond ${iso(lastMs)}: what was acknowledged after it, until ${iso(endMs)}, is missing. ` +
      `The state before can be restored with --from ${plan.base} --to ${iso(lastMs)}`,
  )
}

/** Where the new timeline begins, which PostgreSQL starts at the end of a recovery. */
async function readReplayed(connection: EngineConnection): Promise<Lsn> {
  const client = await connect({ ...connection })
  try {
    const { rows } = await client.query<{ history: string }>(
      `select pg_read_file('pg_wal/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) || '.history') as history`,
    )
    const last = rows[0]?.history.trim().split('\n').at(-1)
    return parseLsn(last?.split('\t')[1] ?? '')
  } finally {
    await client.end()
  }
}
