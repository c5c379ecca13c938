// Two web processes, a gateway, PostgreSQL and Redis, each behind a TCP proxy that can be cut; crashed processes are restarted.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort, ownPostgres, type OwnPostgres } from '#server/testing/own-postgres.ts'
import { tcpGate, type TcpGate } from '#server/testing/tcp-proxy.ts'
import { within } from '../drill.ts'

export const webNames = ['web 1', 'web 2'] as const
export const names = [...webNames, 'gateway', 'redis'] as const

export type WebName = (typeof webNames)[number]
export type Name = (typeof names)[number]

const root = path.resolve(import.meta.dirname, '../..')
const restartMs = 500
/** Time limit for a process to become ready, and to end. */
const readyLimitMs = 120_000
const endLimitMs = 30_000
const outputMax = 20_000

export type Program = Exclude<Name, 'redis'>

interface ClusterOptions {
  readonly home?: string | undefined
  /** Further variables of a process. */
  readonly settings?: (name: Program, cluster: Cluster) => Readonly<Record<string, string>>
}

interface Part {
  readonly start: () => ChildProcess
  child: ChildProcess
  output: string
  /** True while the script itself ends the process. */
  isKilled: boolean
}

/** All processes of one installation, and those that ended unexpectedly. */
export class Cluster {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'tezi-chaos-'))
  readonly unexpected: string[] = []
  readonly ports = new Map<WebName, number>()
  readonly postgres: OwnPostgres
  readonly postgresGate: TcpGate
  readonly redisGate: TcpGate
  #parts = new Map<Name, Part>()
  #isOver = false

  private constructor(servers: Pick<Cluster, 'postgres' | 'postgresGate' | 'redisGate'>) {
    this.postgres = servers.postgres
    this.postgresGate = servers.postgresGate
    this.redisGate = servers.redisGate
  }

  /** Starts everything; `home` is an empty folder for PostgreSQL. */
  static async start({ home, settings = () => ({}) }: ClusterOptions = {}): Promise<Cluster> {
    const postgres = await ownPostgres(home)
    const redisPort = await freePort()
    const cluster = new Cluster({
      postgres,
      postgresGate: await tcpGate('127.0.0.1', postgres.port),
      redisGate: await tcpGate('127.0.0.1', redisPort),
    })
    cluster.#add('redis', () =>
      spawn('redis-server', ['--port', String(redisPort), '--save', '', '--appendonly', 'no', '--dir', cluster.folder], {
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    )
    cluster.#add('gateway', () => cluster.#spawnProgram('gateway', settings('gateway', cluster)))
    await cluster.#printed('gateway', 'gateway is ready')
    for (const name of webNames) {
      const port = await freePort()
      cluster.ports.set(name, port)
      cluster.#add(name, () =>
        cluster.#spawnProgram('web', { PORT: String(port), HOST: '127.0.0.1', MARKET_HUB: 'off', ...settings(name, cluster) }, name),
      )
      await cluster.#printed(name, 'ready at')
    }
    return cluster
  }

  origin(name: WebName): string {
    return `http://127.0.0.1:${this.ports.get(name)}`
  }

  output(name: Name): string {
    return this.#part(name).output
  }

  signal(name: Name, signal: NodeJS.Signals): void {
    this.#part(name).child.kill(signal)
  }

  /** Ends a process, which is restarted half a second later. */
  async end(name: Name, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const part = this.#part(name)
    if (hasEnded(part.child)) return
    part.isKilled = true
    const ended = once(part.child, 'exit')
    part.child.kill(signal)
    await within(endLimitMs, `the end of ${name}`, ended)
  }

  /** Steps the wall clock of one of our processes. */
  stepClock(name: Program, stepMs: number): void {
    writeFileSync(this.#clockFile(name), String(stepMs))
    this.signal(name, 'SIGUSR2')
  }

  async stop(): Promise<void> {
    this.#isOver = true
    for (const { child } of this.#parts.values()) {
      if (hasEnded(child)) continue
      const ended = once(child, 'exit')
      child.kill('SIGCONT')
      child.kill('SIGKILL')
      await within(endLimitMs, 'the last end of a process', ended)
    }
    await this.postgresGate.close()
    await this.redisGate.close()
    await this.postgres.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  #part(name: Name): Part {
    const part = this.#parts.get(name)
    if (part === undefined) throw new Error(`${name} has not been started`)
    return part
  }

  #add(name: Name, start: () => ChildProcess): void {
    const part: Part = { start, child: start(), output: '', isKilled: false }
    this.#parts.set(name, part)
    this.#follow(name, part)
  }

  #follow(name: Name, part: Part): void {
    const keep = (chunk: Buffer): void => {
      part.output = (part.output + chunk.toString()).slice(-outputMax)
    }
    part.child.stdout?.on('data', keep)
    part.child.stderr?.on('data', keep)
    part.child.once('exit', (code, signal) => {
      if (this.#isOver) return
      if (!part.isKilled) this.unexpected.push(`${name} ended with ${code ?? signal}:\n${part.output.slice(-2000)}`)
      part.isKilled = false
      setTimeout(() => {
        if (this.#isOver) return
        part.child = part.start()
        this.#follow(name, part)
      }, restartMs)
    })
  }

  #spawnProgram(program: 'web' | 'gateway', settings: Readonly<Record<string, string>>, name: Program = 'gateway'): ChildProcess {
    writeFileSync(this.#clockFile(name), '0')
    return spawn(process.execPath, [path.join(import.meta.dirname, 'stepped-clock.ts'), program], {
      cwd: root,
      env: {
        PATH: process.env['PATH'] ?? '',
        DATABASE_URL: `postgres://tezi@127.0.0.1:${this.postgresGate.port}/postgres`,
        REDIS_URL: `redis://127.0.0.1:${this.redisGate.port}`,
        DATA_DIR: path.join(this.folder, name.replace(' ', '-')),
        ENV_FILE: 'none',
        MARKET_SOURCES: 'none',
        RATE_LIMITS: 'off',
        PASSWORD_HASHES: 'cheap',
        ADMIN_EMAIL: 'admin@chaos.example',
        ADMIN_PASSWORD: 'Kesar-Chai-Kesar-42',
        CLOCK_STEP_FILE: this.#clockFile(name),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  #clockFile(name: Name): string {
    return path.join(this.folder, `${name.replace(' ', '-')}.clock`)
  }

  async #printed(name: Name, text: string): Promise<void> {
    const part = this.#part(name)
    const endMs = performance.now() + readyLimitMs
    while (!part.output.includes(text)) {
      if (hasEnded(part.child)) throw new Error(`${name} ended at its start:\n${part.output}`)
      if (performance.now() > endMs) throw new Error(`${name} was not ready within ${readyLimitMs / 1_000} s:\n${part.output}`)
      await delay(20)
    }
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
