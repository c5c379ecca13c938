// The fresh database of a server test.
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
  const { connection, template } = inject('testServer')
  const name = template.replace(/_template$/, `_${suffix}`)
  const client = new pg.Client({ ...connection })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const login = [connection.user, connection.password].filter((part) => part !== undefined).map(encodeURIComponent)
  return `postgres://${login.join(':')}@${connection.host}:${connection.port}/${name}`
}
