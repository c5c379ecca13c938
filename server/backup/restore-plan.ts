// Chooses the base backup and the WAL for a restore, before anything is written.
import { listArchives, type Archive, type BackupFolder, type WalFile } from './backup-folder.ts'
import { readBaseFacts, type BaseFacts } from './take-base-backup.ts'
import { BackupError } from './encrypt.ts'
import { parseLsn, segmentStart, type Lsn } from './lsn.ts'
import { describeSystems, readEnd, type ArchiveEnd } from './backup-state.ts'

export interface Base {
  readonly base: string
  readonly facts: BaseFacts
}

export interface RestorePlan extends Base {
  readonly archive: Archive
  /** Older base backups that reach the same state, newest first: for the case that the files of this one are damaged. */
  readonly older: readonly Base[]
  /** Without a gap, from before the oldest of these up to the state. */
  readonly wal: readonly WalFile[]
  /** The newest moment of the archive. Epoch milliseconds. */
  readonly reachedMs: number
  /** Position that the replay up to the moment has to reach; less means that something is missing. */
  readonly momentLsn: Lsn
  /** Lines about what is damaged and not used. */
  readonly notes: readonly string[]
}

export interface RestoreRequest {
  /** Moment, in epoch milliseconds; the newest one if undefined. */
  readonly toMs?: number | undefined
  /** Of the database, if the folder has backups of several. */
  readonly systemId?: string | undefined
  /** Name of a base backup, to use no other one. */
  readonly from?: string | undefined
}

/**
 * The plan for a moment, by default the newest one that the backups reach.
 * @throws BackupError if the folder has backups of several databases and the request names none, if no backup reaches the moment, or if
 * something that it needs is missing, damaged or encrypted with another key
 */
export async function planRestore(folder: BackupFolder, { toMs, systemId, from }: RestoreRequest = {}): Promise<RestorePlan> {
  const all = (await listArchives(folder.dir)).filter(({ bases }) => bases.length > 0)
  if (all.length === 0) throw new BackupError(`there is no backup in ${folder.dir}. Is its disk mounted?`)
  if (from !== undefined && !all.some(({ bases }) => bases.includes(from)))
    throw new BackupError(`there is no backup ${from} in ${folder.dir}`)
  const archives = from === undefined ? await chooseSystem(folder, all, systemId) : all.filter(({ bases }) => bases.includes(from))
  const reaches: string[] = []
  for (const archive of archives.toReversed()) {
    const { bases, notes, firstError } = await readBases(folder, archive, from)
    const oldest = bases.at(-1)
    if (oldest === undefined) {
      if (toMs === undefined) throw withAdvice(firstError, archives, archive)
      reaches.push(`  ${archive.name} cannot be read: ${firstError?.message}`)
      continue
    }
    const end = await readEnd(folder, archive)
    const usable = bases.filter(({ facts }) => toMs === undefined || facts.consistentAtMs <= toMs)
    if (usable.length > 0 && (toMs === undefined || toMs <= end.atMs)) return choose(archive, { usable, end, toMs, notes })
    reaches.push(`  ${iso(oldest.facts.consistentAtMs)} to ${iso(end.atMs)}`)
  }
  throw new BackupError(`no backup reaches ${iso(toMs ?? 0)}. A restore is possible to:\n${reaches.join('\n')}`)
}

/** The plan for one base backup, by default the newest one, up to the end of its archive. @throws BackupError as `planRestore` */
export async function planVerify(folder: BackupFolder, name?: string): Promise<RestorePlan> {
  const archives = await listArchives(folder.dir)
  const newest = archives.findLast(({ bases }) => bases.length > 0)?.bases.at(-1)
  const from = name ?? newest
  if (from === undefined) throw new BackupError(`there is no backup in ${folder.dir}. Is its disk mounted?`)
  return planRestore(folder, { from })
}

/**
 * The archives of the only system, or of the requested one.
 * @throws BackupError that describes all systems if there are several and none is requested, or if that one is not there
 */
async function chooseSystem(folder: BackupFolder, archives: readonly Archive[], systemId: string | undefined): Promise<Archive[]> {
  const ids = [...new Set(archives.map((archive) => archive.systemId))]
  const only = systemId ?? (ids.length === 1 ? ids[0] : undefined)
  if (only !== undefined && ids.includes(only)) return archives.filter((archive) => archive.systemId === only)
  const lines = await describeSystems(folder, archives)
  const found = `${folder.dir} has backups of ${ids.length === 1 ? 'one database' : `${ids.length} databases`}:\n${lines.join('\n')}`
  if (systemId !== undefined) throw new BackupError(`there is no backup of database ${systemId}. ${found}`)
  throw new BackupError(`${found}\nWhich one? Say it with --system NUMBER`)
}

interface ReadBases {
  /** Newest first. */
  readonly bases: readonly Base[]
  readonly notes: readonly string[]
  readonly firstError: BackupError | undefined
}

/** The base backups whose facts can be read. */
async function readBases(folder: BackupFolder, archive: Archive, from: string | undefined): Promise<ReadBases> {
  const bases: Base[] = []
  const errors: BackupError[] = []
  for (const base of archive.bases.toReversed().filter((name) => from === undefined || name === from)) {
    try {
      bases.push({ base, facts: await readBaseFacts(folder, archive.name, base) })
    } catch (error) {
      if (!(error instanceof BackupError)) throw error
      errors.push(error)
    }
  }
  return { bases, notes: errors.map(({ message }) => message), firstError: errors[0] }
}

/** All of an archive is unreadable. What an older one has is older, so that it is used only if the operator says so. */
function withAdvice(error: BackupError | undefined, archives: readonly Archive[], archive: Archive): BackupError {
  const reason = error?.message ?? `${archive.name} has no base backup`
  const older = archives[archives.indexOf(archive) - 1]?.bases.at(-1)
  if (older === undefined) return error ?? new BackupError(reason)
  return new BackupError(`${reason}. An older state can be restored with --from ${older}`, { cause: error })
}

interface Choice {
  readonly usable: readonly Base[]
  readonly end: ArchiveEnd
  readonly toMs: number | undefined
  readonly notes: readonly string[]
}

/** @throws BackupError if WAL is missing between every base backup and the state */
function choose(archive: Archive, { usable, end, toMs, notes }: Choice): RestorePlan {
  const tried = usable.map((base) => ({ ...base, ...walFor(archive, base.facts, { end, toMs }) }))
  const complete = tried.filter(({ missing }) => missing === undefined)
  const [first, ...older] = complete
  if (first === undefined) throw new BackupError(tried[0]?.missing ?? 'no base backup')
  return {
    archive,
    base: first.base,
    facts: first.facts,
    older: older.map(({ base, facts }) => ({ base, facts })),
    wal: complete.at(-1)?.wal ?? first.wal,
    reachedMs: end.atMs,
    momentLsn: first.momentLsn,
    notes: [
      ...notes,
      ...end.notes,
      ...tried.flatMap(({ base, missing }) => (missing === undefined ? [] : [`${base} is not used: ${missing}`])),
    ],
  }
}

interface WalOfBase extends Pick<RestorePlan, 'wal' | 'momentLsn'> {
  /** Why the state cannot be reached from the base backup. */
  readonly missing: string | undefined
}

/** The WAL from a base backup to the state, as far as it is there. */
function walFor(archive: Archive, facts: BaseFacts, { end, toMs }: Pick<Choice, 'end' | 'toMs'>): WalOfBase {
  const startLsn = segmentStart(parseLsn(facts.startLsn))
  const needed = archive.wal.filter(({ endLsn }) => endLsn > startLsn)
  const gapAt = needed.findIndex((file, index) => (index === 0 ? file.startLsn > startLsn : file.startLsn !== needed[index - 1]?.endLsn))
  const wal = gapAt === -1 ? needed : needed.slice(0, gapAt)
  const last = wal.at(-1)
  // The last copy before the moment. Unless it is of this moment, the next one has the rest.
  const before = toMs === undefined ? -1 : wal.findLastIndex(({ atMs }) => atMs <= toMs)
  const used = wal[before]?.atMs === toMs ? before : before + 1
  const momentLsn = wal[before]?.startLsn ?? startLsn
  if (toMs !== undefined && used < wal.length) return { wal: wal.slice(0, used + 1), momentLsn, missing: undefined }
  const advice = last === undefined ? '' : `. The state before can be restored with --to ${iso(last.atMs)}`
  let missing: string | undefined
  if (gapAt !== -1) missing = `WAL is missing before ${archive.name}/${needed[gapAt]?.name}${advice}`
  else if ((last?.endLsn ?? startLsn) < end.lsn) missing = `the end of the WAL of ${archive.name} is missing${advice}`
  return { wal, momentLsn, missing }
}

export const iso = (atMs: number): string => new Date(atMs).toISOString()
