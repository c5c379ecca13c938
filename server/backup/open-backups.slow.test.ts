// The backup jobs of a server: while much is written, when it stops, and with a folder that is not the one of before.
import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { jobRuns } from '../metrics/job-runs.ts'
import { openBackups } from './open-backups.ts'
import { backupWorld, emailsOf, type BackupWorld } from '../testing/backups.ts'

let world: BackupWorld
beforeAll(async () => {
  world = await backupWorld()
})
afterAll(() => world.close())

function open(opened: AsyncDisposableStack) {
  const { dataDir, folder, database } = world
  const lines: string[] = []
  const errors: unknown[] = []
  const read = openBackups({
    config: { backup: { ...folder, days: 14 }, databaseUrl: undefined, dataDir },
    db: database.db,
    jobs: jobRuns({ now: Date.now }),
    now: Date.now,
    log: { info: (line) => lines.push(line), warn: (line) => lines.push(line) },
    onError: (error) => errors.push(error),
    opened,
  })
  return { lines, errors, read: async () => read?.() }
}

test('much WAL is copied before the minute is over', async () => {
  const opened = new AsyncDisposableStack()
  onTestFinished(() => opened.disposeAsync())
  const { database } = world
  const { lines, errors, read } = open(opened)
  await expect.poll(() => lines).toEqual([expect.stringContaining('is on the same file system'), expect.stringContaining('is complete')])
  const beganMs = Date.now()
  for (let part = 0; part < 10; part += 1)
    await sql`select pg_logical_emit_message(false, 'test', repeat('x', 30000000))`.execute(database.db)
  // Sooner than the copy of the next minute; the last part may wait for that.
  await expect.poll(async () => (await read())?.reachedMs, { timeout: 30_000 }).toBeGreaterThan(beganMs)
  expect(errors).toEqual([])
})

test('the last changes are copied when the server stops', async () => {
  world.changeFolder()
  await sql`delete from backup_marker`.execute(world.database.db)
  const opened = new AsyncDisposableStack()
  const { lines, errors, read } = open(opened)
  await expect.poll(() => lines.some((line) => line.includes('is complete'))).toBe(true)
  await world.addUser('last@example.in')
  const writtenMs = Date.now()
  await opened.disposeAsync()
  expect((await read())?.reachedMs).toBeGreaterThanOrEqual(writtenMs)
  expect(await emailsOf(await world.restored())).toEqual(['last@example.in'])
  expect(errors).toEqual([])
})

test('nothing is written to a folder that lacks the backups of before, as a mount point without its disk does', async () => {
  world.changeFolder()
  const opened = new AsyncDisposableStack()
  const { errors } = open(opened)
  await expect.poll(() => errors).toEqual([expect.objectContaining({ message: expect.stringContaining('Is its disk mounted?') })])
  await opened.disposeAsync()
  expect(existsSync(world.folder.dir)).toBe(false)
})
