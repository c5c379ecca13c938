// The last steps of a restore that finds erased accounts again.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { completeRestore } from './complete-restore.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'

let server: TestApp
beforeAll(async () => {
  server = await testApp()
})
afterAll(() => server.close())

test('an account that cannot be erased again is named, and the others are erased', async () => {
  const { db } = server.database
  const admin = await server.addUser({ role: 'admin' })
  const [bad, good] = [await server.addUser(), await server.addUser()]
  const gone = '00000000-0000-4000-8000-000000000000'
  const erasures = [gone, admin.id, bad.id, good.id].map((userId) => ({ userId, atMs: server.clock.nowMs }))
  await sql`create function refuse_one() returns trigger language plpgsql as $$
    begin if old.email = ${sql.lit(bad.email)} then raise exception 'no room'; end if; return old; end $$`.execute(db)
  await sql`create trigger refuse_one before delete on users for each row execute function refuse_one()`.execute(db)
  const lines: string[] = []
  const log = (line: string) => void lines.push(line)
  try {
    await completeRestore(server.database, { erasures, toMs: undefined, restored: 'base', now: () => server.clock.nowMs, log })
  } finally {
    await sql`drop function refuse_one cascade`.execute(db)
  }
  expect(lines).toEqual([
    '1 accounts that were erased later are erased again',
    `WARNING: the erased account ${admin.id} is back, because it is the only admin; erase it when there is another one`,
    `WARNING: the erased account ${bad.id} is back, because it could not be erased: no room`,
  ])
  expect(await db.selectFrom('erasures').select('user_id').execute()).toEqual([{ user_id: good.id }])
  const { details } = await db.selectFrom('audit_log').select('details').where('action', '=', 'database-restored').executeTakeFirstOrThrow()
  expect(details).toEqual({ to: null, erased: 1, kept: [admin.id, bad.id] })
})
