// Exports the data of a folder that PGlite wrote into a file for scripts/import-database.ts.
// Run: node scripts/export-pglite.ts DATA_DIR FILE      (stop Tezi first; the folder is not changed)
import { exportPglite } from '#server/db/pglite/export-pglite.ts'

const [dataDir, file, ...others] = process.argv.slice(2)

try {
  if (dataDir === undefined || file === undefined || others.length > 0)
    throw new Error('a folder and a new file are needed: node scripts/export-pglite.ts ./data tezi-export.ndjson')
  const rowCount = await exportPglite({ dataDir, file, log: (line) => console.error(line) })
  console.log(`${rowCount} rows are in ${file}, which only you can read: it holds personal data and password hashes.`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
