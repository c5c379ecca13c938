// The audit log is append-only: the database rejects changes by any role.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { emptyDatabase, freshDatabase } from '#server/testing/database.ts'
import { writeAudit } from './service.ts'

let database: Database
const entry = {
  at: new Date('2026-11-20T06:00:00Z'),
  actor: null,
  action: 'sign-in-failed',
  target: { id: null, name: 'unknown account' },
  address: '203.0.113.7',
} as const

beforeAll(async () => {
  database = await freshDatabase()
})
beforeEach(async () => {
  await emptyDatabase(database)
  await writeAudit(database.db, entry)
})
afterAll(() => database.close())

test.each(["update audit_log set actor = 'x'", 'delete from audit_log', 'truncate audit_log', 'truncate audit_log cascade'])(
  '%s is rejected',
  async (statement) => {
    await expect(sql.raw(statement).execute(database.db)).rejects.toThrow('rows of audit_log are written once')
    const rows = await database.db.selectFrom('audit_log').selectAll().execute()
    expect(rows).toMatchObject([{ actor: 'nobody', action: 'sign-in-failed', target: 'unknown account', details: {} }])
  },
)

test('a row is written with its action or not at all', async () => {
  const act = database.db.transaction().execute(async (transaction) => {
    await writeAudit(transaction, entry)
    throw new Error('undone')
  })
  await expect(act).rejects.toThrow('undone')
  expect(await database.db.selectFrom('audit_log').select('id').execute()).toHaveLength(1)
})
