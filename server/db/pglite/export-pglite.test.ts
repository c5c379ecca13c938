// The export of a PGlite folder: refusals, a folder that stays as it is, and a round trip into PostgreSQL.
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../testing/database.ts'
import type { Database } from '../database.ts'
import { checkExport, importExport } from '../import/import-export.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open-database.ts'
import { exportPglite } from './export-pglite.ts'

const silent = () => {}
const at = '2026-01-02 03:04:05.678901+00'
const asha = '00000000-0000-4000-8000-00000000000a'
const gone = '00000000-0000-4000-8000-00000000000e'
let folder: string
let dataDir: string
let source: Database
const open = () => openDatabase({ dataDir, log: silent, onlyEngine: 'pglite' })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tezi-export-test-'))
  dataDir = join(folder, 'data')
  source = await open()
  await migrate(source, silent)
  await sql.raw(world).execute(source.db)
})

afterAll(async () => {
  await source.close()
  await rm(folder, { recursive: true, force: true })
})

/** A row or more in every table, with values that a careless format would change. */
const world = `
  insert into users (id, name, email, phone, password_hash, role, status, premium_start, premium_end, subscription_months, utr_no, created_at, anchor_day)
    values ('${asha}', E'आशा "O''Rao"\\u2028\\n\\t\\\\', 'asha@example.in', '9876543210', '$argon2id$x', 'admin', 'paid', '${at}', '9999-12-31', 3, 'UTR1', '${at}', 31);
  insert into users (name, email, phone, password_hash, created_at)
    select 'User ' || n, 'user' || n || '@example.in', '9876543210', 'x', '${at}' from generate_series(1, 600) as n;
  insert into sessions (user_id, cookie_hash, token_hash, created_at, last_seen_at, address, user_agent)
    values ('${asha}', '\\x00ff0a5c', '\\x', '${at}', '${at}', '::1', '');
  insert into presence select id, user_id, gen_random_uuid(), '${at}' from sessions;
  insert into rate_counters values ('sign-in:::1', '${at}', 3);
  insert into chart_settings values ('${asha}', '{"rsi": true}', '${at}');
  insert into plans (type, months, price_minor, qr_image, updated_at) values ('regular', 1, 9007199254740993, repeat('data:image/png;', 9000), '${at}');
  insert into payment_requests (user_id, type, months, price_minor, rail, reference_raw, reference, status, created_at)
    values ('${asha}', 'regular', 1, 99900, 'upi', ' 12 ', '12', 'accepted', '${at}');
  insert into subscription_history (user_id, request_id, command, at, status_after, months_after)
    select user_id, id, 'accept', '${at}', 'paid', 1 from payment_requests;
  insert into password_links values ('\\x01', '${asha}', '${at}', '${at}', null);
  insert into consents (user_id, at, act, notice_version, is_adult, place) values ('${asha}', '${at}', 'given', '1', true, 'sign-up');
  -- Written before the erasure, so that the trigger that forgets would change it.
  insert into audit_log (at, actor_id, actor, action, target, address, details)
    values ('${at}', '${gone}', 'Gone', 'sign-in', 'gone@example.in', '::1', '{"price": 12345678901234567890.123, "text": "\\u20ac"}');
  insert into erasures values ('${gone}', '${at}');
  insert into candles (series, source, step, time, revision, open, high, low, close, volume, stored_at)
    select 'nifty', 'csv', '1m', 1767000000000 + n * 60000, 0, 0.1::float8 + 0.2, 1e300, 5e-324, 1 / 3.0, null, '${at}' from generate_series(1, 3000) as n;
  insert into workspaces values ('${asha}', 2, '{"layouts": []}', '${at}');
  insert into drawings values ('${asha}', 'nifty', 1, '[null, 1.50]', '${at}');
  insert into idempotency_keys values ('${asha}', 'a', '\\x02', '${at}', 'null'), ('${asha}', 'b', '\\x03', '${at}', null);
  update users set premium_end = '2027-01-01' where id = '${asha}';
  -- The next number is not the one after the last row's.
  delete from access_changes; insert into access_changes (user_id) values ('${asha}'), ('${asha}'); delete from access_changes where id > 2;`

/** All tables as text, sorted, and the state of their sequences. */
async function contentOf({ db }: Database): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string; kind: string }>`select relname as name, relkind as kind from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') and relname <> 'schema_migrations'`.execute(db)
  const content: Record<string, string[]> = {}
  for (const { name, kind } of tables) {
    const columns = sql.raw(kind === 'S' ? 'last_value, is_called' : 'content.*')
    const { rows } = await sql<{ row: string }>`select row(${columns})::text as row from ${sql.table(name)} as content`.execute(db)
    content[name] = rows.map(({ row }) => row).toSorted()
  }
  return content
}

/** Names and contents of all files below a folder, but for the claims on it. */
async function digestOf(directory: string): Promise<string> {
  const hash = createHash('sha256')
  for (const entry of (await readdir(directory, { recursive: true, withFileTypes: true })).toSorted((one, other) =>
    join(one.parentPath, one.name) < join(other.parentPath, other.name) ? -1 : 1,
  )) {
    hash.update(join(entry.parentPath, entry.name))
    if (entry.isFile()) hash.update(await readFile(join(entry.parentPath, entry.name)))
  }
  return hash.digest('hex')
}

test('a folder without data of PGlite, one in use and an existing file are refused, and nothing is left behind', async () => {
  const other = join(folder, 'other')
  await mkdir(join(other, 'postgres', 'data'), { recursive: true })
  const file = join(folder, 'refused.ndjson')
  await expect(exportPglite({ dataDir: other, file, log: silent })).rejects.toThrow('has no data written by PGlite')
  await expect(exportPglite({ dataDir, file, log: silent })).rejects.toThrow('is in use already by this process')
  expect(await readdir(folder)).toEqual(['data', 'other'])
  await writeFile(file, 'mine')
  await expect(exportPglite({ dataDir, file, log: silent })).rejects.toThrow('EEXIST')
  expect(await readFile(file, 'utf8')).toBe('mine')
})

test('every row and sequence arrives in PostgreSQL, and the folder stays as it is', async () => {
  const expected = await contentOf(source)
  expect(Object.entries(expected).filter(([, rows]) => rows.length === 0)).toEqual([])
  await source.close()
  const before = await digestOf(dataDir)
  const file = join(folder, 'all.ndjson')
  const rowCount = await exportPglite({ dataDir, file, log: silent })
  expect(await digestOf(dataDir)).toBe(before)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await readdir(folder)).filter((name) => name.startsWith('tezi-export-'))).toEqual([])

  const target = await freshDatabase()
  try {
    const checked = await checkExport(file)
    expect(checked.rowCount).toBe(rowCount)
    await importExport(target, checked, silent)
    expect(await contentOf(target)).toEqual(expected)
  } finally {
    await target.close()
  }
  source = await open()
  expect(await contentOf(source)).toEqual(expected)
})
