// `npx tezi new-database`: makes an empty database beside the backups of another one, which a start refuses to do.
import { readProcessConfig } from '#server/config/config.ts'
import { hasDatabase } from '#server/backup/open-backups.ts'
import { openDatabase } from '#server/open-database.ts'
import { log } from './run.ts'

export async function newDatabase(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new Error('Expected no arguments')
  const { dataDir, databaseUrl } = readProcessConfig()
  if (databaseUrl !== undefined) throw new Error('A database of the server of DATABASE_URL is made with its own tools: createdb')
  if (await hasDatabase(dataDir)) throw new Error(`${dataDir} has a database already`)
  await (await openDatabase({ dataDir, log })).close()
  console.log(`${dataDir} has a new, empty database. Start Tezi.`)
  console.log('The backups of the database before stay until you delete them.')
}
