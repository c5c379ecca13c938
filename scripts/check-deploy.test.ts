// Checks the files of deploy/ as far as tools allow without a container engine: syntax, names of settings, paths, hardening.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readConfig } from '#server/config/config.ts'
import { settingNames } from '#server/config/environment-schema.ts'
import { basePath } from '#shared/http/route.ts'
import { livePath } from '#shared/market-data/live/contract.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const unknown = (names: readonly string[]) => names.filter((name) => !settingNames.includes(name))

const service = z.looseObject({
  image: z.string(),
  environment: z.record(z.string(), z.string()).optional(),
  env_file: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
  stop_grace_period: z.string().optional(),
  networks: z.array(z.string()),
})
const compose = z.looseObject({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.looseObject({ ipam: z.object({ config: z.array(z.object({ subnet: z.string() })) }).optional() })),
})

const readCompose = (file: string) => compose.parse(parse(read(file), { merge: true }))

test.each(globSync('{deploy,.github}/**/*.{yml,yaml}', { cwd: root }))('%s is YAML', (file) => {
  expect(parse(read(file), { merge: true, strict: true, uniqueKeys: true })).toBeTypeOf('object')
})

describe.each(['deploy/docker/single/compose.yml', 'deploy/docker/scaled/compose.yml'])('%s', (file) => {
  const { services, networks } = readCompose(file)
  const own = Object.values(services).filter(({ image }) => image === 'tezi:local')

  test('names settings that exist, and trusts its own network only', () => {
    expect(own.length).toBeGreaterThan(0)
    for (const { environment = {} } of own) {
      expect(unknown(Object.keys(environment))).toEqual([])
      expect(environment['TRUSTED_PROXIES']).toBe(networks['site']?.ipam?.config[0]?.subnet)
    }
  })

  test('its processes run without rights they do not need, and have the time to stop', () => {
    for (const entry of own) {
      expect(entry).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], env_file: 'tezi.env' })
      // Three seconds of draining and 15 to stop.
      expect(Number.parseInt(entry.stop_grace_period ?? '0', 10)).toBeGreaterThanOrEqual(20)
    }
  })

  test('only the proxy publishes ports', () => {
    const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined)
    expect(published.map(([name]) => name)).toEqual(['caddy'])
  })

  test('its Caddyfile names the services and their port', () => {
    const text = read(path.join(path.dirname(file), 'Caddyfile'))
    const upstreams = [...text.matchAll(/\b([a-z][\w-]*):(\d+)/g)].map(([, name = '', port]) => ({ name, port }))
    const web = Object.keys(services).filter((name) => name === 'tezi' || name.startsWith('web-'))
    expect(upstreams).toEqual(web.map((name) => ({ name, port: '3000' })))
  })
})

describe('the Dockerfile', () => {
  const instructions = read('deploy/docker/Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line !== '')
  const of = (name: string) => instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim())

  test('copies paths that exist', () => {
    const copied = of('COPY').filter((words) => !words.startsWith('--from'))
    expect(copied.length).toBeGreaterThan(5)
    const sources = copied.flatMap((words) => words.split(/\s+/).slice(0, -1))
    expect(sources.filter((source) => !existsSync(path.join(root, source)))).toEqual([])
  })

  test('copies every project that a copied tsconfig.json refers to, because the build reads it', () => {
    const copied = of('COPY').flatMap((words) => words.split(/\s+/).slice(0, -1))
    const ignored = read('.dockerignore').split('\n')
    const configs = copied.map((folder) => `${folder}/tsconfig.json`).filter((file) => existsSync(path.join(root, file)))
    expect(configs).toContain('web/tsconfig.json')
    const referred = configs.flatMap((file) => {
      const { references = [] } = JSON.parse(read(file)) as { references?: { path: string }[] }
      return references.map((reference) => path.join(path.dirname(file), reference.path))
    })
    expect(referred.filter((folder) => !copied.includes(folder) || ignored.includes(folder) || ignored.includes(`**/${folder}`))).toEqual(
      [],
    )
    expect(copied).not.toContain('tsconfig.json')
  })

  test('copies what a production tree needs, as the documentation lists it', () => {
    const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM')))
    for (const piece of ['node_modules', 'dist', 'package.json', 'server', 'shared', 'scripts/tezi.ts', 'scripts/operator'])
      expect(last.join('\n')).toMatch(new RegExp(`^COPY .*${piece}`, 'm'))
  })

  test('sets settings that exist', () => {
    const names = of('ENV').flatMap((words) => [...words.matchAll(/(\w+)=/g)].map(([, name = '']) => name))
    expect(names).toContain('NODE_ENV')
    expect(unknown(names.filter((name) => name !== 'PATH'))).toEqual([])
  })

  test('does not run as root, nor behind a shell', () => {
    expect(of('USER')).toEqual(['tezi'])
    expect(of('CMD')).toEqual(['["node", "server/main.ts"]'])
  })
})

describe('the health check', () => {
  let status = 200
  const server = createServer((request, response) => void response.writeHead(request.url === '/readyz' ? status : 404).end('{}'))
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => void server.close())

  async function exitCode(port: number): Promise<unknown> {
    const child = spawn(process.execPath, ['deploy/docker/health-check.mjs'], { cwd: root, env: { METRICS_PORT: String(port) } })
    const [code] = (await once(child, 'exit')) as unknown[]
    return code
  }

  test('fails for a process that is not ready or not there, and passes for a ready one', async () => {
    const { port } = server.address() as AddressInfo
    status = 503
    expect(await exitCode(port)).toBe(1)
    expect(await exitCode(1)).toBe(1)
    status = 200
    expect(await exitCode(port)).toBe(0)
  })
})

test.each(globSync('deploy/**/*.env.example', { cwd: root }))('%s is a configuration that the server accepts', (file) => {
  const text = read(file)
  const offered = [...text.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name)
  expect(offered.length).toBeGreaterThan(4)
  expect(unknown(offered)).toEqual([])
  // The page fills in the keys.
  const filled = text.replace(/^BACKUP_KEY=$/m, `BACKUP_KEY=${Buffer.alloc(32, 1).toString('base64')}`)
  expect(readConfig(parseEnv(filled))).toMatchObject({ unknownVariables: [] })
})

describe('systemd units', () => {
  const units = globSync('deploy/systemd/*.{service,timer}', { cwd: root })
  const own = units.filter((unit) => !path.basename(unit).startsWith('tezi-copy-backups'))
  const scratch = mkdtempSync(path.join(tmpdir(), 'tezi-units-'))
  const folder = path.join(scratch, 'etc/systemd/system')
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))
  beforeAll(() => {
    mkdirSync(folder, { recursive: true })
    for (const unit of units) cpSync(path.join(root, unit), path.join(folder, path.basename(unit)))
    // What every service depends on, without its meaning.
    for (const target of ['sysinit', 'basic', 'shutdown', 'network-online', 'multi-user', 'timers', 'time-set', 'time-sync'])
      writeFileSync(path.join(folder, `${target}.target`), '[Unit]\nDescription=stub\n')
    for (const program of ['opt/tezi/current/node_modules/.bin/node', 'usr/bin/rclone']) {
      mkdirSync(path.dirname(path.join(scratch, program)), { recursive: true })
      writeFileSync(path.join(scratch, program), '#!/bin/sh\n', { mode: 0o755 })
    }
  })

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
  const verify = (unit: string) => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', `--root=${scratch}`, unit], { encoding: 'utf8' })
    return { status, lines: stderr.split('\n').filter((line) => line !== '') }
  }

  test('there are three of Tezi, and one that copies backups', () => {
    expect(units.map((unit) => path.basename(unit)).toSorted()).toEqual([
      'tezi-copy-backups.service',
      'tezi-copy-backups.timer',
      'tezi-gateway.service',
      'tezi-web@.service',
      'tezi.service',
    ])
  })

  test.each(['tezi.service', 'tezi-web@.service', 'tezi-copy-backups.service'])('%s waits for the disk of the backups', (unit) => {
    const { BACKUP_DIR = '' } = parseEnv(read('deploy/systemd/tezi.env.example'))
    expect(read(`deploy/systemd/${unit}`)).toMatch(new RegExp(`^RequiresMountsFor=.*${BACKUP_DIR}$`, 'm'))
  })

  test('the copy of the backups deletes nothing', () => {
    expect(read('deploy/systemd/tezi-copy-backups.service')).toMatch(/^ExecStart=\/usr\/bin\/rclone copy --exclude/m)
  })

  test.each(['tezi.service', 'tezi-web@.service'])('%s may write to the backup folder of the settings', (unit) => {
    const { BACKUP_DIR } = parseEnv(read('deploy/systemd/tezi.env.example'))
    expect(read(`deploy/systemd/${unit}`)).toContain(`\nReadWritePaths=-${BACKUP_DIR}\n`)
  })

  test.runIf(hasSystemd)('systemd finds a wrong unit, and nothing wrong with ours', () => {
    writeFileSync(
      path.join(folder, 'wrong.service'),
      '[Service]\nExecStart=/opt/tezi/current/node_modules/.bin/node\nProtectSystm=strict\n',
    )
    expect(verify('wrong.service').lines.join('\n')).toContain('ProtectSystm')
    const names = ['tezi.service', 'tezi-web@3001.service', 'tezi-gateway.service', 'tezi-copy-backups.service', 'tezi-copy-backups.timer']
    for (const unit of names) expect(verify(unit)).toEqual({ status: 0, lines: [] })
  })

  test.each(own)('%s has sections and assignments only, names settings that exist, and starts a file that exists', (unit) => {
    const lines = read(unit).split('\n')
    expect(lines.filter((line) => !/^(#.*|\[(Unit|Service|Install)\]|[A-Z]\w+=.*|)$/.test(line))).toEqual([])
    const names = lines.flatMap((line) => /^Environment=(.*)$/.exec(line)?.[1]?.split(' ') ?? []).map((pair) => pair.split('=')[0] ?? '')
    expect(names).toContain('ENV_FILE')
    expect(unknown(names)).toEqual([])
    const entry =
      lines
        .find((line) => line.startsWith('ExecStart='))
        ?.split(' ')
        .at(-1) ?? ''
    expect(existsSync(path.join(root, entry))).toBe(true)
  })
})

test('the nginx example closes its braces, forwards the socket of live prices, and trusts no header of visitors', () => {
  const text = read('deploy/nginx/tezi.conf').replaceAll(/#.*$/gm, '')
  expect(text.split('{').length).toBe(text.split('}').length)
  expect(text).toContain(`location = ${basePath}${livePath} {`)
  expect(text).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
  expect(text).not.toContain('$proxy_add_x_forwarded_for')
  const statements = text.split('\n').filter((line) => line.trim() !== '')
  expect(statements.filter((line) => !/[;{}]$/.test(line.trimEnd()))).toEqual([])
})
