// The file `engine` of a data folder: which engine its data belongs to, or what was begun with the folder.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileDurably } from './write-file-durably.ts'

/**
 * `restoring`: a start would otherwise create an empty database. `upgrading`: the folders of two databases are being exchanged.
 * `moved`: the database is on a server now, and a start would otherwise continue with the old rows.
 */
export type EngineState = 'embedded-postgres' | 'restoring' | 'upgrading' | 'moved'

const stateFile = (dataDir: string): string => join(dataDir, 'engine')

/** Undefined for a folder without the file. */
async function readEngineState(dataDir: string): Promise<string | undefined> {
  return readFile(stateFile(dataDir), 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )
}

/** Whether the folder is in this state; false if the file cannot be read. */
export const isEngineState = (dataDir: string, state: EngineState): Promise<boolean> =>
  readEngineState(dataDir).then(
    (found) => found === state,
    () => false,
  )

/** `checkEngineState` rejects every state but `embedded-postgres`. */
export const writeEngineState = (dataDir: string, state: EngineState): Promise<void> => writeFileDurably(stateFile(dataDir), `${state}\n`)

/** Records the engine on first use. */
export async function recordEngine(dataDir: string): Promise<void> {
  if (!existsSync(stateFile(dataDir))) await writeEngineState(dataDir, 'embedded-postgres')
}

/** Throws one clear line if the data belongs to an engine that this version does not support. Writes nothing. */
export async function checkEngineState(dataDir: string): Promise<void> {
  const found = await readEngineState(dataDir)
  if (found === 'restoring') throw new Error(`a restore into ${dataDir} was interrupted; run npx tezi restore again, or delete the folder`)
  if (found === 'upgrading') throw new Error(`an upgrade of ${dataDir} was interrupted; run npx tezi upgrade-database again`)
  if (found === 'moved')
    throw new Error(
      `the database of ${dataDir} was moved to a PostgreSQL server: set DATABASE_URL. ` +
        `To go back to the state before the move, write embedded-postgres into ${stateFile(dataDir)}`,
    )
  if (found !== undefined && found !== 'embedded-postgres')
    throw new Error(`${stateFile(dataDir)} names the unknown engine "${found.slice(0, 40)}"; expected embedded-postgres`)
}
