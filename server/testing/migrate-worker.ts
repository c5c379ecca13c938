// A process that migrates one database and prints its changes; a test starts several at once.
import { migrate } from '../db/migrate.ts'
import { openPool } from '../db/open-pool.ts'

const [connection = '{}'] = process.argv.slice(2)
const pool = openPool({ connection: JSON.parse(connection), log: () => {} })
await migrate({ engine: 'postgres', ...pool }, (line) => process.stdout.write(`${line}\n`))
await pool.close()
