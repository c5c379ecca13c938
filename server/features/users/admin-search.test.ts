// The admin's search: every way to find users gives the same users in the same order, and counts to 1,001.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { searchCountMax } from '#shared/users/contract.ts'
import { addManyUsers } from '#server/testing/many-users.ts'
import { UsersRepository, type UserFilter } from './repository.ts'

interface Row {
  readonly id: string
  readonly text: string
  readonly createdMs: number
  readonly premiumMs: number | null
}

let server: TestApp
let all: readonly Row[]

beforeAll(async () => {
  server = await testApp({ hasOwnDatabase: true })
  await server.addUser({ name: 'Žofie 100%_\\', email: 'zqx@example.in' })
  await addManyUsers(server.database.db, { count: 1_400, domain: 'example.in', hasPaid: true })
  const rows = await server.database.db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'utr_no', 'created_at', 'premium_start'])
    .execute()
  all = rows.map((row) => ({
    id: row.id,
    text: `${row.name} ${row.email} ${row.utr_no ?? ''}`.toLowerCase(),
    createdMs: row.created_at.getTime(),
    premiumMs: row.premium_start?.getTime() ?? null,
  }))
})
afterAll(() => server.close())

function expectedIds({ search = '', sort }: UserFilter): string[] {
  const down = (one: Row, other: Row) => other.createdMs - one.createdMs
  const keyOf = ({ premiumMs }: Row) => (premiumMs === null ? Infinity : sort === 'asc' ? premiumMs : -premiumMs)
  return all
    .filter(({ text }) => [search, search.replace(/^0x|\s/g, '')].some((one) => text.includes(one.toLowerCase())))
    .toSorted((one, other) => (sort === undefined ? down(one, other) : keyOf(one) - keyOf(other) || 0) || (one.id < other.id ? -1 : 1))
    .map(({ id }) => id)
}

describe.each([5, 300, 20_000])('with %i users scanned first', (scannedMax) => {
  test.each([
    'a',
    'ž',
    '%',
    'zq',
    'qz',
    'ra',
    '8@',
    '\\',
    'ravi',
    'sharma',
    'RAVI',
    '8@ex',
    'user12',
    '6324000',
    '%_\\',
    'nobody',
    '6324 0000',
    '0x6324',
  ])('%s', async (search) => {
    const repository = new UsersRepository(server.database.db, { scannedMax, searchMs: 60_000 })
    for (const sort of [undefined, 'asc', 'desc'] as const) {
      const ids = expectedIds({ search, sort })
      for (const offset of [0, 13, 1_000, 1_300]) {
        const { rows, total } = await repository.page({ search, sort }, { limit: 13, offset })
        expect(rows.map(({ id }) => id)).toEqual(ids.slice(offset, offset + 13))
        expect(total).toBe(Math.min(ids.length, searchCountMax + 1))
      }
    }
  })
})

test('when the index of pairs does not respond in time the page is read by the text of each user', async () => {
  await sql`create or replace function search_grams(value text) returns text[] language plpgsql immutable strict parallel safe as $$
    begin perform pg_sleep(60); return '{}'; end $$`.execute(server.database.db)
  const repository = new UsersRepository(server.database.db, { scannedMax: 5, searchMs: 3_000 })
  const { rows, total } = await repository.page({ search: 'ex' }, { limit: 13, offset: 0 })
  expect(rows.map(({ id }) => id)).toEqual(expectedIds({ search: 'ex' }).slice(0, 13))
  expect(total).toBe(searchCountMax + 1)
})
