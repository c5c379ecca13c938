// Reads the facts that `machine.ts` judges.
import { readFile, statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import path from 'node:path'
import type { DiskFacts, MemoryFacts } from './machine.ts'

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
