// Failures of an installation. Each one starts, and ends with the function that it returns.
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { webNames, type Cluster, type Name, type Program } from './cluster.ts'

export interface Fault {
  readonly name: string
  readonly begin: (cluster: Cluster) => Promise<() => Promise<void>>
}

const ours = [...webNames, 'gateway'] as const

const over = (): Promise<void> => Promise.resolve()

/** Long enough for clients to notice; before that, everything looks recovered. */
const noticeMs = 1_500

function end(name: Name, signal: 'SIGKILL' | 'SIGTERM'): Fault {
  return {
    name: `${signal === 'SIGKILL' ? 'kill' : 'restart'} ${name}`,
    async begin(cluster) {
      await cluster.end(name, signal)
      await delay(noticeMs)
      return over
    },
  }
}

const kill = (name: Name): Fault => end(name, 'SIGKILL')
const restart = (name: Name): Fault => end(name, 'SIGTERM')

function freeze(name: Name): Fault {
  return {
    name: `freeze ${name}`,
    async begin(cluster) {
      cluster.signal(name, 'SIGSTOP')
      await delay(4_000)
      return async () => cluster.signal(name, 'SIGCONT')
    },
  }
}

function stepClock(name: Program, stepMs: number): Fault {
  return {
    name: `clock of ${name} ${stepMs > 0 ? '+' : ''}${stepMs / 1000} s`,
    async begin(cluster) {
      cluster.stepClock(name, stepMs)
      await delay(4_000)
      return async () => cluster.stepClock(name, 0)
    },
  }
}

function stopPostgres(mode: 'fast' | 'immediate', downMs: number): Fault {
  return {
    name: `restart PostgreSQL (${mode}, ${downMs / 1000} s)`,
    async begin({ postgres }) {
      await postgres.stop(mode)
      await delay(downMs)
      return () => postgres.start()
    },
  }
}

function cut(what: 'postgres' | 'redis', cutMs: number): Fault {
  return {
    name: `cut ${what} for ${cutMs / 1000} s`,
    async begin(cluster) {
      const gate = what === 'postgres' ? cluster.postgresGate : cluster.redisGate
      gate.cut()
      await delay(cutMs)
      return async () => gate.open()
    },
  }
}

const freezePostgres: Fault = {
  name: 'freeze PostgreSQL',
  async begin({ postgres }) {
    await postgres.freeze()
    await delay(6_000)
    return () => postgres.thaw()
  },
}

const dropConnections: Fault = {
  name: 'drop all connections of PostgreSQL',
  async begin({ postgres }) {
    await postgres.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = $$client backend$$',
    )
    return over
  },
}

const lockUsers: Fault = {
  name: 'lock the table of users for 4 s',
  async begin({ postgres }) {
    const lock = postgres.query('begin; lock table users in access exclusive mode; select pg_sleep(4); commit')
    await lock.catch(() => undefined)
    return over
  },
}

/** All failures except the full disk, which needs a separate file system. */
export const faults: readonly Fault[] = [
  ...ours.flatMap((name) => [kill(name), restart(name), freeze(name)]),
  kill('redis'),
  freeze('redis'),
  ...webNames.flatMap((name) => [stepClock(name, -60_000), stepClock(name, 60_000)]),
  // Demo prices depend on the gateway's clock: after a long step forward they stand still for the same time.
  stepClock('gateway', -60_000),
  stepClock('gateway', 3_000),
  ...(['fast', 'immediate'] as const).map((mode) => stopPostgres(mode, 1_000)),
  stopPostgres('fast', 8_000),
  cut('postgres', 3_000),
  cut('redis', 3_000),
  freezePostgres,
  dropConnections,
  lockUsers,
]

/** Fills the file system of PostgreSQL for four seconds. */
export function diskFull(folder: string): Fault {
  const ballast = path.join(folder, 'ballast')
  return {
    name: 'fill the disk of PostgreSQL',
    async begin() {
      const file = createWriteStream(ballast)
      const block = Buffer.alloc(1 << 20)
      await pipeline(Readable.from(Array.from({ length: 1 << 12 }, () => block)), file).catch(() => undefined)
      await delay(4_000)
      return () => rm(ballast, { force: true })
    },
  }
}
