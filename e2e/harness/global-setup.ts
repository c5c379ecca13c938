// Starts what all browser tests share: a database and the real server with the built page, and both plans on sale.
import { startTestEngine } from '../../server/testing/test-engine.ts'
import { putPlan } from './plans.ts'
import { startServer, testSettings } from './server-process.ts'
import { closeDatabase, closeDatabases, sql } from './sql.ts'
import { shareWorld } from './world.ts'

const ownDatabase = 'tezi_e2e'

/** The free chart is the Tezi chart in nearly all tests; those about substitutes remove the row. */
const keepNiftyOurs = `insert into instrument_settings (slug, substitutes, version, updated_at) values ('nifty', '[]', 1, now())`

/** Returns the teardown, which stops everything in reverse order; a failed start stops it immediately. */
export default async function setUp(): Promise<() => Promise<void>> {
  await using started = new AsyncDisposableStack()
  const engine = await startTestEngine()
  started.defer(() => engine.stop())
  const { user, host, port, database } = engine.connection
  const urlOf = (name: string) => `postgres://${user}@${encodeURIComponent(host)}:${port}/${name}`
  await sql(keepNiftyOurs, [], urlOf(engine.template))
  await closeDatabase(urlOf(engine.template))
  await sql(`create database ${ownDatabase} template ${engine.template}`, [], urlOf(database))
  const databaseUrl = urlOf(ownDatabase)
  const server = await startServer({ DATABASE_URL: databaseUrl, ...testSettings })
  started.defer(() => server.stop())
  shareWorld({ origin: server.origin, databaseUrl, template: engine.template })
  started.defer(closeDatabases)
  await putPlan('regular')
  await putPlan('crypto')
  const kept = started.move()
  return () => kept.disposeAsync()
}
