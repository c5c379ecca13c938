// How the engine refers to its folders: by path, or by inherited descriptors where its user cannot traverse the path.
import { chmodSync, chownSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canReach, type Owner } from './os-user.ts'
import { NativeUnavailable } from './unsupported-platform.ts'

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

/** Whether `directory` must be passed as a descriptor; throws `NativeUnavailable` if the system does not support that. */
export function needsDescriptor(owner: Owner, directory: string): boolean {
  if (canReach(owner, directory)) return false
  if (process.platform !== 'linux') throw new NativeUnavailable(`user ${owner?.uid} cannot reach ${directory}`)
  return true
}

/**
 * Creates an empty private socket directory in `homeDir` and names both folders. A /proc/self/fd path leads straight to the folder, so
 * it needs no traversal of a private home above it, and it is short where the real path is too long for a socket.
 */
export function enginePaths(homeDir: string, dataDir: string, owner: Owner): EnginePaths {
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
export function makePrivate(directory: string, owner: Owner): void {
  mkdirSync(directory, { mode: 0o700 })
  try {
    if (owner) chownSync(directory, owner.uid, owner.gid)
  } catch {
    throw new NativeUnavailable(`${directory} cannot be given to user ${owner?.uid}`)
  }
  chmodSync(directory, 0o700)
}
