// Runs PostgreSQL on the data directory: waits for a dying predecessor, starts, watches, stops.
import { closeSync, openSync } from 'node:fs'
import { readFile, rename, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { clusterUser } from './cluster.ts'
import { type Owner } from './owner.ts'
import { enginePaths } from './paths.ts'
import { answersSignal, processBirth, processesIn } from './processes.ts'
import { supervise, type Supervised } from './supervise.ts'

export interface EngineConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

export interface Postmaster {
  readonly connection: EngineConnection
  /** Clean stop: everything is on the disk and the process is gone when it resolves. */
  stop(): Promise<void>
}

const predecessorMs = 30_000
/** Recovery after a crash replays at most `max_wal_size`; slow disks need patience. */
const readyMs = 120_000
const stopMs = 60_000
const logBytesMax = 5_000_000
const restartsMax = 3

const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  // An acknowledged commit is on the disk. Given here, no edited file can take it back.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '64MB',
  // Containers often have a tiny /dev/shm.
  dynamic_shared_memory_type: 'mmap',
  max_connections: '40',
  // Bounds both the disk used by the log and the time a crash recovery takes.
  max_wal_size: '256MB',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Starts, stops and crashes only: failed statements would carry people's data into the log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  logging_collector: 'off',
} as const

interface PostmasterNeeds {
  readonly homeDir: string
  readonly dataDir: string
  readonly program: string
  readonly owner: Owner
  readonly log: (line: string) => void
  /** More settings, for tests. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Starts and answers once a query succeeds. Throws with PostgreSQL's own last words when it cannot start. */
export async function startPostmaster(needs: PostmasterNeeds): Promise<Postmaster> {
  const { homeDir, dataDir, log } = needs
  await waitForPredecessor(dataDir, needs.owner, log)
  const logFile = join(homeDir, 'postgres.log')
  if ((await sizeOf(logFile)) > logBytesMax) await rename(logFile, `${logFile}.1`)
  const paths = enginePaths(homeDir, dataDir, needs.owner)
  const command = [
    join(needs.program, 'bin', 'postgres'),
    ...['-D', paths.data, '-c', `unix_socket_directories="${paths.socket.replaceAll('"', '""')}"`],
    ...Object.entries({ ...settings, ...needs.settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const connection = { host: paths.host, port: 5432, user: clusterUser, database: 'postgres' }
  let stopping = false
  let restarts = 0

  const launch = (): Supervised => {
    const errorsTo = openSync(logFile, 'a', 0o600)
    try {
      return supervise(command, { owner: needs.owner, directories: paths.directories, errorsTo })
    } finally {
      closeSync(errorsTo)
    }
  }
  const watch = (run: Supervised): void => {
    void run.ended.catch(() => 1).then(async (status) => {
      if (stopping) return
      run.stop()
      if (++restarts > restartsMax) return log(`the embedded PostgreSQL stopped again (status ${status}); giving up, see ${logFile}`)
      log(`the embedded PostgreSQL stopped by itself (status ${status}); starting it again, see ${logFile}`)
      await waitForPredecessor(dataDir, needs.owner, log).catch(() => {})
      if (stopping) return
      current = launch()
      watch(current)
    })
  }

  const before = await sizeOf(logFile)
  let current = launch()
  try {
    await untilReady(connection, current, async () => (await readFile(logFile, 'utf8')).slice(before), log)
  } catch (error) {
    current.stop()
    paths.close()
    throw error
  }
  watch(current)
  const sizeCheck = setInterval(() => {
    // PostgreSQL appends, so cutting the file under it is safe.
    void sizeOf(logFile).then((bytes) => (bytes > logBytesMax ? truncate(logFile) : undefined)).catch(() => {})
  }, 600_000)
  sizeCheck.unref()

  return {
    connection,
    async stop() {
      if (stopping) return
      stopping = true
      clearInterval(sizeCheck)
      current.stop()
      const left = await Promise.race([current.ended.then(() => true, () => true), delay(stopMs, false, { ref: false })])
      if (!left) log(`the embedded PostgreSQL needs more than ${stopMs / 1000} s to stop; it goes on by itself`)
      paths.close()
    },
  }
}

/**
 * Waits until no process of an earlier run can write to the data. A live one is never killed: it is on its way out, or
 * somebody else's. Removes `postmaster.pid` only when its number has gone to a zombie or a stranger, which PostgreSQL
 * would take for a running server; in every other case PostgreSQL's own checks stay in place.
 */
async function waitForPredecessor(dataDir: string, owner: Owner, log: (line: string) => void): Promise<void> {
  const file = join(dataDir, 'postmaster.pid')
  const deadline = Date.now() + predecessorMs
  let said = false
  for (;;) {
    const noted = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
    const alive = processesIn(dataDir, owner) ?? (processBirth(noted) === undefined ? [] : [noted])
    if (alive.length === 0) {
      if (Number.isInteger(noted) && answersSignal(noted)) await rm(file, { force: true })
      return
    }
    if (Date.now() > deadline) {
      throw new Error(`a PostgreSQL of an earlier run (pid ${alive[0]}) still uses ${dataDir}; stop it with: kill -INT ${alive[0]}`)
    }
    if (!said) log(`waiting for the PostgreSQL of an earlier run to leave (pid ${alive[0]})`)
    said = true
    await delay(50)
  }
}

async function untilReady(connection: EngineConnection, run: Supervised, newLog: () => Promise<string>, log: (line: string) => void): Promise<void> {
  const started = Date.now()
  let over = false
  void run.ended.catch(() => {}).then(() => (over = true))
  let said = false
  while (!over) {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return
    } catch (error) {
      if (Date.now() - started > readyMs) throw new Error(`the embedded PostgreSQL was not ready within ${readyMs / 1000} s`, { cause: error })
    } finally {
      await client.end().catch(() => {})
    }
    if (!said && Date.now() - started > 5000) {
      said = true
      log('PostgreSQL is still recovering from the last stop')
    }
    await delay(10)
  }
  const words = (await newLog().catch(() => '')).split('\n').filter((line) => /FATAL|PANIC|HINT|DETAIL|error/i.test(line))
  throw new Error(`the embedded PostgreSQL did not start: ${words.slice(0, 3).join(' ') || 'no reason given'}`)
}

const sizeOf = (file: string): Promise<number> => stat(file).then((found) => found.size, () => 0)
