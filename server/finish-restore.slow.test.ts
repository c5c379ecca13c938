// A PostgreSQL server of the operator that other tools back up: the server process keeps the list of erasures, and a command repeats it.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from './open-database.ts'
import type { Database } from './db/database.ts'
import { eraseAccount } from './features/privacy/erase-account.ts'
import { insertTestSession } from './testing/insert-session.ts'
import { ownPostgres, type OwnPostgres } from './testing/own-postgres.ts'
import { launchServer, startServer } from './testing/process.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tezi-finish-restore-'))
// Accessible to the unprivileged user that runs PostgreSQL.
chmodSync(folder, 0o755)
const erasuresFile = path.join(folder, 'erasures.txt')
let postgres: OwnPostgres
beforeAll(async () => {
  postgres = await ownPostgres(path.join(folder, 'postgres'))
})
afterAll(async () => {
  await postgres.close()
  rmSync(folder, { recursive: true, force: true })
})

const urlOf = (name: string) => postgres.databaseUrl.replace(/\/postgres$/, `/${name}`)
const environmentOf = (name: string) => ({
  DATABASE_URL: urlOf(name),
  DATA_DIR: path.join(folder, 'data'),
  ERASURES_FILE: erasuresFile,
  ADMIN_EMAIL: 'chief@example.in',
  ADMIN_PASSWORD: 'Monsoon-Rain-77',
})
const startCommand = (more: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  launchServer({ ...environmentOf('restored'), ...more }, 'scripts/tezi.ts', ['finish-restore', ...args])

async function finish(more: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const command = startCommand(more, ...args)
  return { code: await command.ended, output: command.output() }
}

async function within<T>(name: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ dataDir: folder, databaseUrl: urlOf(name), log: () => {} })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

test('a start with the setting of backups before names what replaced them', async () => {
  const start = launchServer({ ...environmentOf('tezi'), BACKUP_DATABASE_URL: urlOf('tezi') })
  expect({ code: await start.ended, output: start.output() }).toMatchObject({
    code: 1,
    output: expect.stringContaining('BACKUP_DATABASE_URL: was removed. pgBackRest now backs up the server of DATABASE_URL'),
  })
})

test('a restore cannot be finished without the list, which must be set and be there', async () => {
  expect(await finish({ ERASURES_FILE: '' })).toMatchObject({ code: 1, output: expect.stringContaining('Set ERASURES_FILE') })
  expect(await finish({})).toMatchObject({ code: 1, output: expect.stringContaining('is missing. Is its disk mounted?') })
  expect(await finish({}, '--to', '2026-11-23T10:30:00')).toMatchObject({ code: 1, output: expect.stringContaining('with a zone') })
})

test('who was erased after the backup is erased again in the restored database, and a moment ends the sessions', async () => {
  await postgres.query('create database tezi')
  const server = await startServer(environmentOf('tezi'))
  await expect.poll(() => existsSync(erasuresFile) && readFileSync(erasuresFile, 'utf8')).toBe('')
  const ravi = await within('tezi', async ({ db }) => {
    const row = { name: 'Ravi', email: 'ravi@example.in', phone: '9876543210', password_hash: 'x', created_at: new Date() }
    const { id } = await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()
    await insertTestSession(db, { userId: id, at: new Date() })
    return id
  })
  await postgres.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'tezi'`)
  await expect
    .poll(() =>
      postgres.query('create database restored template tezi').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  const toMs = Date.now()
  await within('tezi', ({ db }) =>
    db.transaction().execute((transaction) => eraseAccount(transaction, ravi, { at: new Date(), address: '' })),
  )
  // The last copy is that of the stop.
  expect(await server.stop()).toBe(0)
  expect(readFileSync(erasuresFile, 'utf8')).toMatch(new RegExp(`^2\\S+Z ${ravi}\n$`))

  expect(await finish({}, '--to', new Date(toMs).toISOString())).toMatchObject({
    code: 0,
    output: expect.stringContaining('1 accounts that were erased later are erased again'),
  })
  await within('restored', async ({ db }) => {
    expect(await db.selectFrom('users').select('email').execute()).toEqual([{ email: 'chief@example.in' }])
    expect(await db.selectFrom('sessions').select('end_reason').where('ended_at', 'is', null).execute()).toEqual([])
    const [entry] = await db.selectFrom('audit_log').select(['target', 'details']).where('action', '=', 'database-restored').execute()
    expect(entry).toMatchObject({ target: 'PostgreSQL server', details: { erased: 1, kept: [], to: new Date(toMs).toISOString() } })
  })
})

test('a server that still recovers is waited for', async () => {
  await postgres.stop('fast')
  const signal = path.join(folder, 'postgres/data/standby.signal')
  writeFileSync(signal, '')
  await postgres.start()
  const command = startCommand({})
  await expect.poll(() => command.output()).toBe('PostgreSQL is still recovering\n')
  await postgres.query('select pg_promote()')
  expect(await command.ended).toBe(0)
  expect(existsSync(signal)).toBe(false)
})
