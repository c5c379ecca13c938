// Backup while writes go on, a restore to a moment, a killed backup, retention, and a database that was set back.
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { backupWorld, type BackupWorld } from '#server/testing/backups.ts'
import { dayMs } from '#shared/base/durations.ts'
import { insertTestSession } from '#server/testing/insert-session.ts'
import { baseTime, listArchives } from './backup-folder.ts'
import { readBackupState } from './backup-state.ts'
import { maintenanceUrl } from '../engine/open-embedded-server.ts'
import { baseLock, takeBaseBackup } from './take-base-backup.ts'
import { parseLsn } from './lsn.ts'
import { removeOldBackups } from './remove-old-backups.ts'
import { planRestore, planVerify } from './restore-plan.ts'
import { verifyBackup } from './restore.ts'
import { archiveWal } from './archive-wal.ts'

const silent = () => {}
let world: BackupWorld
beforeAll(async () => {
  world = await backupWorld()
  await world.addUser('chief@example.in', 'admin')
})
beforeEach(() => world.changeFolder())
afterAll(() => world.close())

const verify = async (name?: string) =>
  verifyBackup({ folder: world.folder, plan: await planVerify(world.folder, name), dir: join(world.dataDir, 'verify'), log: silent })

/** Writes rate counters one after the other, and records when each was acknowledged. */
function writer() {
  const acknowledged: { bucket: string; atMs: number }[] = []
  const stopping = new AbortController()
  const ended = (async () => {
    for (let number = 0; !stopping.signal.aborted; number += 1) {
      const bucket = `write-${number}`
      await world.database.db.insertInto('rate_counters').values({ bucket, window_end: new Date(), hits: number }).execute()
      acknowledged.push({ bucket, atMs: Date.now() })
    }
  })()
  return {
    acknowledged,
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

test('under constant writes a backup is exact, and a restore to a moment has everything that was acknowledged before, and nothing later', async () => {
  const writing = writer()
  onTestFinished(() => writing.stop())
  const { acknowledged } = writing
  const taken = await takeBaseBackup(await world.source())
  const until = acknowledged.length
  await expect.poll(() => acknowledged.length, { timeout: 300_000 }).toBeGreaterThan(until + 200)
  await archiveWal(await world.source())
  const at = acknowledged[until + 100]
  await writing.stop()
  expect(Number(taken.facts.quiet?.facts.counts['rate_counters'])).toBeGreaterThan(0)
  expect(await verify()).toEqual([])

  const toMs = at?.atMs ?? 0
  const restored = await world.restored(toMs)
  const found = new Set((await restored.db.selectFrom('rate_counters').select('bucket').execute()).map(({ bucket }) => bucket))
  const before = acknowledged.filter(({ atMs }) => atMs < toMs)
  expect(before.length).toBeGreaterThan(until)
  expect(before.filter(({ bucket }) => !found.has(bucket))).toEqual([])
  // One write may be under way at the moment.
  expect(acknowledged.filter(({ atMs, bucket }) => atMs > toMs + 1 && found.has(bucket)).length).toBeLessThanOrEqual(2)
})

test('a moment after the last change can be restored, and sessions end', async () => {
  await takeBaseBackup(await world.source())
  const user = await world.addUser('asha@example.in')
  const { db } = world.database
  await insertTestSession(db, { userId: user, at: new Date() })
  const toMs = Date.now() + 1
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(toMs)
  await archiveWal(await world.source())
  const restored = await world.restored(toMs)
  expect(await restored.db.selectFrom('users').select('email').where('id', '=', user).execute()).toEqual([{ email: 'asha@example.in' }])
  expect(await restored.db.selectFrom('sessions').select('end_reason').execute()).toEqual([{ end_reason: 'restored' }])
})

test('a second base backup at the same time is refused', async () => {
  const { database } = world
  await database.db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${baseLock})`.execute(connection)
    await expect(takeBaseBackup(await world.source())).rejects.toThrow('another backup is under way')
    await sql`select pg_advisory_unlock(${baseLock})`.execute(connection)
  })
  expect((await listArchives(world.folder.dir)).flatMap(({ bases }) => bases)).toEqual([])
})

test('a backup that is cut leaves nothing that looks whole, and the next one is', async () => {
  const cut = new AbortController()
  const taking = takeBaseBackup({ ...(await world.source()), signal: cut.signal })
  // As soon as the unfinished folder exists.
  await expect
    .poll(
      async () => (await readdir(world.folder.dir, { recursive: true }).catch(() => [])).some((name) => /base-[^/]*\.partial$/.test(name)),
      { interval: 1 },
    )
    .toBe(true)
  cut.abort()
  await expect(taking).rejects.toThrow('onnection')
  expect((await listArchives(world.folder.dir)).flatMap(({ bases }) => bases)).toEqual([])
  // As a kill leaves it.
  const [archive] = await listArchives(world.folder.dir)
  await mkdir(join(world.folder.dir, archive?.name ?? '', 'base-20260101T000000.000Z.partial'))
  await writeFile(join(world.folder.dir, archive?.name ?? '', 'wal-0000000000000000-20260101T000000.000Z.partial'), 'half')
  await takeBaseBackup(await world.source())
  expect((await world.files()).filter((name) => name.includes('.partial'))).toEqual([])
  expect(await verify()).toEqual([])
})

// Only root may mount a small disk.
test.skipIf(process.getuid?.() !== 0)('a full disk stops the backup, not the database; what was copied before stays whole', async () => {
  await takeBaseBackup(await world.source())
  const small = join(dirname(world.dataDir), 'small')
  await mkdir(small)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', small])
  try {
    const source = { ...(await world.source()), folder: { ...world.folder, dir: small } }
    await expect(takeBaseBackup(source)).rejects.toThrow(/not enough space|ENOSPC/)
    expect((await readdir(small, { recursive: true })).filter((name) => name.endsWith('.partial'))).toEqual([])
  } finally {
    execFileSync('umount', [small])
  }
  await world.addUser('ravi@example.in')
  await takeBaseBackup(await world.source())
  expect(await verify()).toEqual([])
})

test('old base backups go with their WAL, and what is left can be restored', async () => {
  const first = await takeBaseBackup(await world.source())
  await world.addUser('meera@example.in')
  // Segments of WAL are removed as a whole.
  await sql`select pg_logical_emit_message(false, 'test', repeat('x', 40000000))`.execute(world.database.db)
  const second = await takeBaseBackup(await world.source())
  const third = await takeBaseBackup(await world.source())
  expect(await removeOldBackups(world.folder, { days: 14 })).toEqual([])
  expect(await removeOldBackups(world.folder, { days: 1 })).toEqual([`${first.archive}/${first.base}`])
  const [archive] = await listArchives(world.folder.dir)
  expect(archive?.bases).toEqual([second.base, third.base])
  expect(archive?.wal[0]?.startLsn).toBeGreaterThan(parseLsn(first.facts.startLsn))
  expect(await verify(second.base)).toEqual([])
})

test('a restored database begins a new archive, and the next restore uses it', async () => {
  await takeBaseBackup(await world.source())
  const dataDir = join(dirname(world.dataDir), 'twin')
  const restored = await world.restored(undefined, dataDir)
  await restored.db.insertInto('rate_counters').values({ bucket: 'after', window_end: new Date(), hits: 1 }).execute()
  const source = { databaseUrl: await maintenanceUrl(dataDir), folder: world.folder, dataDir }
  await takeBaseBackup(source)
  expect((await listArchives(world.folder.dir)).map(({ timeline }) => timeline)).toEqual([1, 2])
  const again = await world.restored()
  expect(await again.db.selectFrom('rate_counters').select('bucket').where('bucket', '=', 'after').execute()).toEqual([{ bucket: 'after' }])
})

test('a clock that was 20 days ahead hides neither a newer base backup nor a moment', async () => {
  const { db } = world.database
  await takeBaseBackup(await world.source())
  const owner = new Client({ connectionString: await maintenanceUrl(world.dataDir) })
  await owner.connect()
  onTestFinished(() => owner.end())
  // Found before the function of the system by sessions that begin now.
  await owner.query(`create function public.clock_timestamp() returns timestamptz language sql
    as $$ select pg_catalog.clock_timestamp() + interval '20 days' $$`)
  await owner.query('alter role tezi set search_path = public, pg_catalog')
  const ahead = await takeBaseBackup(await world.source())
  await owner.query('alter role tezi reset search_path')
  await owner.query('drop function public.clock_timestamp()')
  const newest = await takeBaseBackup(await world.source())
  expect(baseTime(ahead.base) - baseTime(newest.base)).toBeGreaterThan(19 * dayMs)
  expect((await listArchives(world.folder.dir)).flatMap(({ bases }) => bases).slice(-2)).toEqual([ahead.base, newest.base])
  expect((await readBackupState(world.folder)).baseMs).toBe(baseTime(newest.base))
  await db.insertInto('rate_counters').values({ bucket: 'later', window_end: new Date(), hits: 1 }).execute()
  const { atMs } = await archiveWal(await world.source())
  expect(await planRestore(world.folder, { toMs: atMs })).toMatchObject({ base: newest.base })
  for (const toMs of [undefined, atMs]) {
    const restored = await world.restored(toMs)
    const found = await restored.db.selectFrom('rate_counters').select('bucket').where('bucket', '=', 'later').execute()
    expect(found).toEqual([{ bucket: 'later' }])
  }
})
