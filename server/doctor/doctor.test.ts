// All checks together, and their description for operators.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { doctor, type DoctorDeps } from './doctor.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tezi-doctor-all-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const page = readFileSync(path.join(import.meta.dirname, '../../docs/operating/doctor.md'), 'utf8')
const variables = { DATA_DIR: path.join(folder, 'data'), PORT: '0', MARKET_SOURCES: 'none', MARKET_DEMO: 'on' }

const ownDisk = { isOnSameDisk: false, systems: 1 }

function run(more: Readonly<Record<string, string>>, deps: Partial<DoctorDeps> = {}) {
  return doctor({
    config: readConfig({ ...variables, ...more }),
    settingsFile: undefined,
    databaseUrl: undefined,
    uid: process.geteuid?.(),
    backups: undefined,
    replicaIssue: undefined,
    hosts: {},
    verifyMail: undefined,
    verifyRedis: undefined,
    now: Date.now,
    timeoutMs: 20_000,
    ...deps,
  })
}

test('a developer machine without any setting fails in nothing that depends on settings', async () => {
  const results = await run({})
  const byName = Object.fromEntries(results.map(({ name, status }) => [name, status]))
  expect(byName).toMatchObject({ mode: 'warning', settings: 'ok', 'data folder': 'ok', 'secret key': 'ok', PORT: 'ok', database: 'ok' })
  expect(byName).toMatchObject({ mail: 'warning', clock: 'warning' })
  expect(results.filter(({ status, action }) => (status === 'ok') !== (action === undefined))).toEqual([])
})

test('everything that can be set is checked once, and each check is on the page for operators', async () => {
  const refused = () => Promise.reject(new Error('refused'))
  const results = await run(
    { PUBLIC_URL: 'https://tezi.test', METRICS_PORT: '0', MARKET_SOURCES: 'kite,csv', CSV_DIR: folder },
    {
      settingsFile: path.join(import.meta.dirname, 'doctor.ts'),
      backups: {
        dir: folder,
        read: () => Promise.reject(new Error('away')),
        folder: () => Promise.resolve(ownDisk),
      },
      replicaIssue: () => Promise.resolve('is behind'),
      verifyMail: refused,
      verifyRedis: refused,
      databaseUrl: 'postgres://127.0.0.1:1/none',
      publicUrl: { lookup: (_host, _options, callback) => callback(Object.assign(new Error('none'), { code: 'ENOTFOUND' }), '') },
    },
  )
  const names = results.map(({ name }) => name)
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
  expect(names).toEqual(
    expect.arrayContaining([
      'mode',
      'proxy',
      'settings file',
      'METRICS_PORT',
      'replica',
      'backup',
      'backup folder',
      'redis',
      'public address',
      'source csv',
      'sources',
    ]),
  )
  const described = names.map((name) => (name.startsWith('source ') ? 'source' : name))
  expect(['certificate', 'live prices', ...described].filter((name) => !page.includes(`| ${name} |`))).toEqual([])
  expect(Object.fromEntries(results.map(({ name, status }) => [name, status]))).toMatchObject({
    mode: 'failed',
    database: 'failed',
    replica: 'failed',
    redis: 'failed',
    mail: 'failed',
    'public address': 'failed',
  })
})

test('checks of other servers, which may occupy all threads, begin when those of this machine have ended', async () => {
  const order: string[] = []
  const verifyMail = () => {
    order.push('mail begins')
    return Promise.reject(new Error('refused'))
  }
  const read = async () => {
    // More turns of the event loop than a check that began beside this one needs.
    for (let turns = 0; turns < 20; turns += 1) await turn()
    order.push('backups were read')
    throw new Error('away')
  }
  await run({}, { verifyMail, backups: { dir: folder, read, folder: () => Promise.resolve(ownDisk) } })
  expect(order).toEqual(['backups were read', 'mail begins'])
})
