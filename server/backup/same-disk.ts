// Whether the backups are lost with the database: both folders are on one file system, or the disk of one is not mounted.
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Folders that do not exist yet are judged by the nearest one above. */
export async function isOnSameDisk(one: string, other: string): Promise<boolean> {
  return (await deviceOf(resolve(one))) === (await deviceOf(resolve(other)))
}

async function deviceOf(path: string): Promise<number> {
  try {
    return (await stat(path)).dev
  } catch (error) {
    const parent = dirname(path)
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT') || parent === path) throw error
    return deviceOf(parent)
  }
}
