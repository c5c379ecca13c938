// Crash-safe file operations: every write is flushed to disk before the promise resolves.
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readdir, rename, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** Flushes one file or directory. Windows cannot open directories, so there only files are flushed. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (process.platform === 'win32' && (error.code === 'EISDIR' || error.code === 'EPERM')) return undefined
    throw error
  })
  if (!handle) return
  try {
    await handle.sync()
  } catch (error) {
    if (process.platform !== 'win32') throw error
  } finally {
    await handle.close()
  }
}

/** Flushes every file below `directory`, then the directories, leaves first; `publicRead` also opens them for reading by all. */
export async function syncTree(directory: string, publicRead = false): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await syncTree(path, publicRead)
    else if (entry.isFile()) {
      if (publicRead) await chmod(path, 0o755)
      await syncPath(path)
    }
  }
  if (publicRead) await chmod(directory, 0o755)
  await syncPath(directory)
}

/** Atomically replaces `to` with `from`: after a crash one of the two is complete. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncPath(dirname(to))
}

/** Writes a small file atomically. */
export async function writeFileDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  const handle = await open(temporary, 'wx', 0o644)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await renameDurably(temporary, path)
}

/** Creates a directory and its parents durably, so that flushed files cannot lose their folder in a crash. */
export async function makeDirectoryDurably(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let made = resolve(path); made.length >= resolve(first).length; made = dirname(made)) await syncPath(dirname(made))
}

/** @throws Error if the disk of `path` has less free space than `bytes` */
export async function requireSpace(path: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(path)
  const megabytes = (count: number): string => `${Math.ceil(count / 1e6)} MB`
  if (bavail * bsize < bytes)
    throw new Error(`not enough space in ${path}: ${megabytes(bytes)} are needed, ${megabytes(bavail * bsize)} are free`)
}
