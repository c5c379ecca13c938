// Runs PostgreSQL on the data directory: waits for a dying predecessor, starts, watches, stops.
import { closeSync, openSync } from 'node:fs'
import { readFile, rename, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseLog } from '../database.ts'
import { applicationUser, ensureApplicationRole, superuser, writeAccessRules } from './cluster-access.ts'
import { type Owner } from './owner.ts'
import { enginePaths } from './paths.ts'
import { waitForPredecessor } from './predecessor.ts'
import { restartPolicy } from './restarts.ts'
import { untilReady, type EngineConnection } from './ready.ts'
import { engineSettings } from './settings.ts'
import { storageCheck } from './storage-check.ts'
import { supervise, type Supervised } from './supervise.ts'

export interface Postmaster {
  /** Of the application, which is no superuser. */
  readonly connection: EngineConnection
  /** Of the superuser, for tests and repairs. */
  readonly maintenance: EngineConnection
  /** Why its data are lost, while they are. */
  readonly storageError: () => Error | undefined
  /** Clean stop: everything is on the disk and the process is gone when it resolves. */
  stop(): Promise<void>
}

const stopMs = 60_000
const logBytesMax = 5_000_000

interface PostmasterNeeds {
  readonly homeDir: string
  readonly dataDir: string
  readonly program: string
  readonly owner: Owner
  readonly log: DatabaseLog
  /** Other settings than the product's, for tests. */
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
    '-D',
    paths.data,
    '-c',
    `unix_socket_directories="${paths.socket.replaceAll('"', '""')}"`,
    ...Object.entries({ ...engineSettings, ...needs.settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const connection = { host: paths.host, port: 5432, user: applicationUser, database: 'postgres' }
  const maintenance = { ...connection, user: superuser }
  let stopping = false
  const nextRestart = restartPolicy()
  const storageError = storageCheck(dataDir)

  const launch = (): Supervised => {
    const errorsTo = openSync(logFile, 'a', 0o600)
    try {
      return supervise(command, { owner: needs.owner, directories: paths.directories, errorsTo })
    } finally {
      closeSync(errorsTo)
    }
  }
  const watch = (run: Supervised): void => {
    void run.ended
      .catch(() => 1)
      .then(async (status) => {
        if (stopping) return
        run.stop()
        const lost = storageError()
        if (lost !== undefined) {
          // A new process would find an empty folder and begin without the data.
          log(`the embedded PostgreSQL stopped and is not started again: ${lost.message}`, 'error')
          return
        }
        const pauseMs = nextRestart(performance.now())
        if (pauseMs === undefined) {
          const reason = `the embedded PostgreSQL stopped 6 times within a minute (status ${status}); the process ends, see ${logFile}`
          log(reason, 'error')
          // Rejects with nobody to handle it, which ends the process with an error: without its database it is of no use.
          throw new Error(reason)
        }
        log(`the embedded PostgreSQL stopped by itself (status ${status}); starting it again, see ${logFile}`, 'error')
        await delay(pauseMs)
        await waitForPredecessor(dataDir, needs.owner, log).catch(() => {})
        if (stopping) return
        current = launch()
        watch(current)
      })
  }

  await writeAccessRules(dataDir, needs.owner)
  const before = await sizeOf(logFile)
  let current = launch()
  try {
    await untilReady(maintenance, current, async () => (await readFile(logFile, 'utf8')).slice(before), log)
    await ensureApplicationRole(connection)
  } catch (error) {
    current.stop()
    paths.close()
    throw error
  }
  watch(current)
  const sizeCheck = setInterval(() => {
    // PostgreSQL appends, so cutting the file under it is safe.
    void sizeOf(logFile)
      .then((bytes) => (bytes > logBytesMax ? truncate(logFile) : undefined))
      .catch(() => {})
  }, 600_000)
  sizeCheck.unref()

  return {
    connection,
    maintenance,
    storageError,
    async stop() {
      if (stopping) return
      stopping = true
      clearInterval(sizeCheck)
      current.stop()
      const left = await Promise.race([
        current.ended.then(
          () => true,
          () => true,
        ),
        delay(stopMs, false, { ref: false }),
      ])
      if (!left) log(`the embedded PostgreSQL needs more than ${stopMs / 1000} s to stop; it goes on by itself`)
      paths.close()
    },
  }
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    (found) => found.size,
    () => 0,
  )
