// A database or role whose settings print values in another way.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#server/testing/database.ts'
import type { Database } from './database.ts'

let database: Database
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

const settings = {
  datestyle: 'German, DMY',
  timezone: 'Asia/Kolkata',
  extra_float_digits: '-3',
  bytea_output: 'escape',
  intervalstyle: 'iso_8601',
  standard_conforming_strings: 'off',
}

test('every value is read as it was written', async () => {
  const { db } = database
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  for (const [name, value] of Object.entries(settings))
    await sql`alter database ${sql.ref(rows[0]?.name ?? '')} set ${sql.ref(name)} = ${sql.lit(value)}`.execute(db)
  const values = {
    day: new Date('2026-02-03T18:31:02.345Z'),
    days: [new Date('1999-12-31T18:30:00Z')],
    number: 0.1 + 0.2,
    bytes: Buffer.from([0, 92, 120, 255]),
    text: 'C:\\नमस्ते',
  }
  const { day, days, number, bytes, text } = values
  // The settings apply to new connections only, so one is kept busy.
  const found = await db.connection().execute(() =>
    sql`select ${day}::timestamptz as day, ${days}::timestamptz[] as days, ${number}::float8 as number, ${bytes}::bytea as bytes,
      ${text}::text as text`.execute(db),
  )
  expect(found.rows).toEqual([values])
})
