// The fresh database of a server test.
import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import type { Database } from '../db/database.ts'
import { freshDatabaseOn } from './test-engine.ts'

/** A migrated database nobody else uses, on the engine of this vitest project; close it in `afterAll` or `afterEach`. */
export function freshDatabase(): Promise<Database> {
  return freshDatabaseOn(inject('testServer'))
}

/** A new, empty database on the test server; removed with the run's other databases, whose prefix it shares. */
export async function emptyDatabaseUrl(suffix: string): Promise<string> {
  const { connection, application, template } = inject('testServer')
  const name = template.replace(/_template$/, `_${suffix}`)
  const client = new pg.Client({ ...connection })
  await client.connect()
  await client.query(`create database ${name} owner ${application.user}`)
  await client.end()
  const login = [application.user, application.password].filter((part) => part !== undefined).map(encodeURIComponent)
  return `postgres://${login.join(':')}@${encodeURIComponent(connection.host)}:${connection.port}/${name}`
}

/** Deletes all rows but those of the migrations. Triggers that refuse a change of the logs are off for this transaction only. */
export async function emptyDatabase({ db }: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename not in ('schema_migrations', 'server_secrets')`.execute(
    db,
  )
  await db.transaction().execute(async (transaction) => {
    await sql`set local session_replication_role = replica`.execute(transaction)
    // In one statement, which is one round trip.
    const deletes = rows.map(({ name }, index) => `t${index} as (delete from ${name})`)
    await sql.raw(`with ${deletes.join(', ')} select`).execute(transaction)
  })
}
