// A server with its own database, for tests that need isolated data or another clock.
import { randomUUID } from 'node:crypto'
import { startServer, testSettings } from './server-process.ts'
import { closeDatabase, sql } from './sql.ts'
import { world, type ServerUnderTest } from './world.ts'

export interface OwnServer extends ServerUnderTest {
  stop(): Promise<void>
}

/** Starts it on a fresh migrated database; `stop` drops that. `entry` overrides the usual program. */
export async function startOwnServer(settings: Readonly<Record<string, string>> = {}, entry?: string): Promise<OwnServer> {
  const usual = world()
  const database = `tezi_e2e_${randomUUID().slice(0, 8)}`
  await sql(`create database ${database} template ${usual.template}`)
  const databaseUrl = usual.databaseUrl.replace(/[^/]+$/, database)
  const server = await startServer({ DATABASE_URL: databaseUrl, ...testSettings, ...settings }, entry)
  return {
    origin: server.origin,
    databaseUrl,
    async stop() {
      await server.stop()
      await closeDatabase(databaseUrl)
      await sql(`drop database if exists ${database} with (force)`)
    },
  }
}
