// Notices that the data of a running PostgreSQL were deleted, moved or replaced; it would go on writing into files without a name.
import { statSync } from 'node:fs'
import { join } from 'node:path'

/** Answers a check to be asked before anything is acknowledged: an error while the files are not those that were there at the start. */
export function storageCheck(dataDir: string): () => Error | undefined {
  const files = ['PG_VERSION', join('global', 'pg_control')].map((name) => join(dataDir, name))
  const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino
  const inodes = files.map(inodeOf)
  return () =>
    files.every((file, index) => inodeOf(file) === inodes[index]) ? undefined : new Error(`${dataDir} was deleted, moved or replaced`)
}
