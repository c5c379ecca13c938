// `npm start` and similar commands as processes, with test programs instead of the server and the build.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const scripts = import.meta.dirname
const manifest = { name: 'fake', type: 'module', scripts: { start: readStartScript() } }
const packages = {
  '': manifest,
  'node_modules/runtime': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/vite': { version: '1.0.0', integrity: 'sha512-b', dev: true },
}

function readStartScript(): string {
  const { scripts: own } = JSON.parse(readFileSync(path.join(scripts, '../package.json'), 'utf8')) as { scripts: { start: string } }
  return own.start
}

/** Counts its signals and exits with 7, a moment after the first. */
const serverSource = `
let count = 0
const stop = (signal) => {
  console.log('server got ' + signal)
  if ((count += 1) === 1) setTimeout(() => process.exit(7), 700)
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
setInterval(() => {}, 1000)
console.log('server runs as child of ' + process.ppid)
`
const buildSource = `
import { mkdirSync, writeFileSync } from 'node:fs'
console.log('build runs')
if (process.env.ENDLESS_BUILD) await new Promise(() => setInterval(() => {}, 1000))
mkdirSync('dist/web', { recursive: true })
writeFileSync('dist/web/index.html', 'page')
`

let root: string
let children: ChildProcess[]
beforeEach(() => {
  children = []
  root = mkdtempSync(path.join(tmpdir(), 'tezi-bootstrap-'))
  for (const folder of ['scripts/vite', 'server', 'web', 'shared', 'node_modules/.bin'])
    mkdirSync(path.join(root, folder), { recursive: true })
  for (const file of ['bootstrap.mjs', 'exit-with-parent.mjs']) cpSync(path.join(scripts, file), path.join(root, 'scripts', file))
  write('package.json', JSON.stringify(manifest))
  write('package-lock.json', JSON.stringify({ packages }))
  write('node_modules/.package-lock.json', JSON.stringify({ packages }))
  write('node_modules/runtime/package.json', '{}')
  write('node_modules/vite/package.json', '{"type":"module"}')
  write('node_modules/vite/bin/vite.js', buildSource)
  write('vite.config.ts', '')
  write('web/page.ts', 'first')
  write('server/main.ts', serverSource)
  symlinkSync(process.execPath, path.join(root, 'node_modules/.bin/node'))
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), text)
}

function launch(command: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const env = { PATH: `${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, HOME: root, ...environment }
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let text = ''
  const { promise: failed, reject } = Promise.withResolvers<never>()
  const ended = once(child, 'close').then(([code, signal]: (number | string | null)[]) => code ?? signal)
  void ended.then((code) => reject(new Error(`ended with ${code}:\n${text}`)))
  failed.catch(() => undefined)
  const reported = (words: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const look = () => {
      if (text.includes(words)) resolve()
    }
    child.stdout.on('data', look)
    look()
    return Promise.race([promise, failed])
  }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { child, ended, reported, output: () => text }
}

const start = (environment?: Readonly<Record<string, string>>) => launch(process.execPath, ['scripts/bootstrap.mjs', 'start'], environment)
const signalsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('server got'))

describe('signals', () => {
  test('a repeated one is forwarded once, and the exit code is the one of the server', async () => {
    const run = start()
    await run.reported('server runs')
    run.child.kill('SIGTERM')
    await run.reported('server got SIGTERM')
    run.child.kill('SIGTERM')
    run.child.kill('SIGINT')
    expect(await run.ended).toBe(7)
    expect(signalsIn(run.output())).toEqual(['server got SIGTERM'])
  })

  test('one that ends the server is reported as 128 plus its number', async () => {
    write(
      'server/main.ts',
      `console.log('server runs'); setInterval(() => {}, 1000); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50)`,
    )
    const run = start()
    expect(await run.ended).toBe(137)
  })

  test('one during the build ends it, and no server is started', async () => {
    const run = start({ ENDLESS_BUILD: '1' })
    await run.reported('build runs')
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(143)
    expect(run.output()).not.toContain('server runs')
  })

  test('npm start forwards one once and exits with the exit code of the server', async () => {
    const run = launch('npm', ['start'])
    await run.reported('server runs')
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(7)
    expect(signalsIn(run.output())).toEqual(['server got SIGTERM'])
  })

  const unshare = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc']
  const hasUnshare = spawnSync('unshare', [...unshare, 'true']).status === 0

  test.runIf(hasUnshare)('process 1 of a container forwards one, also during the build', async () => {
    for (const [environment, words, code] of [
      [{ ENDLESS_BUILD: '1' }, 'build runs', 143],
      [{}, 'server runs as child of 1', 7],
    ] as const) {
      const run = launch('unshare', [...unshare, process.execPath, 'scripts/bootstrap.mjs', 'start'], environment)
      await run.reported(words)
      // The program is the only child of unshare, which itself ignores the signal.
      const first = readFileSync(`/proc/${run.child.pid}/task/${run.child.pid}/children`, 'utf8').trim()
      process.kill(Number(first), 'SIGTERM')
      expect(await run.ended).toBe(code)
    }
  })
})

test('a built page is served without the packages that build it, and they are installed for everything else', async () => {
  expect(spawnSync(process.execPath, ['scripts/bootstrap.mjs', 'build'], { cwd: root }).status).toBe(0)
  rmSync(path.join(root, 'node_modules/vite'), { recursive: true })
  const { 'node_modules/vite': _vite, ...runtime } = packages
  write('node_modules/.package-lock.json', JSON.stringify({ packages: runtime }))
  // Replaces npm, which has nothing to install here.
  const npm = path.join(root, 'bin/npm')
  write('bin/npm', '#!/bin/sh\necho "npm $@"\nexit 3\n')
  chmodSync(npm, 0o755)
  const environment = { PATH: `${path.dirname(npm)}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}` }
  const run = start(environment)
  await run.reported('server runs')
  run.child.kill('SIGTERM')
  expect(await run.ended).toBe(7)
  expect(run.output()).not.toContain('npm')
  rmSync(path.join(root, 'web'), { recursive: true })
  const withoutSources = start(environment)
  await withoutSources.reported('server runs')
  const build = launch(process.execPath, ['scripts/bootstrap.mjs', 'build'], environment)
  expect(await build.ended).toBe(1)
  expect(build.output()).toContain('npm ci --include=dev')
  rmSync(path.join(root, 'node_modules/runtime'), { recursive: true })
  const broken = start(environment)
  expect(await broken.ended).toBe(1)
  expect(broken.output()).toContain('npm ci --omit=dev')
})

/** A build is not silent, and says when it is done. */
const isBuilt = /^Building the pages.*:\nbuild runs\nThe pages are built \(\d+ s\)\.\n$/

const runtimePackage = `node-${process.platform}-${process.arch}`

test.runIf(process.platform === 'linux')('Node of the lockfile is linked where npm 9 has not done it, also after an install', async () => {
  const linked = path.join(root, 'node_modules/.bin/node')
  rmSync(linked)
  mkdirSync(path.join(root, `node_modules/${runtimePackage}/bin`), { recursive: true })
  symlinkSync(process.execPath, path.join(root, `node_modules/${runtimePackage}/bin/node`))
  write('bin/npm', `#!/bin/sh\necho "npm $@"\nrm -f ${linked}\n`)
  chmodSync(path.join(root, 'bin/npm'), 0o755)
  const environment = { PATH: `${path.join(root, 'bin')}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}` }
  const build = launch(process.execPath, ['scripts/bootstrap.mjs', 'build'], environment)
  expect(await build.ended).toBe(0)
  expect(build.output()).toMatch(isBuilt)
  const prune = launch(process.execPath, ['scripts/bootstrap.mjs', 'prune'], environment)
  expect(await prune.ended).toBe(0)
  expect(prune.output()).toContain('npm ci --omit=dev')
  expect(existsSync(linked)).toBe(true)
})

test.runIf(process.platform === 'linux')(
  'npm takes the Node of the lockfile for its own, so that it omits no package of a newer one',
  async () => {
    const runtime = { version: '99.1.0', integrity: 'sha512-c', optional: true }
    write('package-lock.json', JSON.stringify({ packages: { ...packages, [`node_modules/${runtimePackage}`]: runtime } }))
    write('bin/npm', '#!/bin/sh\nnode -p "[process.version, process.title]"\n')
    chmodSync(path.join(root, 'bin/npm'), 0o755)
    const prune = launch(process.execPath, ['scripts/bootstrap.mjs', 'prune'], {
      PATH: `${path.join(root, 'bin')}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      NODE_OPTIONS: '--title=own',
    })
    expect(await prune.ended).toBe(0)
    expect(prune.output()).toContain("[ 'v99.1.0', 'own' ]")
  },
)

test('the page is built once, and again when its sources change', async () => {
  const build = () => spawnSync(process.execPath, ['scripts/bootstrap.mjs', 'build'], { cwd: root, encoding: 'utf8' })
  expect(build()).toMatchObject({ status: 0, stdout: expect.stringMatching(isBuilt) })
  expect(existsSync(path.join(root, 'dist/web/index.html'))).toBe(true)
  expect(build()).toMatchObject({ status: 0, stdout: '' })
  write('web/page.ts', 'second')
  expect(build()).toMatchObject({ status: 0, stdout: expect.stringMatching(isBuilt) })
})
