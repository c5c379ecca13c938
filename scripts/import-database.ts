// Imports a file that Tezi 0.2.0 exported from PGlite into the new, empty database of DATA_DIR or DATABASE_URL.
// Run: node scripts/import-database.ts tezi-export.ndjson      (before the first start of Tezi on this database, which adds an admin)
import { readConfig } from '#server/config.ts'
import { checkExport, importExport } from '#server/db/import/import-export.ts'
import { openDatabase } from '#server/db/open-database.ts'

const [file, ...others] = process.argv.slice(2)
const log = (line: string): void => console.error(line)

try {
  if (file === undefined || others.length > 0) throw new Error('one file is needed: node scripts/import-database.ts tezi-export.ndjson')
  const checked = await checkExport(file)
  const { dataDir, databaseUrl } = readConfig(process.env)
  const database = await openDatabase({ dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }), log })
  try {
    await importExport(database, checked, log)
    console.log(`${checked.rowCount} rows are imported.`)
  } finally {
    await database.close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
