// `npx tezi upgrade-database`: moves the embedded database to a new major version of PostgreSQL, after Tezi was stopped.
import { parseArgs } from 'node:util'
import { readProcessConfig } from '#server/config/config.ts'
import { confirmUpgrade, upgradeDatabase } from '#server/engine/upgrade-database.ts'
import { log } from './run.ts'

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
