// Creates a temporary folder in memory: creating and dropping test databases there takes half of the system time.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'

const memoryDisk = '/dev/shm'
/** Several times the peak usage of a whole test run. */
const neededBytes = 4 * 1024 ** 3

/** Creates the folder, which is removed when this process ends. Returns undefined without enough space. */
export function makeMemoryFolder(): string | undefined {
  if (freeBytes() < neededBytes) return undefined
  const folder = mkdtempSync(`${memoryDisk}/tezi-`)
  // Like /tmp: for root, PostgreSQL runs as another user.
  chmodSync(folder, 0o1777)
  // Files that a stopping step still writes must not keep this process from ending.
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // Removed at the next boot.
    }
  })
  return folder
}

function freeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(memoryDisk)
    return Math.min(bavail * bsize, process.availableMemory())
  } catch {
    return 0
  }
}
