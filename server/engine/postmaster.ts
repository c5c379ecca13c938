// Runs PostgreSQL on the data directory: waits for a stale process, starts, monitors, stops.
import { closeSync, openSync } from 'node:fs'
import { readFile, rename, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseLog } from '../db/database.ts'
import { applicationUser, ensureApplicationRole, superuser, writeAccessRules } from './cluster-access.ts'
import { type Owner } from './os-user.ts'
import { enginePaths, type EnginePaths } from './paths.ts'
import { waitForPredecessor } from './stale-process.ts'
import { restartPolicy } from './restarts.ts'
import { untilReady, type EngineConnection } from './wait-until-ready.ts'
import { engineSettings } from './settings.ts'
import { storageCheck } from './storage-check.ts'
import { supervise, type Supervised } from './supervise.ts'

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

const stopMs = 60_000
const logBytesMax = 5_000_000

interface PostmasterOptions {
  readonly homeDir: string
  readonly dataDir: string
  readonly program: string
  readonly owner: Owner
  readonly log: DatabaseLog
  /** Settings that override the product's; undefined leaves one out. For recoveries, upgrades and tests. */
  readonly settings?: Readonly<Record<string, string | undefined>> | undefined
  /** Longest recovery before the first query. */
  readonly readyMs?: number | undefined
}

/** Starts and resolves once a query succeeds. Throws with PostgreSQL's last output if it cannot start. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { homeDir, dataDir, owner, log } = options
  await waitForPredecessor(dataDir, owner, log)
  const logFile = join(homeDir, 'postgres.log')
  if ((await sizeOf(logFile)) > logBytesMax) await rename(logFile, `${logFile}.1`)
  const paths = enginePaths(homeDir, dataDir, owner)
  const connection = { host: paths.host, port: 5432, user: applicationUser, database: 'postgres' }
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
    await waitForPredecessor(dataDir, owner, log).catch(() => {})
    if (this.isStopping) return
    this.current = this.#launch()
    this.keepRunning()
  }
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    (found) => found.size,
    () => 0,
  )
