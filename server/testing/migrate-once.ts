// A process that migrates one database and prints what it changed; a test starts several at once.
import { migrate } from '../db/migrate.ts'
import { openPool } from '../db/postgres.ts'

const [connection = '{}'] = process.argv.slice(2)
const { db } = openPool({ connection: JSON.parse(connection), log: () => {} })
await migrate({ engine: 'postgres', db, close: () => db.destroy() }, (line) => process.stdout.write(`${line}\n`))
await db.destroy()
