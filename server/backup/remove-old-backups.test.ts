// Which base backups are past their retention: by their names only, so that a wrong clock of this machine removes nothing.
import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dayMs } from '#shared/base/durations.ts'
import { archiveName, baseName, listArchives } from './backup-folder.ts'
import { removeOldBackups } from './remove-old-backups.ts'

const beginMs = Date.parse('2026-11-01T00:00:00Z')
let path: string
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'tezi-retention-'))
})
afterEach(() => rm(path, { recursive: true }))

/** Base backups of an archive, in the order of their positions, on these days. */
async function archive(systemId: string, timeline: number, days: readonly number[]): Promise<string[]> {
  const name = archiveName({ atMs: beginMs + timeline, systemId, timeline })
  const bases = days.map((day, index) => `${name}/${baseName(beginMs + day * dayMs, BigInt(index + 1) << 32n)}`)
  await mkdir(join(path, name), { recursive: true })
  for (const base of bases) await mkdir(join(path, base))
  return bases
}
const left = async (): Promise<string[]> => (await listArchives(path)).flatMap(({ name, bases }) => bases.map((base) => `${name}/${base}`))
const days = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index)
const folder = () => ({ dir: path, keys: [Buffer.alloc(32)] as const })

test('one base backup a day: those that are BACKUP_DAYS old are removed', async () => {
  const bases = await archive('1', 1, days(0, 20))
  expect(await removeOldBackups(folder(), { days: 14 })).toEqual(bases.slice(0, 6))
  expect(await left()).toEqual(bases.slice(6))
})

test('a clock that was 20 days ahead for one base backup removes none but the one that is due', async () => {
  const bases = await archive('1', 1, [...days(0, 13), 33])
  expect(await removeOldBackups(folder(), { days: 14 })).toEqual([])
  expect(await left()).toEqual(bases)
  const later = await archive('1', 2, [13, 14])
  expect(await removeOldBackups(folder(), { days: 14 })).toEqual(bases.slice(0, 2))
  expect(await left()).toEqual([...bases.slice(2), ...later])
})

test('the newest seven stay, whatever the clock says', async () => {
  const bases = await archive('1', 1, [0, 1, 2, 3, 4, 400, 401, 402])
  expect(await removeOldBackups(folder(), { days: 14 })).toEqual(bases.slice(0, 1))
})

test('a clock that was behind keeps more', async () => {
  await archive('1', 1, [10, 11, -300, 12, 13])
  expect(await removeOldBackups(folder(), { days: 14 })).toEqual([])
})

test('another database in the folder removes none of the first one', async () => {
  const first = await archive('1', 1, days(0, 3))
  const second = await archive('2', 1, days(100, 130))
  expect(await removeOldBackups(folder(), { days: 14 })).toEqual(second.slice(0, 16))
  expect(await left()).toEqual([...first, ...second.slice(16)])
})

test('an archive goes as a whole with its last base backup; the newest one of a database stays without any', async () => {
  const old = await archive('1', 1, days(0, 3))
  await archive('1', 2, days(30, 40))
  await archive('1', 3, [])
  expect(await removeOldBackups(folder(), { days: 14 })).toEqual([old[0]?.split('/')[0]])
  expect((await listArchives(path)).map(({ timeline }) => timeline)).toEqual([2, 3])
})
