// Reads with a time limit of their own.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#server/testing/database.ts'
import type { Database } from './database.ts'
import { withinMs } from './lift-timeouts.ts'

let database: Database
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

test('one that takes longer gives undefined, and the connection is usable afterwards', async () => {
  expect(await withinMs(database.db, 50, (db) => sql`select pg_sleep(60)`.execute(db))).toBeUndefined()
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.db)
  expect(rows).toEqual([{ one: 1 }])
})

test('the result, and any other error, pass', async () => {
  expect(await withinMs(database.db, 10_000, async (db) => (await sql`select 1 as one`.execute(db)).rows)).toEqual([{ one: 1 }])
  await expect(withinMs(database.db, 10_000, (db) => sql`select 1 / 0`.execute(db))).rejects.toThrow('division by zero')
})
