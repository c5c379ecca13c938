// How the engine names its folders: by path, or, where its user cannot walk there, by descriptors we hold open.
import { chmodSync, chownSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canReach, type Owner } from './owner.ts'
import { NativeUnavailable } from './unavailable.ts'

const socketName = '/.s.PGSQL.5432'
/** Room for a socket path: 107 bytes on Linux, 103 on the others. */
const socketPathMax = 103

export interface EnginePaths {
  /** The data directory as the engine writes it. */
  readonly data: string
  /** The socket's directory as the engine writes it. */
  readonly socket: string
  /** The socket's directory as we write it. */
  readonly host: string
  /** Handed to the engine as descriptors 3 and 4. */
  readonly directories: number[]
  close(): void
}

/** Whether `directory` must be handed over as a descriptor; throws `NativeUnavailable` where the system has no such thing. */
export function needsDescriptor(owner: Owner, directory: string): boolean {
  if (canReach(owner, directory)) return false
  if (process.platform !== 'linux') throw new NativeUnavailable(`user ${owner?.uid} cannot reach ${directory}`)
  return true
}

/**
 * Makes an empty private socket directory in `homeDir` and names both folders. A name below /proc/self/fd leads straight to the folder, so it
 * needs no right to walk through a private home above it, and it is short where the real path is too long for a socket.
 */
export function enginePaths(homeDir: string, dataDir: string, owner: Owner): EnginePaths {
  const socketDir = join(homeDir, 'socket')
  // Only the holder of the data lock comes here, and no engine runs: what lies there is a dead one's.
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
    // With our number instead of "self", so that another process of ours can use the address too.
    host: `/proc/${process.pid}/fd/${directories[1]}`,
    directories,
    close: () => directories.forEach((descriptor) => closeSync(descriptor)),
  }
}

/** A directory nobody but the engine's user can enter. */
export function makePrivate(directory: string, owner: Owner): void {
  mkdirSync(directory, { mode: 0o700 })
  try {
    if (owner) chownSync(directory, owner.uid, owner.gid)
  } catch {
    throw new NativeUnavailable(`${directory} cannot be given to user ${owner?.uid}`)
  }
  chmodSync(directory, 0o700)
}
