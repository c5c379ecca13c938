// `npx tezi import database FILE`: imports a file that Tezi 0.2.0 exported from PGlite into a new, empty database.
// Must run before the first start of Tezi on this database, which adds an admin.
import path from 'node:path'
import { checkExport, importExport } from '#server/db/import/import-export.ts'
import { operatorActor, writeAudit } from '#server/features/audit/audit.ts'
import { log, oneArgument, openEmpty } from './run.ts'

export async function importDatabase(args: readonly string[]): Promise<void> {
  const file = oneArgument(args, 'FILE')
  const checked = await checkExport(file)
  const database = await openEmpty()
  try {
    await importExport(database, checked, log)
    const target = { id: null, name: path.basename(file) }
    const details = { rows: checked.rowCount }
    await writeAudit(database.db, { at: new Date(), actor: operatorActor, action: 'database-imported', target, address: '', details })
  } finally {
    await database.close()
  }
  console.log(`${checked.rowCount} rows are imported.`)
}
