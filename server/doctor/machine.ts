// Checks of the machine: disk, memory, open files and user. Pure functions of facts that `machine-facts.ts` reads.
import { failed, ok, warning, type CheckResult } from './check.ts'

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
