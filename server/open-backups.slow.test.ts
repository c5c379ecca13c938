// The backup jobs of a server while much is written.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { jobRuns } from './metrics/job-runs.ts'
import { openBackups } from './open-backups.ts'
import { backupWorld, type BackupWorld } from './testing/backups.ts'

let world: BackupWorld
beforeAll(async () => {
  world = await backupWorld()
})
afterAll(() => world.close())

test('much WAL is copied before the minute is over', async () => {
  const opened = new AsyncDisposableStack()
  onTestFinished(() => opened.disposeAsync())
  const { dataDir, folder, database } = world
  const lines: string[] = []
  const errors: unknown[] = []
  const read = openBackups({
    config: { backup: { dir: folder.path, keys: folder.keys, days: 14, databaseUrl: undefined }, databaseUrl: undefined, dataDir },
    db: database.db,
    jobs: jobRuns({ now: Date.now }),
    now: Date.now,
    log: (line) => lines.push(line),
    onError: (error) => errors.push(error),
    opened,
  })
  await expect.poll(() => lines).toEqual([expect.stringContaining('is complete')])
  for (let part = 0; part < 10; part += 1)
    await sql`select pg_logical_emit_message(false, 'test', repeat('x', 30000000))`.execute(database.db)
  const writtenMs = Date.now()
  await expect.poll(async () => (await read?.())?.reachedMs, { timeout: 30_000 }).toBeGreaterThan(writtenMs)
  expect(errors).toEqual([])
})
