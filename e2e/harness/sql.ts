// One statement on the database of the server under test, for states that no screen leads to in a moment.
import pg from 'pg'
import { inject } from 'vitest'

/** Runs it on a connection of its own; `databaseUrl` is another database than the usual one. */
export async function sql(statement: string, values: readonly unknown[] = [], databaseUrl?: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl ?? inject('world').databaseUrl })
  await client.connect()
  try {
    await client.query(statement, [...values])
  } finally {
    await client.end()
  }
}
