// `npx tezi new-database`, `upgrade-database` and `move-database`: an empty database, a new PostgreSQL, a server of your own.
import { parseArgs } from 'node:util'
import { hasDatabase } from '#server/backup/open-backups.ts'
import { readProcessConfig } from '#server/config/config.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { moveDatabase } from '#server/engine/move-database.ts'
import { confirmUpgrade, upgradeDatabase } from '#server/engine/upgrade-database.ts'
import { operatorActor, writeAudit } from '#server/features/audit/service.ts'
import { openDatabase } from '#server/open-database.ts'
import { log } from './run.ts'

/** Makes an empty database beside the backups of another one, which a start refuses to do. */
export async function newDatabase(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new Error('Expected no arguments')
  const { dataDir, databaseUrl } = readProcessConfig()
  if (databaseUrl !== undefined) throw new Error('A database of the server of DATABASE_URL is made with its own tools: createdb')
  if (await hasDatabase(dataDir)) throw new Error(`${dataDir} has a database already`)
  await (await openDatabase({ dataDir, log })).close()
  console.log(`${dataDir} has a new, empty database. Start Tezi.`)
  console.log('The backups of the database before stay until you delete them.')
}

/** Moves the embedded database to a new major version of PostgreSQL, after Tezi was stopped. */
export async function upgradeEmbedded(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { program: { type: 'string' }, confirm: { type: 'boolean' } } })
  const { dataDir, databaseUrl } = readProcessConfig()
  if (databaseUrl !== undefined) throw new Error('The server of DATABASE_URL is upgraded with its own tools, for example pg_upgrade')
  if (values.confirm === true) {
    for (const folder of await confirmUpgrade(dataDir)) console.log(`${folder} is deleted.`)
    return
  }
  const { from, kept, compared } = await upgradeDatabase({ dataDir, programDir: values.program, log })
  if (compared !== undefined) console.log(`${compared.tables} tables with ${compared.rows} rows are the same as before.`)
  console.log(`The database is upgraded from PostgreSQL ${from}; the old one is kept in ${kept}.`)
  console.log('Start Tezi, look at users and payments, take a backup, then run npx tezi upgrade-database --confirm.')
}

/** Copies the embedded database into one of the operator's own PostgreSQL server, after Tezi was stopped. */
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
