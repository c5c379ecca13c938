// The cached settings while their table does not answer: what is known stays.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { instrumentSettings } from './instrument-settings.ts'

let database: Database
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

test('the last settings are given while a read does not end, and the new ones after it', async () => {
  const { db } = database
  let nowMs = 0
  const settings = instrumentSettings({ db, now: () => nowMs, onError: (error) => expect.unreachable(String(error)) })
  expect(await settings.hidden()).toEqual([])
  nowMs += 60_000
  await db.transaction().execute(async (transaction) => {
    await sql`lock table instrument_settings`.execute(transaction)
    for (let call = 0; call < 20; call += 1) expect(await settings.hidden()).toEqual([])
    const hidden = { slug: 'sensex', is_hidden: true, version: 1, updated_at: new Date() }
    await transaction.insertInto('instrument_settings').values(hidden).execute()
  })
  const later = () => ((nowMs += 60_000), settings.hidden())
  await expect.poll(later).toEqual(['sensex'])
})
