// One statement on the database of the server under test, for states that no screen leads to in a moment.
import pg from 'pg'
import { inject } from 'vitest'

/** Runs it on a connection of its own. */
export async function sql(statement: string, values: readonly unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: inject('world').databaseUrl })
  await client.connect()
  try {
    await client.query(statement, [...values])
  } finally {
    await client.end()
  }
}
