// Backup and restore as an operator does it: the server's jobs, the commands, a lost data folder.
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchServer, startServer, type ServerProcess } from './testing/process.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tezi-backup-commands-'))
const dataDir = path.join(folder, 'data')
const environment = {
  DATA_DIR: dataDir,
  ADMIN_EMAIL: 'chief@example.in',
  ADMIN_PASSWORD: 'Monsoon-Rain-77',
  BACKUP_DIR: path.join(folder, 'backups'),
  BACKUP_KEY: Buffer.alloc(32, 3).toString('base64'),
}
let server: ServerProcess
beforeAll(async () => {
  server = await startServer(environment)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function tezi(
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<{ code: number | string; output: string }> {
  const command = launchServer({ ...environment, ...more }, 'scripts/tezi.ts', args)
  const code = await command.ended
  return { code, output: command.output() }
}

const signIn = () =>
  fetch(`${server.url}/api/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: environment.ADMIN_EMAIL, password: environment.ADMIN_PASSWORD }),
  })

test('a restore beside the running server, another key and a server of the operator are rejected', async () => {
  await expect.poll(() => server.output(), { timeout: 60_000 }).toMatch(/backup archive-\S+\/base-\S+ is complete/)
  expect(await tezi(['restore'])).toMatchObject({ code: 1, output: expect.stringContaining('is not empty') })
  expect(await tezi(['list-backups'], { BACKUP_KEY: Buffer.alloc(32, 4).toString('base64') })).toMatchObject({
    code: 1,
    output: expect.stringContaining('was encrypted with another key than BACKUP_KEY'),
  })
  expect(await tezi(['backup'], { DATABASE_URL: 'postgres://nowhere/tezi' })).toMatchObject({
    code: 1,
    output: expect.stringContaining('pgBackRest backs up the server of DATABASE_URL'),
  })
})

test('the server has taken a backup by itself; another one is taken beside it, listed and verified', async () => {
  const taken = await tezi(['backup'])
  expect(taken).toMatchObject({ code: 0, output: expect.stringContaining('A restore is possible to any moment from') })
  const listed = await tezi(['list-backups'])
  expect(listed.output.match(/ {2}base-\S+ {2}begun /g)).toHaveLength(2)
  expect(await tezi(['verify-backup'])).toMatchObject({ code: 0, output: expect.stringMatching(/base-\S+ is good: \d+ tables, \d+ rows/) })
})

test('after the data folder is lost, the newest backup brings the site back', async () => {
  expect((await signIn()).status).toBe(200)
  expect(await tezi(['backup'])).toMatchObject({ code: 0 })
  await server.stop('SIGKILL')
  renameSync(dataDir, path.join(folder, 'lost'))
  const restored = await tezi(['restore'])
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('is restored to') })
  expect(existsSync(path.join(dataDir, 'secret-key'))).toBe(true)
  server = await startServer(environment)
  expect(server.output()).toContain('ADMIN_PASSWORD is ignored')
  expect((await signIn()).status).toBe(200)
})

test('a lost data folder does not become an empty site: neither a start nor a command begins one, unless told so', async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true })
  const refused = {
    code: 1,
    output: expect.stringMatching(/has no database, and \S+ has backups:\n {2}\d+: 1 user, last moment 2\S+Z\n[^]*npx tezi restore/),
  }
  const start = launchServer({ PORT: '0', ...environment })
  expect({ code: await start.ended, output: start.output() }).toMatchObject(refused)
  expect(await tezi(['backup'])).toMatchObject(refused)
  expect(await tezi(['admin', 'reset-password', environment.ADMIN_EMAIL])).toMatchObject(refused)
  expect(existsSync(dataDir)).toBe(false)

  expect(await tezi(['new-database'])).toMatchObject({ code: 0, output: expect.stringContaining('has a new, empty database') })
  expect(await tezi(['new-database'])).toMatchObject({ code: 1, output: expect.stringContaining('has a database already') })
  expect(await tezi(['backup'])).toMatchObject({ code: 0 })
  rmSync(dataDir, { recursive: true })
  const asked = await tezi(['restore'])
  expect(asked).toMatchObject({
    code: 1,
    output: expect.stringMatching(/backups of 2 databases:\n {2}\d+: 1 user, last moment \S+\n {2}\d+: 0 users, last moment \S+\n/),
  })
  const [, system = ''] = /(\d+): 1 user,/.exec(asked.output) ?? []
  expect(await tezi(['restore', '--system', system])).toMatchObject({ code: 0, output: expect.stringContaining(': 1 user.') })
  server = await startServer(environment)
  expect((await signIn()).status).toBe(200)
})
