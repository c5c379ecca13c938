// Sharing the embedded PostgreSQL by address: one owner per folder, an address for the same user only, cleaned up at the stop.
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPostgres } from '../db/open-postgres.ts'
import { addressFile, openEmbeddedServer } from './open-embedded-server.ts'

const log = () => {}
let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tezi-shared-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

test('data of another engine is rejected, and the folder is released', async () => {
  await writeFile(join(dataDir, 'engine'), 'oracle\n')
  const message = `names the unknown engine "oracle"`
  await expect(openEmbeddedServer({ dataDir, log })).rejects.toThrow(message)
  await expect(openEmbeddedServer({ dataDir, log })).rejects.toThrow(message)
  expect(existsSync(addressFile(dataDir))).toBe(false)
})

test('one owner, any number of clients, and durable data', async () => {
  // As left by a killed process, world-readable.
  await writeFile(addressFile(dataDir), 'stale', { mode: 0o644 })
  const server = await openEmbeddedServer({ dataDir, log })
  await expect(openEmbeddedServer({ dataDir, log })).rejects.toThrow(`${dataDir} is in use`)
  expect((await stat(addressFile(dataDir))).mode & 0o777).toBe(0o600)

  const databaseUrl = await readFile(addressFile(dataDir), 'utf8')
  const first = await openPostgres({ databaseUrl, log })
  await sql`create table kept (word text)`.execute(first.db)
  await sql`insert into kept values ('chai')`.execute(first.db)
  await first.close()
  const second = await openPostgres({ databaseUrl, log })
  expect((await sql`select word from kept`.execute(second.db)).rows).toEqual([{ word: 'chai' }])
  await second.close()

  await server.close()
  expect(existsSync(addressFile(dataDir))).toBe(false)
  await expect(new Client({ connectionString: databaseUrl }).connect()).rejects.toThrow('ENOENT')
})
