// Backup and restore of an embedded database: rejections, then a restore of the newest state.
import { existsSync } from 'node:fs'
import { appendFile, cp, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backupWorld, emailsOf, type BackupWorld } from '#server/testing/backups.ts'
import { eraseAccount } from '#server/features/privacy/erase-account.ts'
import { openDatabase } from '../open-database.ts'
import { baseTime, listArchives, walContext, writeEncrypted, type WalFile } from './backup-folder.ts'
import { readBackupState, writeVerified } from './backup-state.ts'
import { requireSpace } from '../engine/write-file-durably.ts'
import { takeBaseBackup, type FinishedBackup } from './take-base-backup.ts'
import { planRestore, planVerify } from './restore-plan.ts'
import { restore, verifyBackup } from './restore.ts'
import { archiveWal } from './archive-wal.ts'

const silent = () => {}
let world: BackupWorld
let taken: FinishedBackup
beforeAll(async () => {
  world = await backupWorld()
  await world.addUser('chief@example.in', 'admin')
  await world.addUser('asha@example.in')
  await writeFile(join(world.dataDir, 'secret-key'), 'c2VjcmV0', { mode: 0o600 })
  taken = await takeBaseBackup(await world.source())
})
afterAll(() => world.close())

const verify = async () =>
  verifyBackup({ folder: world.folder, plan: await planVerify(world.folder), dir: join(world.dataDir, 'verify'), log: silent })
const fileOf = async (kind: RegExp): Promise<string> => (await world.files()).findLast((file) => kind.test(file)) ?? ''

/** Runs with a file changed, and puts it back. */
async function withChanged(file: string, change: () => Promise<unknown>, work: () => Promise<void>): Promise<void> {
  const content = await readFile(file)
  try {
    await change()
    await work()
  } finally {
    await writeFile(file, content)
  }
}

test('a restore needs the key, a backup, and a moment that the backups reach', async () => {
  const other = { ...world.folder, keys: [Buffer.alloc(32, 6)] as const }
  await expect(planRestore(other)).rejects.toThrow('was encrypted with another key than BACKUP_KEY')
  await expect(planRestore({ ...world.folder, dir: join(world.dataDir, 'absent') })).rejects.toThrow('there is no backup in')
  await expect(planRestore(world.folder, { toMs: 0 })).rejects.toThrow(
    'no backup reaches 1970-01-01T00:00:00.000Z. A restore is possible to:',
  )
  await expect(planRestore(world.folder, { toMs: Date.parse('2100-01-01T00:00:00Z') })).rejects.toThrow('no backup reaches')
  await expect(planVerify(world.folder, 'base-20200101T000000.000Z')).rejects.toThrow('there is no backup base-20200101T000000.000Z')
})

test('a restore leaves a folder with data, and one that a server uses, as it is', async () => {
  const plan = await planRestore(world.folder)
  const into = (dataDir: string) => restore({ folder: world.folder, plan, toMs: undefined, dataDir, log: silent, complete: async () => {} })
  await expect(into(world.dataDir)).rejects.toThrow('is not empty')
  const used = join(dirname(world.dataDir), 'used')
  const server = await openDatabase({ dataDir: used, log: silent })
  await expect(into(used)).rejects.toThrow('is not empty')
  await server.close()
  const other = join(dirname(world.dataDir), 'other')
  await mkdir(other)
  await writeFile(join(other, 'letter.txt'), 'mine')
  await expect(into(other)).rejects.toThrow('is not empty (letter.txt)')
  expect(await readdir(other)).toEqual(['letter.txt'])
})

test('a disk without space is rejected before anything is written', async () => {
  await expect(requireSpace(world.folder.dir, Number.MAX_SAFE_INTEGER)).rejects.toThrow('not enough space in')
})

test('missing, shortened and changed files are noticed', async () => {
  const data = await fileOf(/base-[^/]*\/data$/)
  await withChanged(
    data,
    () => truncate(data, 5_000),
    () => expect(verify()).rejects.toThrow('is damaged'),
  )
  await withChanged(
    data,
    () => appendFile(data, 'x'),
    () => expect(verify()).rejects.toThrow('is damaged'),
  )
  await withChanged(
    data,
    () => rm(data),
    () => expect(verify()).rejects.toThrow('data is missing in the backup folder'),
  )
  const wal = await fileOf(/wal-/)
  await withChanged(
    wal,
    () => truncate(wal, 100),
    () => expect(verify()).rejects.toThrow('is damaged'),
  )
  await withChanged(
    wal,
    () => rm(wal),
    () => expect(planRestore(world.folder)).rejects.toThrow('WAL'),
  )
  const facts = await fileOf(/\/facts$/)
  await withChanged(
    facts,
    () => rm(facts),
    () => expect(planRestore(world.folder)).rejects.toThrow('facts is missing'),
  )
  const moved = join(dirname(wal), basename(wal).replace(/-\d{8}T/, '-20200101T'))
  await rename(wal, moved)
  await expect(verify()).rejects.toThrow('is damaged')
  await rename(moved, wal)
  expect(existsSync(join(world.dataDir, 'verify'))).toBe(false)
})

test('an interrupted restore is no database: a start is rejected, and the next restore begins again', async () => {
  const dataDir = join(dirname(world.dataDir), 'interrupted')
  const plan = await planRestore(world.folder)
  const failing = { folder: world.folder, plan, toMs: undefined, dataDir, log: silent, complete: () => Promise.reject(new Error('cut')) }
  await expect(restore(failing)).rejects.toThrow('cut')
  await expect(openDatabase({ dataDir, log: silent })).rejects.toThrow('a restore into')
  const database = await world.restored(undefined, dataDir)
  expect(await emailsOf(database)).toEqual(['asha@example.in', 'chief@example.in'])
  expect((await readdir(dataDir)).filter((name) => name.startsWith('restore-'))).toEqual([])
})

test('a backup is verified against the content of its moment', async () => {
  expect(taken.facts.quiet?.facts.counts['users']).toBe('2')
  expect(await verify()).toEqual([])
})

test('the state of the folder says when the newest backups were made, and when one was verified', async () => {
  const none = { baseMs: undefined, reachedMs: undefined, verifiedMs: undefined, oldestMs: undefined }
  expect(await readBackupState({ ...world.folder, dir: join(world.dataDir, 'absent') })).toEqual(none)
  const baseMs = baseTime(taken.base)
  expect(await readBackupState(world.folder)).toEqual({ baseMs, reachedMs: taken.atMs, verifiedMs: undefined, oldestMs: baseMs })
  await writeVerified(world.folder, taken, 1_000)
  expect(await readBackupState(world.folder)).toMatchObject({ baseMs, verifiedMs: 1_000 })
  expect(await verify()).toEqual([])
})

test('nothing of the content can be read in the backup folder', async () => {
  for (const file of await world.files()) expect((await readFile(file)).includes('asha@example.in')).toBe(false)
})

test('the newest state is restored, with the secret key; who was erased since stays erased', async () => {
  const ravi = await world.addUser('ravi@example.in')
  await archiveWal(await world.source())
  const beforeMs = Date.now()
  await archiveWal(await world.source())
  const { db } = world.database
  await db.transaction().execute((transaction) => eraseAccount(transaction, ravi, { at: new Date(), address: '' }))
  await archiveWal(await world.source())

  const newest = await world.restored()
  expect(await emailsOf(newest)).toEqual(['asha@example.in', 'chief@example.in'])
  const earlier = await world.restored(beforeMs - 1)
  expect(await emailsOf(earlier)).toEqual(['asha@example.in', 'chief@example.in'])
  expect(await earlier.db.selectFrom('erasures').select('user_id').execute()).toEqual([{ user_id: ravi }])
  const [row] = await earlier.db.selectFrom('audit_log').select(['actor', 'details']).where('action', '=', 'database-restored').execute()
  expect(row).toMatchObject({ actor: 'operator at the machine', details: { erased: 1, kept: [] } })
  expect(await readFile(join(dirname(world.dataDir), 'restored-2', 'secret-key'), 'utf8')).toBe('c2VjcmV0')
})

test('a database that was set back begins a new archive, also when it has written more than the archive has', async () => {
  const { db } = world.database
  const reached = await archiveWal(await world.source())
  const { rows } = await sql<{ from_lsn: string; at_ms: string }>`select from_lsn::text, at_ms::text from backup_marker`.execute(db)
  await world.addUser('nisha@example.in')
  expect((await archiveWal(await world.source())).archive).toBe(reached.archive)
  // As an older copy of the data folder has it.
  await sql`update backup_marker set from_lsn = ${rows[0]?.from_lsn}::pg_lsn, at_ms = ${rows[0]?.at_ms}::bigint`.execute(db)
  expect((await archiveWal(await world.source())).archive).not.toBe(reached.archive)
  const taken = await takeBaseBackup(await world.source())
  expect(await planRestore(world.folder)).toMatchObject({ base: taken.base })
})

test('an idle database makes no files', async () => {
  const { atMs } = await archiveWal(await world.source())
  const files = await world.files()
  const again = await archiveWal(await world.source())
  expect(again.atMs).toBeGreaterThan(atMs)
  expect(await world.files()).toEqual(files)
  expect(await readBackupState(world.folder)).toMatchObject({ reachedMs: again.atMs })
  await sql`select pg_logical_emit_message(true, 'test', 'x')`.execute(world.database.db)
  await archiveWal(await world.source())
  expect((await world.files()).length).toBe(files.length + 1)
})

test('WAL that cannot be replayed to its end is no restored database, and no good backup: the message says what is missing', async () => {
  await world.addUser('meera@example.in')
  await archiveWal(await world.source())
  await world.addUser('kavya@example.in')
  await archiveWal(await world.source())
  const archive = (await listArchives(world.folder.dir)).at(-1)
  const [before, first, last] = archive?.wal.slice(-3) ?? []
  if (archive === undefined || before === undefined || first === undefined || last === undefined)
    throw new Error('there are too few copies')
  for (const diverged of [last, first]) await rejectsDiverged(archive.name, diverged, diverged === last ? first : before)
  expect(await emailsOf(await world.restored())).toContain('kavya@example.in')
})

/** With zeros in place of the WAL of a file. */
async function rejectsDiverged(archive: string, diverged: WalFile, before: WalFile): Promise<void> {
  const name = join(world.folder.dir, archive, diverged.name)
  const zeros = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.alloc(Number(diverged.endLsn - diverged.startLsn))
  }
  await withChanged(
    name,
    () => writeEncrypted(world.folder, walContext(archive, diverged), zeros(), { final: () => `${archive}/${diverged.name}` }),
    async () => {
      await expect(world.restored()).rejects.toThrow(`is missing. The state before can be restored with --from`)
      await expect(world.restored(diverged.atMs)).rejects.toThrow(`--to ${new Date(before.atMs).toISOString()}`)
      await expect(verify()).rejects.toThrow(`cannot be replayed beyond`)
      expect(await emailsOf(await world.restored(before.atMs))).not.toContain('kavya@example.in')
    },
  )
}

test('a damaged base backup, or damaged facts: the older one reaches the same state', async () => {
  await takeBaseBackup(await world.source())
  await world.addUser('last@example.in')
  await archiveWal(await world.source())
  for (const part of [/base-[^/]*\/data$/, /\/facts$/]) {
    const file = await fileOf(part)
    await withChanged(
      file,
      () => truncate(file, 5_000),
      async () => {
        await expect(verify()).rejects.toThrow('is damaged')
        expect(await emailsOf(await world.restored())).toContain('last@example.in')
      },
    )
  }
})

test('backups of several databases: a restore asks which one, and names their users and last moments', async () => {
  const taken = (await listArchives(world.folder.dir)).at(-1)
  const other = join(world.folder.dir, 'archive-20990101T000000.000Z-123-1')
  await cp(join(world.folder.dir, taken?.name ?? ''), other, { recursive: true })
  const system = taken?.systemId ?? ''
  try {
    await expect(planRestore(world.folder)).rejects.toThrow(/2 databases:\n  \d+: \d+ users?, last moment 2\S+Z\n.*Which one\?/s)
    await expect(planRestore(world.folder, { systemId: '7' })).rejects.toThrow('there is no backup of database 7')
    expect(await planRestore(world.folder, { systemId: system })).toMatchObject({ archive: { name: taken?.name } })
  } finally {
    await rm(other, { recursive: true })
  }
  const base = taken?.bases.at(-1)
  expect(await planRestore(world.folder, { from: base })).toMatchObject({ base, older: [] })
  await expect(planRestore(world.folder, { from: 'base-1' })).rejects.toThrow('there is no backup base-1')
})

test('a lost data folder does not become an empty database beside its backups', async () => {
  const dataDir = join(dirname(world.dataDir), 'lost')
  await expect(openDatabase({ dataDir, log: silent, backup: world.folder })).rejects.toThrow(
    /has backups:\n  \d+: \d+ users?, last moment 2\S+Z\nTezi does not begin an empty database/,
  )
  const file = { ...world.folder, dir: fileURLToPath(import.meta.url) }
  await expect(openDatabase({ dataDir, log: silent, backup: file })).rejects.toThrow('which may have backups of it, cannot be read')
  expect(existsSync(dataDir)).toBe(false)
  const opened = await openDatabase({ dataDir, log: silent, backup: { ...world.folder, dir: join(dataDir, 'none') } })
  await opened.close()
  await (await openDatabase({ dataDir, log: silent, backup: world.folder })).close()
})
