// Importing an export: rejections without changes, then every row of a file written by Tezi 0.2.0.
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freshDatabase } from '../../testing/database.ts'
import type { Database } from '../database.ts'
import { migrate, readMigrations } from '../migrate.ts'
import type { ExportFooter, ExportHeader, ExportTable } from './export-file.ts'
import { checkExport, importExport } from './import-export.ts'

const silent = () => {}
let folder: string
let lines: string[]
let database: Database

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tezi-import-'))
  const text = await readFile(new URL('./testing/tezi-0.2.0.ndjson', import.meta.url), 'utf8')
  lines = text.trimEnd().split('\n')
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const footerOf = (all: readonly string[]) => JSON.parse(all.at(-1) ?? '') as ExportFooter

/** A file with these lines. */
async function written(all: readonly string[], end = '\n'): Promise<string> {
  const file = join(folder, 'export.ndjson')
  await writeFile(file, all.join('\n') + end)
  return file
}

/** These lines with a matching footer. */
function sealed(body: readonly string[], rows: ExportFooter['rows']): string[] {
  const sha256 = createHash('sha256')
    .update(body.map((line) => `${line}\n`).join(''))
    .digest('hex')
  return [...body, JSON.stringify({ ...footerOf(lines), rows, sha256 })]
}

/** The fixture as written by a version with one migration less. */
function olderSchema(): string[] {
  const header = JSON.parse(lines[0] ?? '') as ExportHeader
  const first = lines.findIndex((line) => line.startsWith('{"table":"idempotency_keys"'))
  const next = lines.findIndex((line, index) => index > first && line.startsWith('{'))
  const { idempotency_keys: _, ...rows } = footerOf(lines).rows
  const older = JSON.stringify({ ...header, migrations: header.migrations.slice(0, 6) })
  return sealed([older, ...lines.slice(1, first), ...lines.slice(next, -1)], rows)
}

async function rowsOf(table: string, columns: readonly string[]): Promise<string[]> {
  const values = sql.join(columns.map((column) => sql`${sql.ref(column)}::text`))
  const { rows } = await sql<{ row: string }>`select json_build_array(${values})::text as row from ${sql.table(table)}`.execute(database.db)
  return rows.map(({ row }) => row).toSorted()
}

const emails = async () => (await database.db.selectFrom('users').select('email').orderBy('email').execute()).map(({ email }) => email)
const importFile = async (all: readonly string[]) => importExport(database, await checkExport(await written(all)), silent)

describe('a file is rejected before a database is opened', () => {
  const swapped = (from: string, to: string) => () => lines.map((line) => line.replaceAll(from, to))
  test.each([
    ['another format', swapped('tezi-export', 'x'), 'is not an export that this version of Tezi reads'],
    ['a newer layout', swapped('"version":1', '"version":2'), 'is not an export that this version of Tezi reads'],
    [
      'an unknown migration',
      swapped('0007_idempotency', '0007_x'),
      'was written by Tezi 0.2.0 with a schema that this version does not know',
    ],
    ['a changed migration', swapped('"checksum":"', '"checksum":"0'), 'with a schema that this version does not know'],
    ['no lines', () => [], 'is not an export that this version of Tezi reads'],
    ['no end', () => lines.slice(0, -1), 'is damaged: its end is missing'],
    ['a row less', () => lines.toSpliced(2, 1), 'is damaged: its checksum is another'],
    ['a changed value', swapped('asha@example.in', 'ashb@example.in'), 'is damaged: its checksum is another'],
    ['rows that do not fit the counts', () => sealed(lines.slice(0, -1), { users: 1 }), 'is damaged: its row counts are others'],
    ['rows before a table', () => lines.toSpliced(1, 1), 'is damaged: a row comes before its table'],
    ['a broken line', () => lines.toSpliced(3, 0, '{"tab'), 'is damaged: a line is neither a table nor a row'],
    ['a table twice', () => [...lines.slice(0, -1), ...lines.slice(1)], 'is damaged: a line is neither a table nor a row'],
    ['more after its end', () => [...lines, '[]'], 'is damaged: it goes on after its end'],
  ])('with %s', async (_what, change, message) => {
    await expect(checkExport(await written(change()))).rejects.toThrow(message)
  })

  test('when it is truncated', async () => {
    const file = await written([...lines.slice(0, -1), (lines.at(-1) ?? '').slice(0, -5)], '')
    await expect(checkExport(file)).rejects.toThrow('is damaged')
  })
})

describe('in an empty database', () => {
  beforeEach(async () => {
    database = await freshDatabase()
    await sql`drop schema public cascade`.execute(database.db)
    await sql`create schema public`.execute(database.db)
  })

  afterEach(() => database.close())

  describe('nothing is imported', () => {
    test('into a database with a row, whichever table has it', async () => {
      await migrate(database, silent, { last: 7 })
      await sql`insert into candles values ('nifty', 'csv', '1m', 0, 0, 1, 1, 1, 1, null, null, now())`.execute(database.db)
      await expect(importFile(lines)).rejects.toThrow('the database is not empty: candles has rows')
      expect(await emails()).toEqual([])
    })

    test('into a database with a newer schema', async () => {
      await migrate(database, silent)
      await expect(importFile(olderSchema())).rejects.toThrow('the database has a newer schema than the file')
      expect(await emails()).toEqual([])
    })

    test('of a row without its parent', async () => {
      const body = lines.slice(0, -1).filter((line) => !line.includes('"Asha') && !line.includes('asha@example.in'))
      const { rows } = footerOf(lines)
      await expect(importFile(sealed(body, { ...rows, users: (rows['users'] ?? 0) - 1 }))).rejects.toThrow('foreign key')
      expect(await emails()).toEqual([])
    })

    test('of a file that was changed after the check', async () => {
      const checked = await checkExport(await written(lines))
      await written(lines.map((line) => line.replaceAll('asha@example.in', 'ashb@example.in')))
      await expect(importExport(database, checked, silent)).rejects.toThrow('is damaged')
      expect(await emails()).toEqual([])
    })
  })

  test('all rows of the file are imported unchanged, and sequences continue', async () => {
    await importFile(lines)
    const tables = lines.slice(1, -1).filter((line) => line.startsWith('{'))
    expect(tables).toHaveLength(17)
    for (const line of tables) {
      const { table, columns } = JSON.parse(line) as ExportTable
      const from = lines.indexOf(line) + 1
      const to = lines.findIndex((other, index) => index >= from && other.startsWith('{'))
      expect({ table, rows: await rowsOf(table, columns) }).toEqual({ table, rows: lines.slice(from, to).toSorted() })
    }
    const added = await sql<{ id: string }>`insert into access_changes (user_id) values (gen_random_uuid()) returning id::text`.execute(
      database.db,
    )
    expect(added.rows).toEqual([{ id: '4' }])
  })

  test('triggers do not change imported rows', async () => {
    const first = lines.findIndex((line) => line.startsWith('{"table":"erasures"'))
    const erasures = lines.slice(first, first + 2)
    const body = [...lines.slice(0, 1), ...erasures, ...lines.slice(1, first), ...lines.slice(first + 2, -1)]
    await importFile(sealed(body, footerOf(lines).rows))
    expect(await database.db.selectFrom('audit_log').select(['actor', 'address']).execute()).toEqual([{ actor: 'Gone', address: '::1' }])
  })

  test('triggers protect the rows afterwards', async () => {
    await importFile(lines)
    await expect(sql`update audit_log set action = 'x'`.execute(database.db)).rejects.toThrow('rows of audit_log are written once')
    await expect(sql`delete from candles`.execute(database.db)).rejects.toThrow('rows of candles are written once')
  })

  test('rows of an older schema are imported, and later migrations run', async () => {
    await importFile(olderSchema())
    expect(await emails()).toContain('asha@example.in')
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from schema_migrations`.execute(database.db)
    expect(rows).toEqual([{ count: (await readMigrations()).length }])
  })
})
