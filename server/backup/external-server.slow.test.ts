// Backup of a PostgreSQL server of the operator, by a role that is no superuser; its data folder is written and recovered.
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownPostgres, type OwnPostgres } from '#server/testing/own-postgres.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../open-database.ts'
import type { BackupFolder } from './backup-folder.ts'
import { takeBaseBackup } from './base-backup.ts'
import { planRestore } from './restore-plan.ts'
import { checkFiles, restoreFiles } from './restore.ts'
import { untilRecovered } from './until-recovered.ts'
import { archiveWal, type BackupSource } from './wal-archive.ts'

const silent = () => {}
/** As in docs/operating/backup-and-restore.md. */
const roleSql = /```sql\n\s*(create role tezi_backup.*?)```/s
let root: string
let postgres: OwnPostgres
let folder: BackupFolder
let source: BackupSource & { dataDir: string }

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tezi-external-'))
  // Accessible to the unprivileged user that runs PostgreSQL.
  await chmod(root, 0o755)
  postgres = await ownPostgres()
  const database = await openDatabase({ dataDir: root, databaseUrl: postgres.databaseUrl, log: silent })
  await migrate(database, silent)
  await database.close()
  folder = { path: join(root, 'backups'), keys: [Buffer.alloc(32, 5)] }
  source = {
    databaseUrl: postgres.databaseUrl.replace('//tezi@', '//tezi_backup@'),
    folder,
    dataDir: join(root, 'absent'),
    isExternal: true,
  }
})
afterAll(async () => {
  await postgres.close()
  await rm(root, { recursive: true, force: true })
})

const addUser = (email: string) =>
  postgres.query(`insert into users (name, email, phone, password_hash, created_at) values ('Asha', '${email}', '9', 'x', now())`)

test('a role without the rights is rejected, the one of the page takes a backup', async () => {
  await postgres.query('create role plain login')
  const plain = { ...source, databaseUrl: postgres.databaseUrl.replace('//tezi@', '//plain@') }
  await expect(takeBaseBackup(plain)).rejects.toThrow('permission denied to start WAL sender')
  const page = await readFile(new URL('../../docs/operating/backup-and-restore.md', import.meta.url), 'utf8')
  await postgres.query(roleSql.exec(page)?.[1] ?? '')
  await addUser('asha@example.in')
  const { facts } = await takeBaseBackup(source)
  expect(facts.quiet?.facts.counts['users']).toBe('1')
  expect(facts.secretKey).toBeNull()
})

test('a damaged file is noticed', async () => {
  const plan = await planRestore(folder)
  await checkFiles({ folder, plan })
  const file = join(folder.path, plan.archive.name, plan.archive.wal.at(-1)?.name ?? '')
  const content = await readFile(file)
  await truncate(file, 100)
  await expect(checkFiles({ folder, plan })).rejects.toThrow('is damaged')
  await writeFile(file, content)
})

test('files are not written into a folder with data; a server recovers them to a moment', async () => {
  await addUser('ravi@example.in')
  const { atMs } = await archiveWal(source)
  await addUser('meera@example.in')
  await archiveWal(source)
  const home = join(root, 'restored')
  await mkdir(join(home, 'full'), { recursive: true })
  await writeFile(join(home, 'full', 'letter.txt'), 'mine')
  const plan = await planRestore(folder, { toMs: atMs })
  const into = (dir: string) => restoreFiles({ folder, plan, toMs: atMs, dir, log: silent })
  await expect(into(join(home, 'full'))).rejects.toThrow('is not empty')

  await into(join(home, 'data'))
  // As an operator gives the files to the user of the server.
  if (process.getuid?.() === 0) spawnSync('chown', ['-R', 'nobody', join(home, 'data')])
  const restored = await ownPostgres(home)
  try {
    expect(await restored.query('select email from users order by email')).toEqual([
      { email: 'asha@example.in' },
      { email: 'ravi@example.in' },
    ])
  } finally {
    await restored.close()
  }
})

test('a server that still recovers is waited for', async () => {
  const home = join(root, 'recovering')
  await mkdir(home)
  const plan = await planRestore(folder)
  await restoreFiles({ folder, plan, toMs: undefined, dir: join(home, 'data'), log: silent })
  // Without an end, as while much WAL is replayed.
  await writeFile(join(home, 'data', 'standby.signal'), '')
  if (process.getuid?.() === 0) spawnSync('chown', ['-R', 'nobody', join(home, 'data')])
  const recovering = await ownPostgres(home)
  try {
    const lines: string[] = []
    const recovered = untilRecovered(recovering.databaseUrl, (line) => lines.push(line))
    await expect.poll(() => lines).toEqual(['PostgreSQL is still recovering'])
    await expect(recovering.query('create table early ()')).rejects.toThrow('read-only')
    await recovering.query('select pg_promote()')
    await recovered
    await recovering.query('create table late ()')
  } finally {
    await recovering.close()
  }
})
