// A process that opens and migrates the database of a folder, reports it, and holds it until its stdin ends; tests kill it.
import { openDatabase } from '../open-database.ts'
import { migrate } from '../db/migrate.ts'

const [dataDir = ''] = process.argv.slice(2)
const database = await openDatabase({ dataDir, log: () => {} }).catch((error: Error) => {
  process.stdout.write(`refused: ${error.message}\n`)
  process.exit(1)
})
await migrate(database, () => {})
process.stdout.write('ready\n')
process.stdin.resume().once('end', () => void database.close())
