// The file `engine` of a data folder: which engine its data belongs to.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileDurably } from './durable.ts'

const engineName = 'embedded-postgres'

/** Throws one clear line when the data belongs to an engine that this version does not have. Writes nothing. */
export async function checkEngine(dataDir: string): Promise<void> {
  const file = join(dataDir, 'engine')
  const found = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )
  // A first start may have been killed after the data was made and before the file was written.
  const isPglite = found === 'pglite' || (found === undefined && hasData(dataDir, 'pglite') && !hasData(dataDir, 'postgres'))
  if (isPglite) {
    throw new Error(
      `${dataDir} was written by PGlite, which this version no longer includes. Export it with Tezi 0.2.0 ` +
        `(npx node scripts/export-pglite.ts "${dataDir}" tezi-export.ndjson), then import it into a new folder; see docs/operating/from-pglite.md`,
    )
  }
  if (found !== undefined && found !== engineName)
    throw new Error(`${file} names the unknown engine "${found.slice(0, 40)}"; expected ${engineName}`)
}

const hasData = (dataDir: string, engine: string): boolean => existsSync(join(dataDir, engine, 'data'))

/** Records the engine on first use. */
export async function recordEngine(dataDir: string): Promise<void> {
  const file = join(dataDir, 'engine')
  if (!existsSync(file)) await writeFileDurably(file, `${engineName}\n`)
}
