// `npm run seed` as a process: what it rejects, and that it reaches the database that npm run dev has open.
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressFile, openEmbeddedServer, type EmbeddedServer } from '#server/engine/open-embedded-server.ts'
import { launchServer } from '#server/testing/process.ts'
import { seedAdminEmail, seedPassword } from './people.ts'

let dataDir: string
let database: EmbeddedServer
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tezi-seed-'))
  database = await openEmbeddedServer({ dataDir, log: () => {} })
})
afterAll(async () => {
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function run(environment: Readonly<Record<string, string>> = {}): Promise<{ exitCode: number | string; output: string }> {
  const { ended, output } = launchServer({ DATA_DIR: dataDir, PASSWORD_HASHES: 'cheap', ...environment }, 'scripts/seed.ts')
  return { exitCode: await ended, output: output() }
}

test('production is rejected before the database is opened', async () => {
  const { exitCode, output } = await run({
    NODE_ENV: 'production',
    PASSWORD_HASHES: '',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  })
  expect(exitCode).toBe(1)
  expect(output).toContain('Seeding is for development only')
})

test('a folder whose server publishes no address yet is rejected with advice', async () => {
  const file = addressFile(dataDir)
  await rename(file, `${file}.hidden`)
  const { exitCode, output } = await run()
  await rename(`${file}.hidden`, file)
  expect(exitCode).toBe(1)
  expect(output).toContain(
    `${dataDir} is in use by another Tezi process (pid ${process.pid}), which is just starting or stopping. Try again in a moment.`,
  )
})

test('a folder that npm run dev shares is seeded, and the sign-ins are printed', async () => {
  const { exitCode, output } = await run()
  expect({ exitCode, output }).toMatchObject({ exitCode: 0 })
  expect(output).toContain('Seeded an admin and 40 users.')
  expect(output).toContain(seedAdminEmail)
  expect(output).toContain(seedPassword)
})
