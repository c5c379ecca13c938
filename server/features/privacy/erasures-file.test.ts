// The file of erasures beside a database that other tools back up.
import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { dayMs } from '#shared/base/durations.ts'
import { ErasuresFile } from './erasures-file.ts'

const ids = [
  '6f1c1d5e-0b7e-4a51-9f3e-0d6f0a6b1a01',
  '6f1c1d5e-0b7e-4a51-9f3e-0d6f0a6b1a02',
  '6f1c1d5e-0b7e-4a51-9f3e-0d6f0a6b1a03',
] as const
const nowMs = Date.parse('2026-11-25T10:00:00Z')
let server: TestApp
let folder: string
let path: string
let file: ErasuresFile
beforeAll(async () => {
  server = await testApp()
  folder = await mkdtemp(join(tmpdir(), 'tezi-erasures-'))
})
beforeEach(async () => {
  await server.reset()
  path = join(folder, 'erasures.txt')
  await rm(path, { force: true })
  file = new ErasuresFile(path)
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const erased = (id: string, atMs: number) =>
  server.database.db
    .insertInto('erasures')
    .values({ user_id: id, at: new Date(atMs) })
    .execute()
const add = () => file.addFrom(server.database.db, nowMs)

test('a missing file and a damaged line are no list; an empty file is an empty one', async () => {
  await expect(file.read()).rejects.toThrow(`ERASURES_FILE ${path} is missing. Is its disk mounted?`)
  await writeFile(path, `2026-11-25T10:00:00.000Z ${ids[0].slice(0, -1)}\n`)
  await expect(file.read()).rejects.toThrow('has a line that is no erasure: 2026-11-25')
  await writeFile(path, '')
  expect(await file.read()).toEqual([])
})

test('a folder that is missing is an error, not a new file elsewhere', async () => {
  await expect(new ErasuresFile(join(folder, 'absent', 'erasures.txt')).addFrom(server.database.db, nowMs)).rejects.toThrow('ENOENT')
})

test('a new file has all erasures of the database, and is for its owner only; later ones are added once', async () => {
  await erased(ids[0], nowMs - 400 * dayMs)
  await add()
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await erased(ids[1], nowMs - dayMs)
  await add()
  await add()
  expect(await file.read()).toEqual([
    { userId: ids[0], atMs: nowMs - 400 * dayMs },
    { userId: ids[1], atMs: nowMs - dayMs },
  ])
})

test('without erasures there is a file too, so that a restore can tell a lost list from an empty one', async () => {
  await add()
  expect(await file.read()).toEqual([])
})

test('what a restored database lacks stays in the file, also behind a line that a crash has cut off', async () => {
  await erased(ids[0], nowMs)
  await erased(ids[1], nowMs + 1)
  await add()
  await server.reset()
  await erased(ids[2], nowMs + 2)
  await truncate(path, (await stat(path)).size - 10)
  await add()
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => line.slice(25))).toEqual([ids[0], ids[1].slice(0, -9), ids[2]])
  await appendFile(path, '')
})
