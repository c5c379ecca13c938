// Prepared statements, also where a pooler hides which connection a statement gets.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#server/testing/database.ts'
import type { Database } from './database.ts'
import { prepared } from './prepared.ts'

let database: Database
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

test('a query is prepared once for a connection, and sent without a name after a connection did not know it', async () => {
  const { db } = database
  const read = prepared(db, sql<{ given: string }>`select ${''}::text as given`.compile(db))
  const names = async () => (await sql`select name from pg_prepared_statements where statement like '%as given'`.execute(db)).rows
  expect(await read('one')).toEqual([{ given: 'one' }])
  expect(await read('two')).toEqual([{ given: 'two' }])
  expect(await names()).toHaveLength(1)

  // As behind PgBouncer, when the transaction gets another connection of the server.
  await sql`deallocate all`.execute(db)
  expect(await read('three')).toEqual([{ given: 'three' }])
  expect(await read('four')).toEqual([{ given: 'four' }])
  expect(await names()).toEqual([])
})
