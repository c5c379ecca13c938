// Opens the database of this start: the PostgreSQL server of an address, otherwise the embedded PostgreSQL of the data folder.
import type { Database } from './database.ts'
import { openDataDir } from './embedded/open-data-dir.ts'
import { openPool, openPostgres } from './postgres.ts'

export interface DatabaseNeeds {
  /** Folder of all data; made when missing. */
  readonly dataDir: string
  readonly databaseUrl?: string
  readonly log: (line: string) => void
}

/**
 * Answers an open database, not yet migrated. Throws `DataInUse` when another process works on the folder, otherwise an
 * error whose message is fit to be shown at start.
 */
export async function openDatabase({ dataDir, databaseUrl, log }: DatabaseNeeds): Promise<Database> {
  if (databaseUrl !== undefined) return openPostgres({ databaseUrl, log })
  const data = await openDataDir({ dataDir, log })
  const { db } = openPool({ connection: { ...data.connection }, log })
  return {
    engine: 'embedded-postgres',
    db,
    async close() {
      await db.destroy()
      await data.close()
    },
  }
}
