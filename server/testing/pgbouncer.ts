// A dedicated PgBouncer in front of a PostgreSQL server.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { chooseOsUser, spawnAs } from '../engine/os-user.ts'
import { freePort } from './own-postgres.ts'

const program = '/usr/sbin/pgbouncer'

/**
 * Starts one with four connections to the server on `postgresPort`. Installs Debian's package if it is missing.
 * @throws Error with instructions if it cannot be installed; the test is never skipped
 */
export async function ownPgbouncer(
  mode: 'session' | 'transaction',
  postgresPort: number,
): Promise<{ databaseUrl: string; close(): Promise<void> }> {
  if (!existsSync(program)) installByApt()
  if (!existsSync(program)) throw new Error('PgBouncer is missing and could not be installed. Install the package pgbouncer.')
  const folder = mkdtempSync(join(tmpdir(), 'tezi-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    default_pool_size: 4,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(file, `[databases]\npostgres = host=127.0.0.1 port=${postgresPort} user=tezi\n[pgbouncer]\n${lines.join('\n')}\n`)
  // It cannot run as root, like PostgreSQL.
  const child = spawn(program, ['-q', file], { ...spawnAs(chooseOsUser(folder)), cwd: '/', stdio: 'ignore' })
  await vi.waitUntil(() => accepts(port), { timeout: 30_000 })
  return {
    databaseUrl: `postgres://tezi@127.0.0.1:${port}/postgres`,
    async close() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true })
    },
  }
}

function installByApt(): void {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'pgbouncer']]) {
    const [command = '', ...rest] = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args]
    spawnSync(command, rest, { stdio: ['ignore', 'inherit', 'inherit'] })
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
