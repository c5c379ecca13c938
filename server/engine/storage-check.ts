// Detects that the data of a running PostgreSQL were deleted, moved or replaced; it would continue writing to unlinked files.
import { statSync } from 'node:fs'
import { join } from 'node:path'

/** Returns a check to run before acknowledging anything: an error while the files are not those of the start. */
export function storageCheck(dataDir: string): () => Error | undefined {
  const files = ['PG_VERSION', join('global', 'pg_control')].map((name) => join(dataDir, name))
  const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino
  const inodes = files.map(inodeOf)
  return () =>
    files.every((file, index) => inodeOf(file) === inodes[index]) ? undefined : new Error(`${dataDir} was deleted, moved or replaced`)
}
