// The fallback engine keeps the promises of the other two: flushed commits, own turn for each transaction, the same shapes.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open-database.ts'

let folder: string
let database: Database
const lines: string[] = []
const open = () => openDatabase({ dataDir: folder, log: (line) => lines.push(line), onlyEngine: 'pglite' })
const person = { name: 'अमित', email: 'a@b.in', phone: '9876543210', password_hash: 'x', created_at: new Date('2026-01-02T03:04:05.678Z') }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tezi-pglite-'))
  database = await open()
  await migrate(database, (line) => lines.push(line))
})

afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

test('commits are flushed, and a second opening is refused', async () => {
  expect(database.engine).toBe('pglite')
  expect(Number(lines.join('\n').match(/flushes its commits \((\d+) at the start\)/)?.[1])).toBeGreaterThan(0)
  await expect(open()).rejects.toThrow('is in use already by this process')
})

test('values have the shapes of the other engines', async () => {
  const user = await database.db.insertInto('users').values(person).returningAll().executeTakeFirstOrThrow()
  expect(user).toMatchObject({ ...person, subscription_months: 0, premium_end: null })
  const hash = Buffer.from([0, 1, 254, 255])
  await database.db
    .insertInto('sessions')
    .values({
      user_id: user.id,
      cookie_hash: hash,
      token_hash: hash,
      created_at: person.created_at,
      last_seen_at: person.created_at,
      address: '::1',
      user_agent: '',
    })
    .execute()
  const session = await database.db.selectFrom('sessions').select('cookie_hash').where('cookie_hash', '=', hash).executeTakeFirstOrThrow()
  expect(session.cookie_hash).toEqual(hash)
  await database.db
    .insertInto('chart_settings')
    .values({ user_id: user.id, flags: JSON.stringify({ rsi: true }), updated_at: person.created_at })
    .execute()
  expect((await database.db.selectFrom('chart_settings').select('flags').executeTakeFirstOrThrow()).flags).toEqual({ rsi: true })
  const changed = await database.db.updateTable('users').set({ name: 'B' }).where('id', '=', user.id).executeTakeFirst()
  expect(changed.numUpdatedRows).toBe(1n)
  expect((await sql`select count(*) from users`.execute(database.db)).rows).toEqual([{ count: '1' }])
})

test('errors carry the code and the constraint', async () => {
  await expect(database.db.insertInto('users').values(person).execute()).rejects.toMatchObject({
    code: '23505',
    constraint: 'users_email_key',
  })
})

test('transactions take turns and roll back whole', async () => {
  const add = (email: string, fails: boolean): Promise<unknown> =>
    database.db.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('users')
        .values({ ...person, email })
        .execute()
      if (fails) throw new Error('changed my mind')
    })
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => add(`turn${n}@b.in`, n % 2 === 1)))
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(10)
  const rows = await database.db.selectFrom('users').select('email').where('email', 'like', 'turn%').execute()
  expect(rows).toHaveLength(10)
})

test('rows are there after a restart', async () => {
  await database.close()
  database = await open()
  await migrate(database, () => {})
  const rows = await database.db.selectFrom('users').select('email').where('email', '=', 'a@b.in').execute()
  expect(rows).toHaveLength(1)
})

test('a query over its time limit is cut off, and the next one finds what was committed', async () => {
  const endless = database.db.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = 300`.execute(transaction)
    await transaction.deleteFrom('users').execute()
    await sql`select count(*) from generate_series(1, 2000000000)`.execute(transaction)
  })
  await expect(endless).rejects.toMatchObject({ code: '57014' })
  const rows = await database.db.selectFrom('users').select('email').where('email', '=', 'a@b.in').execute()
  expect(rows).toHaveLength(1)
})
