// A server whose collation changed after its indexes were made: the start and doctor say so until it is repaired as the page says.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkDatabase } from '#server/doctor/check-database.ts'
import { ownPostgres, type OwnPostgres } from '#server/testing/own-postgres.ts'
import { openPostgres } from './open-postgres.ts'

let postgres: OwnPostgres
let databaseUrl: string

beforeAll(async () => {
  postgres = await ownPostgres()
  // As docs/operating/database.md makes one.
  await postgres.query(
    `create database site template template0 encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8' locale 'C.UTF-8'`,
  )
  databaseUrl = postgres.databaseUrl.replace(/postgres$/, 'site')
})
afterAll(() => postgres.close())

async function reported(): Promise<{ start: string[]; doctor: string[] }> {
  const start: string[] = []
  await (await openPostgres({ databaseUrl, log: (line, level) => start.push(`${level} ${line}`) })).close()
  const { results } = await checkDatabase({ connectionString: databaseUrl, poolSize: 5, now: Date.now, timeoutMs: 30_000 })
  return { start, doctor: results.map(({ name, status }) => `${name} ${status}`) }
}

test('a change is reported at the start and by doctor, and no more after the repair', async () => {
  expect(await reported()).toEqual({ start: [], doctor: ['database ok'] })
  await postgres.query(`update pg_database set datcollversion = '0' where datname = 'site'`)
  expect(await reported()).toEqual({
    start: [expect.stringMatching(/^warn the collation of the database of DATABASE_URL has changed/)],
    doctor: ['database ok', 'collation failed'],
  })
  await postgres.query('alter database site refresh collation version')
  expect(await reported()).toEqual({ start: [], doctor: ['database ok'] })
})
