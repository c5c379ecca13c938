// Rejected rows in the database: the same as in memory.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { Database } from '#server/db/database.ts'
import { freshDatabase } from '#server/testing/database.ts'
import type { RejectedRow } from '../feed.ts'
import { databaseRejectedRows, memoryRejectedRows, memorySpansMax, rejectedSpansMax } from './rejected-rows.ts'

let database: Database
let nowMs = Date.parse('2026-11-20T06:00:00Z')
const now = (): number => nowMs
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

const keyOf = (series: string) => ({ series, source: 'binance', step: '1m' }) as const
const row = (minute: number, answer = 'a'): RejectedRow => ({
  span: { fromMs: minute * minuteMs, toMs: (minute + 1) * minuteMs },
  issue: 'out-of-order',
  answer,
})
const span = (from: number, to: number) => ({ fromMs: from * minuteMs, toMs: to * minuteMs })

test('the database refuses an empty span and an overlong answer', async () => {
  const values = {
    series: 'x',
    source: 'csv',
    step: '1m',
    from_ms: '5',
    issue: 'jump',
    answers: 1,
    counted_at: new Date(),
    is_settled: false,
  }
  const add = (other: { to_ms: string; answer: string }) =>
    database.db
      .insertInto('rejected_rows')
      .values({ ...values, ...other })
      .execute()
  await expect(add({ to_ms: '5', answer: '' })).rejects.toThrow('check constraint')
  await expect(add({ to_ms: '6', answer: 'x'.repeat(65) })).rejects.toThrow('check constraint')
})

test('whatever sources answer and when, the database knows the same as memory', async () => {
  const answer = fc.record({
    from: fc.integer({ min: 0, max: 20 }),
    length: fc.integer({ min: 1, max: 12 }),
    bad: fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { maxLength: 4 }),
    text: fc.constantFrom('a', 'b'),
    laterMs: fc.constantFrom(0, minuteMs, dayMs, 2 * dayMs),
  })
  let run = 0
  await assertProperty(
    fc.asyncProperty(fc.array(answer, { maxLength: 8 }), async (answers) => {
      run += 1
      const stored = databaseRejectedRows({ db: database.db, now })
      const memory = memoryRejectedRows(now)
      for (const { from, length, bad, text, laterMs } of answers) {
        nowMs += laterMs
        const rows = bad.filter((index) => index < length).toSorted((one, other) => one - other)
        const all = rows.map((index) => row(from + index, text))
        const settled = await memory.note(keyOf(`run-${run}`), span(from, from + length), all)
        expect(await stored.note(keyOf(`run-${run}`), span(from, from + length), all)).toEqual(settled)
        expect(await stored.list(keyOf(`run-${run}`))).toEqual(await memory.list(keyOf(`run-${run}`)))
      }
    }),
    { numRuns: 40 },
  )
})

test('the same row is the same answer, also when its hole reaches to other neighbours', async () => {
  for (const rows of [databaseRejectedRows({ db: database.db, now }), memoryRejectedRows(now)]) {
    const settled = []
    for (const [from, to] of [
      [10, 20],
      [12, 25],
      [5, 15],
    ] as const) {
      settled.push(await rows.note(keyOf('edges'), span(0, 100), [{ ...row(0), span: span(from, to) }]))
      nowMs += dayMs
    }
    expect(settled).toMatchObject([[], [], [span(5, 15)]])
    expect(await rows.list(keyOf('edges'))).toHaveLength(1)
  }
})

test('the number of spans is bounded: the oldest are forgotten', async () => {
  for (const rows of [databaseRejectedRows({ db: database.db, now }), memoryRejectedRows(now)]) {
    const many = Array.from({ length: rejectedSpansMax + 5 }, (_, index) => row(2 * index))
    await rows.note(keyOf('many'), span(0, 9_999), many)
    const kept = await rows.list(keyOf('many'))
    expect([kept.length, kept[0]?.fromMs]).toEqual([rejectedSpansMax, 10 * minuteMs])
  }
})

test('in memory all keys together are bounded: the one answered longest ago is forgotten', async () => {
  const rows = memoryRejectedRows(now)
  const many = Array.from({ length: rejectedSpansMax }, (_, index) => row(2 * index))
  const series = Array.from({ length: memorySpansMax / rejectedSpansMax + 1 }, (_, index) => `series-${index}`)
  for (const name of series) await rows.note(keyOf(name), span(0, 9_999), many)
  const kept = await Promise.all(series.map(async (name) => (await rows.list(keyOf(name))).length))
  expect(kept).toEqual(series.map((_, index) => (index === 0 ? 0 : rejectedSpansMax)))
})
