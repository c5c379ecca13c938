// Shared by the operator commands: their arguments, and the configured database.
import { readProcessConfig } from '#server/config/config.ts'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { openBesideServer } from '#server/open-database.ts'

/** Standard output is for results. */
export const log = (line: string): void => console.error(line)

/** @throws Error if there is none, or more than one */
export function oneArgument(args: readonly string[], name: string): string {
  const [value, ...others] = args
  if (value === undefined || value.startsWith('-') || others.length > 0) throw new Error(`Expected one argument: ${name}`)
  return value
}

function options() {
  const { dataDir, databaseUrl, backup } = readProcessConfig()
  return { dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }), backup, log }
}

/** Runs the work on the migrated database, even while the server runs, and closes it. */
export async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openBesideServer(options())
  try {
    await migrate(database, log)
    await work(database)
  } finally {
    await database.close()
  }
}
