// A dedicated PostgreSQL server for a test, which it may stop, kill and freeze.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { chooseOsUser, engineEnvironment, spawnAs } from '../engine/os-user.ts'
import { prepareProgram } from '../engine/prepare-program.ts'

export interface OwnPostgres {
  readonly databaseUrl: string
  readonly port: number
  start(): Promise<void>
  /** Stops it like an administrator: `fast` ends sessions, `immediate` is a crash. */
  stop(mode: 'fast' | 'immediate'): Promise<void>
  /** Suspends all its processes: connections stay open, and nothing responds. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Runs statements on a separate connection. */
  query<Row extends object>(text: string): Promise<Row[]>
  /** Stops it and deletes its data. */
  close(): Promise<void>
}

const startTimeoutMs = 30_000
const stopSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

/** Creates and starts one on a free port, with data in `home`; a data folder that is there is used. It trusts all connections; `tezi` is its superuser. */
export async function ownPostgres(home?: string): Promise<OwnPostgres> {
  const folder = home ?? (await mkdtemp(join(tmpdir(), 'tezi-postgres-')))
  const dataDir = join(folder, 'data')
  const isRestored = existsSync(join(dataDir, 'PG_VERSION'))
  mkdirSync(dataDir, { mode: 0o700, recursive: true })
  const owner = chooseOsUser(dataDir)
  // Accessible to the unprivileged user that runs PostgreSQL.
  chmodSync(folder, 0o755)
  if (owner) chownSync(dataDir, owner.uid, owner.gid)
  const program = await prepareProgram({ homeDir: folder, owner, log: () => {} })
  const port = await freePort()
  const run = (name: string, args: readonly string[]): ChildProcess =>
    spawn(join(program, 'bin', name), [...args], { ...spawnAs(owner), cwd: '/', env: engineEnvironment, stdio: 'ignore' })

  if (!isRestored) {
    const args = [`--pgdata=${dataDir}`, '--username=tezi', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
    const [status] = (await once(run('initdb', args), 'exit')) as [number | null]
    if (status !== 0) throw new Error(`initdb ended with ${status}`)
  }

  const databaseUrl = `postgres://tezi@127.0.0.1:${port}/postgres`
  const given = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', fsync: 'off' }
  const args = ['-D', dataDir, ...Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  let server: ChildProcess | undefined

  async function query<Row extends object>(text: string): Promise<Row[]> {
    const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }
  function signalAll(signal: NodeJS.Signals): Promise<void> {
    if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return Promise.resolve()
    for (const pid of [server.pid, ...childrenOf(server.pid)]) {
      try {
        process.kill(pid, signal)
      } catch {
        // A child has just ended.
      }
    }
    return Promise.resolve()
  }
  const own: OwnPostgres = {
    databaseUrl,
    port,
    async start() {
      server = run('postgres', args)
      const isReady = (): Promise<boolean> =>
        query('select 1').then(
          () => true,
          () => false,
        )
      const startMs = performance.now()
      while (!(await isReady())) {
        if (performance.now() - startMs > startTimeoutMs) throw new Error('PostgreSQL did not start')
        await delay(50)
      }
    },
    async stop(mode) {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
      const ended = once(server, 'exit')
      server.kill(stopSignals[mode])
      await ended
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    query,
    async close() {
      await signalAll('SIGCONT')
      await own.stop('immediate')
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
  await own.start()
  return own
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** An unused TCP port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
