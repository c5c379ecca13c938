// How many queries the sessions of many cookies take.
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { newSecret } from './hash-secret.ts'
import { sessionFinder } from './session-finder.ts'

let database: Database
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

test('a thousand made-up cookies at once share the queries for sessions, former cookies and end reasons, of 200 cookies each', async () => {
  let queries = 0
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      queries += 1
      return Promise.resolve(result)
    },
  }
  const finder = sessionFinder({ db: database.db.withPlugin(counter), now: () => Date.parse('2026-11-25T06:00:00Z') })
  const found = await Promise.all(Array.from({ length: 1_000 }, () => finder.isKnown(newSecret())))
  expect(found.filter(Boolean)).toEqual([])
  expect(queries).toBe(10)
  const surplus = await Promise.all(Array.from({ length: 1_000 }, () => finder.isSurplus(newSecret())))
  expect(surplus.filter(Boolean)).toEqual([])
  expect(queries).toBe(15)
})
