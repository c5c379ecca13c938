// Access to the embedded PostgreSQL: the application role is not a superuser, no trust authentication, and older data is migrated.
import { chmodSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ownPostgres } from '../testing/own-postgres.ts'
import type { Database } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../open-database.ts'
import { openPostgres } from '../db/open-postgres.ts'
import { openPostmaster } from './postmaster.ts'

const log = () => {}
let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tezi-access-'))
  // Accessible to the unprivileged user that runs PostgreSQL.
  chmodSync(dataDir, 0o755)
})
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

async function expectRestricted(database: Database): Promise<void> {
  await expect(sql`copy (select 1) to program 'true'`.execute(database.db)).rejects.toThrow('permission denied')
  await expect(sql`select * from pg_authid`.execute(database.db)).rejects.toThrow('permission denied')
  const { rows } = await sql`
    select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = current_user`.execute(database.db)
  expect(rows).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false }])
}

/** Its access rules as loaded by PostgreSQL, and application objects with other owners. */
async function findRules(): Promise<object> {
  const engine = await openPostmaster({ dataDir, log })
  const { maintenance } = engine
  const superuser = await openPostgres({
    databaseUrl: `postgres://${maintenance.user}@localhost/postgres?host=${encodeURIComponent(maintenance.host)}`,
    log,
  })
  const rules = await sql`select type, auth_method from pg_hba_file_rules`.execute(superuser.db)
  const foreign = await sql`
    select relname from pg_class where relnamespace = 'public'::regnamespace and relowner <> 'tezi_app'::regrole
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`.execute(superuser.db)
  await superuser.close()
  await engine.stop()
  return { rules: rules.rows, foreign: foreign.rows }
}

const peerOnly = { rules: [{ type: 'local', auth_method: 'peer' }], foreign: [] }

test('a new folder', async () => {
  const database = await openDatabase({ dataDir, log })
  await migrate(database, log)
  await expectRestricted(database)
  await database.close()
  expect(await findRules()).toEqual(peerOnly)
})

test('the audit log is sealed while the server runs, still written and pruned, and open to the migrations of the next start', async () => {
  const database = await openDatabase({ dataDir, log })
  await migrate(database, log)
  await database.sealAudit?.()
  const { db } = database
  const entry = sql`insert into audit_log (at, actor, action, target, address, details) values (now(), 'a', 'sign-in', 'b', '', '{}')`
  await entry.execute(db)
  for (const act of [
    sql`alter table audit_log disable trigger user`,
    sql`drop trigger audit_log_is_append_only on audit_log`,
    sql`drop table audit_log`,
    sql`truncate audit_log`,
    sql`drop function refuse_change() cascade`,
    sql`create or replace function is_erased(person uuid) returns boolean language sql stable as 'select true'`,
    sql`drop schema public cascade`,
    sql`set session_replication_role = replica`,
    sql`set role tezi`,
    sql`alter table consents disable trigger user`,
    sql`alter table erasures disable trigger user`,
  ])
    await expect(act.execute(db)).rejects.toThrow(/must be owner|permission denied/)
  await expect(sql`update audit_log set action = 'other'`.execute(db)).rejects.toThrow('written once')
  await sql`delete from audit_log where at < now() - interval '2 years'`.execute(db)
  expect((await sql`select action from audit_log`.execute(db)).rows).toEqual([{ action: 'sign-in' }])
  await sql`create table later (id integer)`.execute(db)
  await database.close()

  const next = await openDatabase({ dataDir, log })
  await migrate(next, log)
  await sql`alter table audit_log add column later text`.execute(next.db)
  await next.sealAudit?.()
  await entry.execute(next.db)
  await next.close()
  expect(await findRules()).toEqual(peerOnly)
})

test('a folder of an older version with a trusted superuser as application role', async () => {
  const home = join(dataDir, 'postgres')
  mkdirSync(home)
  const older = await ownPostgres(home)
  const before = await openPostgres({ databaseUrl: older.databaseUrl, log })
  await migrate(before, log, { last: 5 })
  await sql`insert into rate_counters (bucket, window_end, hits) values ('kept', now(), 7)`.execute(before.db)
  await before.close()
  await older.stop('fast')

  const database = await openDatabase({ dataDir, log })
  await migrate(database, log)
  await expectRestricted(database)
  expect(await database.db.selectFrom('rate_counters').select(['bucket', 'hits']).execute()).toEqual([{ bucket: 'kept', hits: 7 }])
  await database.close()
  expect(await findRules()).toEqual(peerOnly)
})
