// A fresh database for server tests.
import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import type { Database } from '../db/database.ts'
import { freshDatabaseOn } from './test-engine.ts'

/** A migrated database for exclusive use, on the engine of this vitest project; close it in `afterAll` or `afterEach`. */
export function freshDatabase(): Promise<Database> {
  return freshDatabaseOn(inject('testServer'))
}

/** Emptied databases of apps that were closed in this process: to copy the template costs more than most files do. */
const idle: Database[] = []
let freshSchema: string | undefined

/**
 * As `freshDatabase`, but one that an earlier app of this process has left; `close` empties it and leaves it to the next one.
 * @throws from `close` when the schema was changed: whether a later file then fails would depend on the order of the files.
 */
export async function reusedDatabase(): Promise<Database> {
  const database = idle.pop() ?? (await freshDatabase())
  freshSchema ??= await schemaOf(database)
  return {
    ...database,
    async close() {
      if ((await schemaOf(database)) !== freshSchema) {
        await database.close()
        throw new Error('This test has changed the schema of a shared database; it needs testApp({ hasOwnDatabase: true })')
      }
      await emptyDatabase(database)
      idle.push(database)
    },
  }
}

/** A digest of the names of all columns, triggers and functions, with the types of the columns. */
async function schemaOf({ db }: Database): Promise<string | undefined> {
  const { rows } = await sql<{ digest: string }>`
    select md5(string_agg(item, ',' order by item)) as digest from (
      select concat_ws(' ', relname, attname, atttypid) as item from pg_class join pg_attribute on attrelid = pg_class.oid
        where relnamespace = 'public'::regnamespace and attnum > 0
      union all select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
      union all select concat_ws(' ', proname, md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace) as items`.execute(db)
  return rows[0]?.digest
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

/** Deletes all rows except the migrations. Triggers that protect the logs are disabled for this transaction only. */
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
