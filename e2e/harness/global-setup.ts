// Starts what all browser tests share: a database and the real server over the built page, with both plans on sale.
import { startTestEngine } from '../../server/testing/test-engine.ts'
import { putPlan } from './plans.ts'
import { startServer, testSettings } from './server-process.ts'
import { closeDatabases } from './sql.ts'
import { shareWorld } from './world.ts'

/** Returns the teardown, which stops everything in reverse order; a start that fails halfway stops it at once. */
export default async function setUp(): Promise<() => Promise<void>> {
  await using started = new AsyncDisposableStack()
  const engine = await startTestEngine()
  started.defer(() => engine.stop())
  const { user, host, port, database } = engine.connection
  const databaseUrl = `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`
  const server = await startServer({ DATABASE_URL: databaseUrl, ...testSettings })
  started.defer(() => server.stop())
  shareWorld({ origin: server.origin, databaseUrl, template: engine.template })
  started.defer(closeDatabases)
  await putPlan('regular')
  await putPlan('crypto')
  const kept = started.move()
  return () => kept.disposeAsync()
}
