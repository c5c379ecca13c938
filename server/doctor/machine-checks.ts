// The checks of the machine: user, files, disk, memory and open files.
import { access, constants, readFile, stat, statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import path from 'node:path'
import { failed, ok, warning, type Check, type CheckResult } from './check.ts'

/** Each check by itself, so that one that hangs does not hide the others. */
export function machineChecks(files: FilesOptions): Check[] {
  return [
    { name: 'user', run: () => Promise.resolve([userResult(files.uid)]) },
    { name: 'data folder', run: () => checkFiles(files) },
    {
      name: 'disk',
      run: async () => {
        const { folder, facts } = await diskFacts(files.dataDir)
        return [diskResult(folder, facts)]
      },
    },
    { name: 'memory', run: () => Promise.resolve([memoryResult(memoryFacts())]) },
    { name: 'open files', run: async () => [openFilesResult(await openFilesMax())] },
  ]
}

const gib = 1024 ** 3
const mib = 1024 ** 2

/** Space and inodes of a file system, as `fs.statfs` returns them. */
export interface DiskFacts {
  readonly bsize: number
  readonly blocks: number
  /** Blocks available to ordinary users. */
  readonly bavail: number
  readonly files: number
  readonly ffree: number
}

/** PostgreSQL stops at a full disk; its log alone may take 256 MB. */
export function diskResult(folder: string, { bsize, blocks, bavail, files, ffree }: DiskFacts): CheckResult {
  const free = bavail * bsize
  const share = blocks === 0 ? 1 : bavail / blocks
  const found = `${gibText(free)} (${Math.floor(share * 100)} %) free at ${folder}`
  const action = 'Free space or enlarge the disk: docs/operating/runbooks.md#disk-full.'
  if (free < gib) return failed('disk', found, action)
  // Some file systems make inodes on demand and report none.
  if (files > 0 && ffree / files < 0.02) return failed('disk', `${found}, but hardly any inodes`, action)
  if (free < 5 * gib || share < 0.1) return warning('disk', found, action)
  return ok('disk', found)
}

export interface MemoryFacts {
  /** Bytes of the machine, or the limit of the container or unit. */
  readonly total: number
  readonly available: number
}

export function memoryResult({ total, available }: MemoryFacts): CheckResult {
  const found = `${gibText(total)} in total, ${gibText(available)} available`
  if (total < 480 * mib) return failed('memory', found, 'Give Tezi at least 512 MB: docs/operating/sizing.md.')
  if (total < 1_900 * mib) return warning('memory', found, 'Use a machine with 2 GB or more for a public site: docs/operating/sizing.md.')
  if (available < 256 * mib) return warning('memory', found, 'See what else uses memory on this machine.')
  return ok('memory', found)
}

/** `limit` is undefined where the system does not show it. Each visitor with an open chart holds one file. */
export function openFilesResult(limit: number | undefined): CheckResult {
  if (limit === undefined) return ok('open files', 'not checked on this system')
  const found = `at most ${limit} in this process`
  const action = 'Set LimitNOFILE=65536 in the systemd unit, or raise "ulimit -n" for the user.'
  if (limit < 1_024) return failed('open files', found, action)
  return limit < 8_192 ? warning('open files', found, action) : ok('open files', found)
}

/** `uid` is undefined on systems without user ids. */
export function userResult(uid: number | undefined): CheckResult {
  if (uid !== 0) return ok('user', uid === undefined ? 'not checked on this system' : `user id ${uid}`)
  return warning('user', 'running as root', 'Run Tezi as a user of its own: docs/operating/production.md.')
}

function gibText(bytes: number): string {
  return `${(bytes / gib).toFixed(1)} GiB`
}

/** The file system of a folder, or of its nearest parent that exists, with that parent's path. */
export async function diskFacts(folder: string): Promise<{ readonly folder: string; readonly facts: DiskFacts }> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    try {
      return { folder: at, facts: await statfs(at) }
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
      if (!isMissing || at === path.dirname(at)) throw error
    }
  }
}

/** Memory of the machine, limited by the container or unit. */
export function memoryFacts(): MemoryFacts {
  // 0 or a number beyond the memory of the machine means no limit.
  const limit = process.constrainedMemory()
  return { total: limit > 0 ? Math.min(limit, totalmem()) : totalmem(), available: process.availableMemory() }
}

/** The limit of open files of this process on Linux; Node has raised it as far as it may. */
export async function openFilesMax(): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  const limits = await readFile('/proc/self/limits', 'utf8')
  const limit = /^Max open files\s+(\S+)/m.exec(limits)?.[1]
  if (limit === undefined) return undefined
  return limit === 'unlimited' ? Infinity : Number(limit)
}

export interface FilesOptions {
  readonly dataDir: string
  /** Effective user id of the server's user; undefined on systems without user ids. */
  readonly uid: number | undefined
  /** True if SECRET_KEY is set. */
  readonly hasSecretKey: boolean
  /** The file that settings were read from. */
  readonly settingsFile: string | undefined
}

/** Results for the data folder, the secret key and, if there is one, the file of settings. */
export async function checkFiles(options: FilesOptions): Promise<CheckResult[]> {
  return [await checkDataFolder(options), await checkSecretKey(options), ...(await checkSettingsFile(options.settingsFile))]
}

async function checkDataFolder({ dataDir, uid }: FilesOptions): Promise<CheckResult> {
  const name = 'data folder'
  const folder = path.resolve(dataDir)
  const found = await stat(folder).catch(undefinedIfMissing)
  if (found === undefined) {
    const parent = await existingParent(folder)
    return (await canWrite(parent))
      ? ok(name, `${folder} does not exist yet; the first start creates it`)
      : failed(name, `${folder} does not exist and cannot be created in ${parent}`, `Create it and give it to the user of Tezi (chown).`)
  }
  if (!found.isDirectory()) return failed(name, `${folder} is not a folder`, 'Set DATA_DIR to a folder.')
  // As root, the embedded PostgreSQL runs as another user, who owns its part.
  if (uid !== undefined && uid !== 0 && found.uid !== uid)
    return failed(
      name,
      `${folder} belongs to user id ${found.uid}, not ${uid}`,
      `Run this as the user of Tezi, or: chown -R <user> ${folder}`,
    )
  if (!(await canWrite(folder)))
    return failed(name, `${folder} cannot be written`, 'Mount the disk for writing, or correct owner and mode.')
  if ((found.mode & 0o022) !== 0) return failed(name, `other users can write into ${folder}`, `chmod go-w ${folder}`)
  return ok(name, folder)
}

async function checkSecretKey({ dataDir, hasSecretKey }: FilesOptions): Promise<CheckResult> {
  const name = 'secret key'
  if (hasSecretKey) return ok(name, 'SECRET_KEY is set; keep a copy outside this machine')
  const file = path.resolve(dataDir, 'secret-key')
  const found = await stat(file).catch(undefinedIfMissing)
  if (found === undefined) return ok(name, `the first start creates ${file}`)
  if ((found.mode & 0o077) !== 0) return failed(name, `other users can read ${file}`, `chmod 600 ${file}, then consider a rotation.`)
  return ok(name, `${file}; keep a copy outside this machine`)
}

async function checkSettingsFile(file: string | undefined): Promise<CheckResult[]> {
  if (file === undefined) return []
  const name = 'settings file'
  const { mode } = await stat(file)
  if ((mode & 0o007) !== 0) return [failed(name, `all users can read ${file}, which may hold passwords`, `chmod 640 ${file}`)]
  return [ok(name, file)]
}

function canWrite(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function existingParent(folder: string): Promise<string> {
  for (let at = path.dirname(folder); ; at = path.dirname(at)) {
    if ((await stat(at).catch(undefinedIfMissing)) !== undefined || at === path.dirname(at)) return at
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
