// Ports, files, database, mail, Redis and sources, checked against real servers and folders.
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { verifySmtp } from '#server/mail/smtp-mailer.ts'
import { emptyDatabaseUrl } from '#server/testing/database.ts'
import { dayMs, hourMs } from '#shared/base/durations.ts'
import type { BackupTimes } from '#server/features/system-status/service.ts'
import { checkBackupFolder, checkBackups, checkErasures, checkPgbackrest } from './check-backups.ts'
import { checkDatabase } from './check-database.ts'
import { checkFiles, diskFacts, memoryFacts, openFilesMax, type FilesOptions } from './machine-checks.ts'
import { checkPort } from './check-port.ts'
import { checkMail, checkRedis } from './doctor.ts'
import { checkSources } from './check-sources.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tezi-doctor-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const opened: Server[] = []
afterEach(() => {
  for (const server of opened.splice(0)) server.close()
})

async function portOf(server: Server): Promise<number> {
  opened.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const http = (handler: RequestListener) => portOf(createHttp({ keepAlive: false }, handler))
const signal = () => AbortSignal.timeout(20_000)
const at = { name: 'PORT', host: '127.0.0.1' }

test('a port of another program, of another machine, and one that cannot be opened fail', async () => {
  const port = await http((_, response) => void response.end('hello'))
  expect(await checkPort({ ...at, port }, signal())).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('another program'),
  })
  const raw = await portOf(createServer((socket) => void socket.end('SSH-2.0\r\n')))
  expect(await checkPort({ ...at, port: raw }, signal())).toMatchObject({ status: 'failed' })
  expect(await checkPort({ ...at, host: '192.0.2.1', port: 3000 }, signal())).toMatchObject({
    status: 'failed',
    message: '192.0.2.1 is no address of this machine',
  })
})

test('a free port, and one where Tezi answers, are fine', async () => {
  const port = await http((_, response) => void response.end('{"status":"ok"}'))
  expect(await checkPort({ ...at, port }, signal())).toEqual({ name: 'PORT', status: 'ok', message: `Tezi answers at 127.0.0.1:${port}` })
  const free = createServer()
  const freePort = await portOf(free)
  free.close()
  await once(free, 'close')
  expect(await checkPort({ ...at, port: freePort }, signal())).toMatchObject({ status: 'ok', message: expect.stringContaining('is free') })
})

const uid = process.getuid?.() ?? 0

async function files(name: string, options: Partial<FilesOptions> = {}): Promise<string[]> {
  const results = await checkFiles({ dataDir: path.join(folder, name), uid, hasSecretKey: false, settingsFile: undefined, ...options })
  return results.map((result) => `${result.name} ${result.status}`)
}

test('a data folder that is a file, that others can write or that belongs to another user fails', async () => {
  writeFileSync(path.join(folder, 'file'), '')
  expect(await files('file')).toEqual(['data folder failed', 'secret key ok'])
  mkdirSync(path.join(folder, 'open'))
  chmodSync(path.join(folder, 'open'), 0o777)
  expect((await files('open'))[0]).toBe('data folder failed')
  mkdirSync(path.join(folder, 'own'))
  expect((await files('own', { uid: uid + 1 }))[0]).toBe('data folder failed')
})

test('a secret key and a settings file that others can read fail', async () => {
  mkdirSync(path.join(folder, 'key'))
  const key = path.join(folder, 'key/secret-key')
  writeFileSync(key, 'key')
  chmodSync(key, 0o644)
  const settingsFile = path.join(folder, '.env')
  writeFileSync(settingsFile, '')
  chmodSync(settingsFile, 0o644)
  expect(await files('key', { settingsFile })).toEqual(['data folder ok', 'secret key failed', 'settings file failed'])
  chmodSync(key, 0o600)
  chmodSync(settingsFile, 0o640)
  expect(await files('key', { settingsFile })).toEqual(['data folder ok', 'secret key ok', 'settings file ok'])
  expect((await files('key', { hasSecretKey: true }))[1]).toBe('secret key ok')
})

test('a folder that the first start creates is fine, and the disk is that of its nearest parent', async () => {
  expect(await files('absent/deep')).toEqual(['data folder ok', 'secret key ok'])
  const disk = await diskFacts(path.join(folder, 'absent/deep'))
  expect(disk.folder).toBe(folder)
  expect(disk.facts.blocks).toBeGreaterThan(0)
})

test('as root, the folder may belong to the user of the embedded PostgreSQL', async () => {
  mkdirSync(path.join(folder, 'as-root'))
  if (uid === 0) chownSync(path.join(folder, 'as-root'), 65534, 65534)
  expect((await files('as-root', { uid: 0 }))[0]).toBe('data folder ok')
})

test('memory and open files of this machine are numbers', async () => {
  const { total, available } = memoryFacts()
  expect(total).toBeGreaterThan(available)
  expect(available).toBeGreaterThan(0)
  expect(await openFilesMax()).toSatisfy((limit) => (process.platform === 'linux' ? Number(limit) > 0 : limit === undefined))
})

describe('backups', () => {
  const nowMs = Date.parse('2026-11-23T12:00:00Z')
  const ago = (ms: number): number => nowMs - ms
  const good = { baseMs: ago(20 * hourMs), reachedMs: ago(40_000), verifiedMs: ago(6 * dayMs) }
  const reading = (state: Partial<BackupTimes>) => ({
    dir: '/backups',
    read: () => Promise.resolve({ ...good, ...state }),
    folder: () => Promise.resolve({ isOnSameDisk: false, systems: 1 }),
  })

  test.each([
    ['none', { baseMs: undefined, reachedMs: undefined }, 'failed', '/backups has no base backup'],
    ['an old base backup', { baseMs: ago(27 * hourMs) }, 'failed', 'a restore reaches 40 seconds ago, the base backup is of 27 hours ago'],
    ['old changes', { reachedMs: ago(6 * 60_000) }, 'warning', 'a restore reaches 6 minutes ago, the base backup is of 20 hours ago'],
    ['none verified', { verifiedMs: undefined }, 'warning', expect.stringContaining('none was verified in the last 10 days')],
    ['one verified long ago', { verifiedMs: ago(11 * dayMs) }, 'warning', expect.stringContaining('none was verified')],
    ['all good', {}, 'ok', 'a restore reaches 40 seconds ago, the base backup is of 20 hours ago'],
  ])('%s', async (_what, state, status, message) => {
    expect(await checkBackups(reading(state), nowMs)).toMatchObject({ status, message })
  })

  test.each([
    ['on the disk of the database', { isOnSameDisk: true, systems: 1 }, 'warning', expect.stringContaining('the same file system')],
    ['with the backups of another database', { isOnSameDisk: false, systems: 2 }, 'warning', expect.stringContaining('2 databases')],
    ['on a disk of its own', { isOnSameDisk: false, systems: 1 }, 'ok', expect.stringContaining('another file system')],
  ])('a folder %s', async (_what, facts, status, message) => {
    expect(await checkBackupFolder({ dir: '/backups', folder: () => Promise.resolve(facts) })).toMatchObject({ status, message })
  })

  test('a folder of another key', async () => {
    const failing = { ...reading({}), read: () => Promise.reject(new Error('was encrypted with another key than BACKUP_KEY')) }
    expect(await checkBackups(failing, nowMs)).toMatchObject({ status: 'failed', message: expect.stringContaining('another key') })
  })

  /** As pgBackRest 2.45 prints it, shortened. */
  const stanza = (hours: number, more = {}) => ({
    name: 'tezi',
    backup: [30, hours].map((age) => ({
      error: false,
      label: '20261123-100000F',
      timestamp: { start: ago(age * hourMs) / 1_000 - 60, stop: ago(age * hourMs) / 1_000 },
      type: 'full',
    })),
    cipher: 'aes-256-cbc',
    status: { code: 0, lock: { backup: { held: false } }, message: 'ok' },
    ...more,
  })
  const damaged = { backup: [{ error: true, timestamp: { stop: ago(hourMs) / 1_000 } }] }

  test.each([
    ['no file', undefined, 'failed', /^PGBACKREST_INFO \S+: ENOENT$/],
    ['a file that a failed command left empty', '', 'failed', 'it is not what pgbackrest info --output=json prints'],
    ['another file', '{}', 'failed', 'it is not what pgbackrest info --output=json prints'],
    ['no stanza', '[]', 'failed', 'pgBackRest has no backup'],
    [
      'no backup',
      JSON.stringify([stanza(1, { backup: [], status: { code: 2, message: 'no valid backups' } })]),
      'failed',
      'pgBackRest says of tezi: no valid backups',
    ],
    ['an old backup', JSON.stringify([stanza(27)]), 'failed', 'the newest backup of pgBackRest is of 27 hours ago'],
    ['a backup of damaged pages', JSON.stringify([stanza(1, damaged)]), 'failed', 'of 60 minutes ago, and has damaged pages'],
    ['a backup of this day', JSON.stringify([stanza(20)]), 'ok', 'the newest backup of pgBackRest is of 20 hours ago'],
  ])('of pgBackRest: %s', async (_what, content, status, message) => {
    const file = path.join(folder, 'pgbackrest-info.json')
    rmSync(file, { force: true })
    if (content !== undefined) writeFileSync(file, content)
    expect(await checkPgbackrest(file, nowMs)).toMatchObject({ status, message: expect.stringMatching(message) })
  })

  test('a server of DATABASE_URL needs a list of erasures', async () => {
    const file = path.join(folder, 'erasures.txt')
    expect(await checkErasures(undefined)).toMatchObject({ status: 'warning', message: expect.stringContaining('is not set') })
    expect(await checkErasures(file)).toMatchObject({ status: 'failed', message: expect.stringContaining('is missing') })
    writeFileSync(file, '2026-11-25T10:00:00.000Z 6f1c1d5e-0b7e-4a51-9f3e-0d6f0a6b1a01\n')
    expect(await checkErasures(file)).toMatchObject({ status: 'ok', message: `1 in ${file}` })
  })
})

let databaseUrl: string
beforeAll(async () => {
  databaseUrl = await emptyDatabaseUrl('doctor')
})

test('a database that does not answer fails without showing its address; the test database is fine and shows its clock', async () => {
  const options = { poolSize: 10, now: Date.now, timeoutMs: 10_000 }
  const closed = await portOf(createServer())
  opened.pop()?.close()
  const refused = await checkDatabase({ ...options, connectionString: `postgres://secret:word@127.0.0.1:${closed}/x` })
  expect(refused.results).toEqual([
    expect.objectContaining({ name: 'database', status: 'failed', message: 'does not answer: ECONNREFUSED' }),
  ])
  const silent = await portOf(createServer(() => {}))
  const late = await checkDatabase({ ...options, timeoutMs: 200, connectionString: `postgres://secret:word@127.0.0.1:${silent}/x` })
  expect(late.results).toMatchObject([{ status: 'failed' }])
  expect(JSON.stringify([refused, late])).not.toContain('word')
  const { results, readings } = await checkDatabase({ ...options, connectionString: databaseUrl })
  expect(results).toMatchObject([{ status: 'ok' }])
  expect(readings).toEqual([{ from: 'the database', aheadMs: expect.toSatisfy((ms: number) => Math.abs(ms) < 5_000) }])
})

test('mail: none is a warning, a server that refuses fails, one that accepts is fine', async () => {
  expect(await checkMail(undefined, signal())).toMatchObject({ status: 'warning' })
  let rejects = true
  const port = await portOf(
    createServer((socket) => {
      socket.on('error', () => {}).write('220 test\r\n')
      socket.on('data', (chunk) => {
        const isSignIn = chunk.toString().startsWith('AUTH')
        socket.write(isSignIn ? (rejects ? '535 wrong password\r\n' : '235 welcome\r\n') : '250 AUTH PLAIN\r\n')
      })
    }),
  )
  const verify = () => verifySmtp({ smtpUrl: `smtp://user:hunter2@127.0.0.1:${port}`, isTlsOptional: true, timeoutMs: 10_000 })
  const refused = await checkMail(verify, signal())
  expect(refused).toMatchObject({ status: 'failed', message: expect.stringContaining('535') })
  expect(refused.message).not.toContain('hunter2')
  rejects = false
  expect(await checkMail(verify, signal())).toMatchObject({ status: 'ok' })
})

test('Redis: the reason of a failure is shown', async () => {
  expect(await checkRedis(() => Promise.reject(new Error('WRONGPASS')), signal())).toMatchObject({
    status: 'failed',
    message: 'does not answer: WRONGPASS',
  })
  expect(await checkRedis(() => Promise.resolve(), signal())).toMatchObject({ status: 'ok' })
})

async function sources(variables: Readonly<Record<string, string>>, hosts = {}, until = signal()) {
  const { market } = readConfig({ MARKET_DEMO: 'off', ...variables })
  const { results, readings } = await checkSources({ market, hosts, now: Date.now }, until)
  return { lines: results.map(({ name, status }) => `${name} ${status}`), results, readings }
}

test('sources: none at all fails; one without its key is named; one that is not reachable fails', async () => {
  expect((await sources({ MARKET_SOURCES: 'none' })).lines).toEqual(['sources failed'])
  expect((await sources({ MARKET_SOURCES: 'none', MARKET_DEMO: 'on' })).lines).toEqual([])
  const missing = await sources({ MARKET_SOURCES: 'kite' })
  expect(missing.lines).toEqual(['sources ok', 'sources failed'])
  expect(missing.results[0]?.message).toContain('kite (KITE_API_KEY, KITE_ACCESS_TOKEN)')
  const closed = await portOf(createServer())
  opened.pop()?.close()
  expect((await sources({ MARKET_SOURCES: 'kraken' }, { kraken: `http://127.0.0.1:${closed}` })).results).toMatchObject([
    { name: 'source kraken', status: 'failed', message: expect.stringContaining('ECONNREFUSED') },
  ])
  const silent = await portOf(createServer(() => {}))
  const late = await sources({ MARKET_SOURCES: 'kraken' }, { kraken: `http://127.0.0.1:${silent}` }, AbortSignal.timeout(200))
  expect(late.results).toMatchObject([{ status: 'failed' }])
})

test('sources: one without a licence and an empty folder are warnings; one that answers is fine and shows its clock', async () => {
  const port = await http((_, response) => void response.writeHead(404).end())
  const urls = JSON.stringify({ openalgo: { restUrl: `http://127.0.0.1:${port}` } })
  const csv = path.join(folder, 'csv')
  mkdirSync(csv)
  const found = await sources(
    { MARKET_SOURCES: 'kraken,openalgo,csv', OPENALGO_KEY: 'key', MARKET_URLS: urls, CSV_DIR: csv },
    { kraken: `http://127.0.0.1:${port}` },
  )
  expect(found.lines).toEqual(['source kraken ok', 'source openalgo warning', 'source csv warning'])
  expect(found.results[1]?.message).toContain('nse')
  expect(found.readings).toHaveLength(2)
  writeFileSync(path.join(csv, 'nifty.1m.csv'), '')
  const licensed = await sources({ MARKET_SOURCES: 'csv', CSV_DIR: csv, MARKET_LICENCES: 'nse=licensed:A,bse=licensed:B,cme=licensed:C' })
  expect(licensed.lines).toEqual(['source csv ok'])
  expect((await sources({ MARKET_SOURCES: 'csv', CSV_DIR: path.join(folder, 'gone') })).lines).toEqual(['source csv failed'])
})
