// Messages that cannot be used are counted in memory and written once a minute, also after the database was away.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs } from '#shared/base/durations.ts'
import type { Database, Db } from '#server/db/database.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { databaseRejectedMessages } from './rejected-messages.ts'

let database: Database
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

const startMs = Date.parse('2026-11-25T06:00:00Z')
const one = { source: 'kite', issue: 'jump', count: 1 } as const
const stored = async (series: string) =>
  (await database.db.selectFrom('rejected_messages').selectAll().where('series', '=', series).execute()).map(
    ({ count, issue, is_own: isOwn, rejected_at: at }) => ({ count: Number(count), issue, isOwn, afterMs: at.getTime() - startMs }),
  )

function world(db: Db = database.db) {
  const clock = manualClock(startMs)
  const errors: unknown[] = []
  const messages = databaseRejectedMessages({ db, clock, onError: (error) => errors.push(error), isOwn: false })
  return { clock, errors, messages }
}

test('the database refuses a count of zero', async () => {
  const row = { series: 'none', source: 'kite', is_own: false, count: '0', issue: 'jump', rejected_at: new Date() }
  await expect(database.db.insertInto('rejected_messages').values(row).execute()).rejects.toThrow('check constraint')
})

test('nothing is written before a minute is over, then all in one row', async () => {
  const { clock, messages } = world()
  for (let count = 0; count < 10_000; count += 1) messages.add({ ...one, series: 'gathered' })
  clock.advance(minuteMs - 1)
  expect(await stored('gathered')).toEqual([])
  messages.add({ ...one, series: 'gathered', issue: 'not-positive' })
  clock.advance(1)
  await expect.poll(() => stored('gathered')).toEqual([{ count: 10_001, issue: 'not-positive', isOwn: false, afterMs: minuteMs - 1 }])
  await messages.close()
  expect(await stored('gathered')).toHaveLength(1)
})

test('processes add to the same count', async () => {
  for (const count of [2, 3]) {
    const { messages } = world()
    messages.add({ ...one, series: 'shared', count })
    await messages.close()
  }
  expect(await stored('shared')).toEqual([{ count: 5, issue: 'jump', isOwn: false, afterMs: 0 }])
})

test('what could not be written is written later, with what came in between', async () => {
  const gone = await freshDatabase()
  await gone.db.schema.dropTable('rejected_messages').execute()
  const { clock, errors, messages } = world(gone.db)
  messages.add({ ...one, series: 'later' })
  clock.advance(minuteMs)
  await expect.poll(() => errors.length).toBe(1)
  messages.add({ ...one, series: 'later', issue: 'odd-stamp' })
  await gone.db.schema
    .createTable('rejected_messages')
    .addColumn('series', 'text')
    .addColumn('source', 'text')
    .addColumn('is_own', 'boolean')
    .addColumn('count', 'bigint')
    .addColumn('issue', 'text')
    .addColumn('rejected_at', 'timestamptz')
    .addPrimaryKeyConstraint('rejected_messages_pkey', ['series', 'source', 'is_own'])
    .execute()
  clock.advance(minuteMs)
  await expect
    .poll(() => gone.db.selectFrom('rejected_messages').select(['count', 'issue']).execute())
    .toEqual([{ count: '2', issue: 'odd-stamp' }])
  await messages.close()
  await gone.close()
})
