// SQL on the databases of the servers under test, for states that no screen leads to; one pool per database and process.
import { CompiledQuery } from 'kysely'
import type { Db } from '../../server/db/database.ts'
import { openPool } from '../../server/db/open-pool.ts'
import { world } from './world.ts'

const pools = new Map<string, Db>()

export function databaseOf(databaseUrl = world().databaseUrl): Db {
  const open = pools.get(databaseUrl)
  if (open !== undefined) return open
  const { db } = openPool({ connection: { connectionString: databaseUrl, allowExitOnIdle: true }, log: () => {}, limits: { size: 2 } })
  pools.set(databaseUrl, db)
  return db
}

/** Runs one statement and returns its rows. */
export async function sql<Row>(statement: string, values: readonly unknown[] = [], databaseUrl?: string): Promise<readonly Row[]> {
  const { rows } = await databaseOf(databaseUrl).executeQuery<Row>(CompiledQuery.raw(statement, [...values]))
  return rows
}

export async function closeDatabase(databaseUrl: string): Promise<void> {
  await pools.get(databaseUrl)?.destroy()
  pools.delete(databaseUrl)
}

export async function closeDatabases(): Promise<void> {
  for (const databaseUrl of pools.keys()) await closeDatabase(databaseUrl)
}
