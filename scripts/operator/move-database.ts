// `npx tezi move-database`: from the embedded database to the operator's own PostgreSQL server, after Tezi was stopped.
import { parseArgs } from 'node:util'
import { readProcessConfig } from '#server/config/config.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { moveDatabase } from '#server/engine/move-database.ts'
import { operatorActor, writeAudit } from '#server/features/audit/service.ts'
import { log } from './run.ts'

export async function moveToServer(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { to: { type: 'string' } } })
  const { dataDir, databaseUrl } = readProcessConfig()
  if (databaseUrl !== undefined) throw new Error('The command moves the embedded database of DATA_DIR; run it without DATABASE_URL')
  if (values.to === undefined) throw new Error('Name the address of the new, empty database: --to postgres://USER@HOST:5432/NAME')
  const { tables, rows } = await moveDatabase({ dataDir, databaseUrl: values.to, log })
  const database = await openPostgres({ databaseUrl: values.to, log })
  try {
    const target = { id: null, name: 'embedded PostgreSQL' }
    const entry = { at: new Date(), actor: operatorActor, action: 'database-moved', target, address: '', details: { rows } } as const
    await writeAudit(database.db, entry)
  } finally {
    await database.close()
  }
  console.log(`${tables} tables with ${rows} rows are the same on the server.`)
  console.log('Set DATABASE_URL to its address, keep DATA_DIR (it has the secret key), and start Tezi. The old database stays there.')
}
