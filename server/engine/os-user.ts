// The OS user that runs PostgreSQL, because it rejects root: our own or an unprivileged one, the folders that it can reach, and
// programs that run as this user and stop when this process ends, for any reason.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** User and group of the engine's processes; undefined means our own. */
export type OsUser = { readonly uid: number; readonly gid: number } | undefined

/** The overflow user, usually `nobody`; exists without creating an account. */
const unprivileged = { uid: 65534, gid: 65534 }

/** Chooses the user; as root, data that already belongs to an ordinary user keeps its owner. */
export function chooseOsUser(clusterDir: string): OsUser {
  if (process.getuid?.() !== 0) return undefined
  const found = statSync(clusterDir, { throwIfNoEntry: false })
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : unprivileged
}

export const spawnAs = (owner: OsUser): { uid?: number; gid?: number } => (owner ? { uid: owner.uid, gid: owner.gid } : {})

/** The engine inherits nothing from our environment: no secrets, no PG* variables, no library path. */
export const engineEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' }

/** Whether the user can traverse to `directory`; also false if we may not switch to that user. */
export function canReach(owner: OsUser, directory: string): boolean {
  const result = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', directory], { ...spawnAs(owner), cwd: '/', env: engineEnvironment })
  return result.status === 0
}

/** Thrown with a reason; its message also mentions the alternative. */
export class UnsupportedPlatformError extends Error {
  override readonly name = 'UnsupportedPlatformError'

  constructor(reason: string, options?: ErrorOptions) {
    super(
      `The embedded PostgreSQL cannot run on this machine: ${reason}. Set DATABASE_URL to the address of a PostgreSQL server, version 15 or newer`,
      options,
    )
  }
}

/** PostgreSQL's output if the system denies it shared memory, semaphores or a user's name. */
export const machineForbids = /shared memory|semaphore|Operation not permitted|Function not implemented|look up effective user/i

const socketName = '/.s.PGSQL.5432'
/** Maximum socket path: 107 bytes on Linux, 103 elsewhere. */
const socketPathMax = 103

export interface EnginePaths {
  /** Path of the data directory for the engine. */
  readonly data: string
  /** Path of the socket directory for the engine. */
  readonly socket: string
  /** Path of the socket directory for us. */
  readonly host: string
  /** Passed to the engine as descriptors 3 and 4. */
  readonly directories: number[]
  close(): void
}

/** Whether `directory` must be passed as a descriptor; throws `UnsupportedPlatformError` if the system does not support that. */
export function needsDescriptor(owner: OsUser, directory: string): boolean {
  if (canReach(owner, directory)) return false
  if (process.platform !== 'linux') throw new UnsupportedPlatformError(`user ${owner?.uid} cannot reach ${directory}`)
  return true
}

/**
 * Creates an empty private socket directory in `homeDir` and names both folders. A /proc/self/fd path leads straight to the folder, so
 * it needs no traversal of a private home above it, and it is short where the real path is too long for a socket.
 */
export function enginePaths(homeDir: string, dataDir: string, owner: OsUser): EnginePaths {
  const socketDir = join(homeDir, 'socket')
  // Only the holder of the data lock gets here, and no engine runs: existing files are stale.
  rmSync(socketDir, { recursive: true, force: true })
  makePrivate(socketDir, owner)
  const tooLong = Buffer.byteLength(socketDir + socketName) > socketPathMax
  if (tooLong && process.platform !== 'linux') {
    const short = mkdtempSync(join(tmpdir(), 'tezi-'))
    return { data: dataDir, socket: short, host: short, directories: [], close: () => rmSync(short, { recursive: true, force: true }) }
  }
  if (!tooLong && !needsDescriptor(owner, dataDir))
    return { data: dataDir, socket: socketDir, host: socketDir, directories: [], close: () => {} }
  const directories = [openSync(dataDir, 'r'), openSync(socketDir, 'r')]
  return {
    data: '/proc/self/fd/3',
    socket: '/proc/self/fd/4',
    // With our PID instead of "self", so that our other processes can use the address too.
    host: `/proc/${process.pid}/fd/${directories[1]}`,
    directories,
    close: () => directories.forEach((descriptor) => closeSync(descriptor)),
  }
}

/** A directory that only the engine's user can enter. */
export function makePrivate(directory: string, owner: OsUser): void {
  mkdirSync(directory, { mode: 0o700 })
  try {
    if (owner) chownSync(directory, owner.uid, owner.gid)
  } catch {
    throw new UnsupportedPlatformError(`${directory} cannot be given to user ${owner?.uid}`)
  }
  chmodSync(directory, 0o700)
}

/**
 * The shell holds a pipe from us on its standard input. When we die, even by SIGKILL, the pipe closes, the reader sees
 * EOF and asks the program for a fast, clean stop. The shell itself ignores SIGTERM and SIGINT, because a service manager
 * sends them to all processes at once and the watchdog must outlive us. It reaps the reader, because as process 1 we reap
 * only our own children.
 */
const supervisor = `
trap '' INT TERM HUP
"$@" &
program=$!
exec 9<&0
( while read -r _; do :; done <&9; kill -INT $program ) &
watcher=$!
wait $program
status=$?
kill -9 $watcher 2>/dev/null
wait $watcher 2>/dev/null
exit $status
`

export interface Supervised {
  readonly child: ChildProcess
  /** Resolves with the exit status once the program has ended. */
  readonly ended: Promise<number>
  /** Requests a clean stop, in the same way as our death would. */
  stop(): void
}

/** Open directories appear in the program as descriptors 3, 4, ...; `errorsTo` is a file descriptor or a pipe. */
export function supervise(command: string[], options: { owner: OsUser; directories: number[]; errorsTo: number | 'pipe' }): Supervised {
  const child = spawn('/bin/sh', ['-c', supervisor, 'sh', ...command], {
    ...spawnAs(options.owner),
    cwd: '/',
    env: engineEnvironment,
    // A separate session: Ctrl+C in the terminal is for us, and we then stop the engine after the last request.
    detached: true,
    stdio: ['pipe', 'ignore', options.errorsTo, ...options.directories],
  })
  child.stdin?.on('error', () => {})
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (status) => resolve(status ?? 1))
  })
  ended.catch(() => {})
  return { child, ended, stop: () => child.stdin?.end() }
}
