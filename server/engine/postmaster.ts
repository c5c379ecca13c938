// Runs PostgreSQL on a data directory: starts it, waits until it is ready, starts it again after a crash, stops it.
import { closeSync, openSync, statSync } from 'node:fs'
import { mkdir, readFile, rename, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import type { DatabaseLog } from '../db/database.ts'
import { applicationRole, ensureApplicationRole, superuser, writeAccessRules, type EngineConnection } from './application-role.ts'
import { waitForStaleProcess } from './data-lock.ts'
import { ensureCluster } from './ensure-cluster.ts'
import {
  chooseOsUser,
  enginePaths,
  machineForbids,
  UnsupportedPlatformError,
  supervise,
  type EnginePaths,
  type OsUser,
  type Supervised,
} from './os-user.ts'
import { prepareProgram } from './prepare-program.ts'

export interface Postmaster {
  /** Of the application role, which is not a superuser. */
  readonly connection: EngineConnection
  /** Of the superuser, for tests and repairs. */
  readonly maintenance: EngineConnection
  /** Error while the data files are missing or replaced. */
  readonly storageError: () => Error | undefined
  /** Clean stop: all data is on disk and the process is gone when it resolves. */
  stop(): Promise<void>
}

/** Passed at each start. */
const engineSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  // Acknowledged commits are durable. Passed here, no edited file can override it.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '64MB',
  // Containers often have a tiny /dev/shm.
  dynamic_shared_memory_type: 'mmap',
  max_connections: '40',
  // Bounds both the disk usage of the log and the time of a crash recovery.
  max_wal_size: '256MB',
  // For backups: WAL that is not copied yet is kept up to this size; then the next backup begins a new archive.
  max_slot_wal_keep_size: '2GB',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Starts, stops and crashes only: failed statements would put personal data into the log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  logging_collector: 'off',
} as const

const stopMs = 60_000
const logBytesMax = 5_000_000

export interface PostmasterOptions {
  readonly homeDir: string
  readonly dataDir: string
  readonly program: string
  readonly owner: OsUser
  readonly log: DatabaseLog
  /** Settings that override the product's; undefined leaves one out. For recoveries, upgrades and tests. */
  readonly settings?: Readonly<Record<string, string | undefined>> | undefined
  /** Longest recovery before the first query. */
  readonly readyMs?: number | undefined
}

/** The caller holds the data lock. Throws `UnsupportedPlatformError` if PostgreSQL cannot run on this machine. */
export async function openPostmaster(options: Pick<PostmasterOptions, 'dataDir' | 'log' | 'settings' | 'readyMs'>): Promise<Postmaster> {
  const { log, settings, readyMs } = options
  const homeDir = join(options.dataDir, 'postgres')
  await mkdir(homeDir, { recursive: true, mode: 0o755 })
  const owner = chooseOsUser(join(homeDir, 'data'))
  const program = await prepareProgram({ homeDir, owner, log })
  const dataDir = await ensureCluster({ homeDir, program, owner, log, isFlushed: settings?.['fsync'] !== 'off' })
  try {
    return await startPostmaster({ homeDir, dataDir, program, owner, log, settings, readyMs })
  } catch (error) {
    if (error instanceof Error && machineForbids.test(error.message)) throw new UnsupportedPlatformError(error.message, { cause: error })
    throw error
  }
}

/** Starts and resolves once a query succeeds. Throws with PostgreSQL's last output if it cannot start. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { homeDir, dataDir, owner, log } = options
  await waitForStaleProcess(dataDir, owner, log)
  const logFile = join(homeDir, 'postgres.log')
  if ((await sizeOf(logFile)) > logBytesMax) await rename(logFile, `${logFile}.1`)
  const paths = enginePaths(homeDir, dataDir, owner)
  const connection = { host: paths.host, port: 5432, user: applicationRole, database: 'postgres' }
  const maintenance = { ...connection, user: superuser }

  await writeAccessRules(dataDir, owner)
  const before = await sizeOf(logFile)
  const engine = new EngineProcess({ ...options, command: commandOf(options, paths), directories: paths.directories, logFile })
  try {
    const newLog = async (): Promise<string> => (await readFile(logFile, 'utf8')).slice(before)
    await untilReady(maintenance, engine.current, { newLog, log, readyMs: options.readyMs })
    await ensureApplicationRole(connection)
  } catch (error) {
    engine.current.stop()
    paths.close()
    throw error
  }
  engine.keepRunning()
  const sizeCheck = setInterval(() => {
    // PostgreSQL appends, so truncating the open file is safe.
    void sizeOf(logFile)
      .then((bytes) => (bytes > logBytesMax ? truncate(logFile) : undefined))
      .catch(() => {})
  }, 600_000)
  sizeCheck.unref()

  return {
    connection,
    maintenance,
    storageError: engine.storageError,
    async stop() {
      if (engine.isStopping) return
      clearInterval(sizeCheck)
      await engine.stop()
      paths.close()
    },
  }
}

function commandOf({ program, settings }: PostmasterOptions, { data, socket }: EnginePaths): string[] {
  const socketSetting = `unix_socket_directories="${socket.replaceAll('"', '""')}"`
  const others = Object.entries<string | undefined>({ ...engineSettings, ...settings }).flatMap(([name, value]) =>
    value === undefined ? [] : ['-c', `${name}=${value}`],
  )
  return [join(program, 'bin', 'postgres'), '-D', data, '-c', socketSetting, ...others]
}

interface EngineProcessOptions extends Pick<PostmasterOptions, 'dataDir' | 'owner' | 'log'> {
  readonly command: string[]
  readonly directories: EnginePaths['directories']
  readonly logFile: string
}

/** Crash recovery replays at most `max_wal_size`, which takes long on slow disks. */
const readyMsDefault = 120_000

/** Answers to our own attempts while it recovers, which would hide the reason. */
const rejectsClient =
  /the database system is (starting up|not accepting connections|not yet accepting connections|in recovery mode|shutting down)/

/** Resolves after the first query; throws with PostgreSQL's last output if it exits. `newLog` returns its output since this start. */
async function untilReady(
  connection: EngineConnection,
  run: Supervised,
  options: { newLog: () => Promise<string>; log: (line: string) => void; readyMs?: number | undefined },
): Promise<void> {
  const { newLog, log, readyMs = readyMsDefault } = options
  const started = performance.now()
  const end = { isReached: false }
  void run.ended.catch(() => {}).then(() => (end.isReached = true))
  let reported = false
  let pauseMs = 5
  while (!end.isReached) {
    const client = new Client({ ...connection, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return
    } catch (error) {
      // It runs but will never accept us.
      if ((error as { code?: string }).code?.startsWith('28')) throw error
      if (performance.now() - started > readyMs)
        throw new Error(`the embedded PostgreSQL was not ready within ${readyMs / 1000} s`, { cause: error })
    } finally {
      await client.end().catch(() => {})
    }
    if (!reported && performance.now() - started > 5000) {
      reported = true
      log('PostgreSQL is still recovering from the last stop')
    }
    // Each attempt costs PostgreSQL a process, so back off while it recovers.
    pauseMs = Math.min(100, pauseMs + 5)
    await delay(pauseMs)
  }
  const words = (await newLog().catch(() => ''))
    .split('\n')
    .filter((line) => /FATAL|PANIC|HINT|DETAIL|error/i.test(line) && !rejectsClient.test(line))
  throw new Error(`the embedded PostgreSQL did not start: ${words.slice(0, 3).join(' ') || 'no reason given'}`)
}

/** The process of PostgreSQL, started again when it stops by itself. */
class EngineProcess {
  readonly storageError: () => Error | undefined
  current: Supervised
  isStopping = false
  readonly #options: EngineProcessOptions
  readonly #nextRestart = restartPolicy()

  constructor(options: EngineProcessOptions) {
    this.#options = options
    this.storageError = storageCheck(options.dataDir)
    this.current = this.#launch()
  }

  keepRunning(): void {
    const run = this.current
    void run.ended
      .catch(() => 1)
      .then(async (status) => {
        if (this.isStopping) return
        run.stop()
        await this.#restart(status)
      })
  }

  async stop(): Promise<void> {
    this.isStopping = true
    const { ended } = this.current
    this.current.stop()
    const hasEnded = ended.then(
      () => true,
      () => true,
    )
    if (!(await Promise.race([hasEnded, delay(stopMs, false, { ref: false })])))
      this.#options.log(`the embedded PostgreSQL needs more than ${stopMs / 1000} s to stop; it goes on by itself`)
  }

  #launch(): Supervised {
    const { command, owner, directories, logFile } = this.#options
    const errorsTo = openSync(logFile, 'a', 0o600)
    try {
      return supervise(command, { owner, directories, errorsTo })
    } finally {
      closeSync(errorsTo)
    }
  }

  async #restart(status: number): Promise<void> {
    const { dataDir, owner, log, logFile } = this.#options
    const lost = this.storageError()
    if (lost !== undefined) {
      // A new process would find an empty folder and start without the data.
      log(`the embedded PostgreSQL stopped and is not started again: ${lost.message}`, 'error')
      return
    }
    const pauseMs = this.#nextRestart(performance.now())
    if (pauseMs === undefined) {
      const reason = `the embedded PostgreSQL stopped 6 times within a minute (status ${status}); the process ends, see ${logFile}`
      log(reason, 'error')
      // Deliberately an unhandled rejection: it ends the process, which is useless without its database.
      throw new Error(reason)
    }
    log(`the embedded PostgreSQL stopped by itself (status ${status}); starting it again, see ${logFile}`, 'error')
    await delay(pauseMs)
    await waitForStaleProcess(dataDir, owner, log).catch(() => {})
    if (this.isStopping) return
    this.current = this.#launch()
    this.keepRunning()
  }
}

/**
 * Returns a check to run before acknowledging anything: an error while the files are not those of the start. PostgreSQL would
 * continue writing to files that were deleted, moved or replaced.
 */
function storageCheck(dataDir: string): () => Error | undefined {
  const files = ['PG_VERSION', join('global', 'pg_control')].map((name) => join(dataDir, name))
  const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino
  const inodes = files.map(inodeOf)
  return () =>
    files.every((file, index) => inodeOf(file) === inodes[index]) ? undefined : new Error(`${dataDir} was deleted, moved or replaced`)
}

const windowMs = 60_000
/** Delays before the first, second ... restart within a window; after the last one it gives up. */
const pausesMs = [0, 250, 500, 1_000, 2_000]

/** Returns the delay before the next restart, or undefined after too many within a minute. */
export function restartPolicy(): (nowMs: number) => number | undefined {
  let starts: number[] = []
  return (nowMs) => {
    starts = starts.filter((startMs) => nowMs - startMs < windowMs)
    const pauseMs = pausesMs[starts.length]
    starts.push(nowMs)
    return pauseMs
  }
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    (found) => found.size,
    () => 0,
  )
