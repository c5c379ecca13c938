// Restores a backup into an empty data folder, and verifies one in a scratch folder.
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, DatabaseLog } from '../db/database.ts'
import { lockDataDir } from '../engine/data-lock.ts'
import { makeDirectoryDurably, renameDurably, requireSpace, syncPath, syncTree } from '../engine/write-file-durably.ts'
import { writeEngineState } from '../engine/engine-state.ts'
import type { Postmaster } from '../engine/postmaster.ts'
import { openPool } from '../db/open-pool.ts'
import type { BackupFolder } from './backup-folder.ts'
import { connect } from '../engine/copy-command.ts'
import { compareFacts, readFacts, type ContentFacts } from './content-facts.ts'
import { BackupError } from './encrypt.ts'
import { recover, spaceFor, type RecoveryTarget } from './recover.ts'
import type { RestorePlan } from './restore-plan.ts'

export interface RestoreOptions {
  readonly folder: BackupFolder
  readonly plan: RestorePlan
  /** Epoch milliseconds; undefined for the end of the WAL. */
  readonly toMs: number | undefined
  /** Absent or empty. */
  readonly dataDir: string
  readonly log: DatabaseLog
  /** Runs on the recovered database before it becomes the one of the folder. */
  readonly complete: (database: Database, base: string) => Promise<void>
}

const scratchPrefix = 'restore-'
/** What an interrupted restore, a lock and a file system leave in a folder without a database. The key is compared. */
const isNoData = (name: string): boolean => name.startsWith(scratchPrefix) || ['lock', 'engine', 'secret-key', 'lost+found'].includes(name)

/**
 * Restores into `dataDir`. Until the last step the folder has no database, and a start of Tezi is rejected.
 * @throws DataInUse if a server uses the folder; BackupError if it is not empty, for a damaged backup, a full disk, and if less
 * could be replayed than the backup promises
 */
export async function restore({ folder, plan, toMs, dataDir, log, complete }: RestoreOptions): Promise<void> {
  await rejectData(dataDir)
  await makeDirectoryDurably(dataDir)
  const target = await realpath(dataDir)
  const lock = await lockDataDir(target)
  try {
    // A server may have started and ended since.
    await rejectData(target)
    for (const name of await readdir(target)) {
      if (name.startsWith(scratchPrefix)) await rm(join(target, name), { recursive: true, force: true })
    }
    await requireSpace(target, spaceFor(plan, plan.facts))
    await placeSecretKey(target, plan.facts.secretKey)
    await writeEngineState(target, 'restoring')
    const dir = join(target, `${scratchPrefix}${randomUUID().slice(0, 8)}`)
    await mkdir(dir, { mode: 0o755 })
    const { postmaster, base } = await recover({ folder, plan, target: toMs === undefined ? 'end' : { toMs }, dir, log })
    try {
      await withPool(postmaster, log, (database) => complete(database, base))
    } finally {
      await postmaster.stop()
    }
    await syncTree(join(dir, 'postgres'))
    await renameDurably(join(dir, 'postgres'), join(target, 'postgres'))
    await writeEngineState(target, 'embedded-postgres')
    await rm(dir, { recursive: true, force: true })
  } finally {
    await lock.release()
  }
}

async function rejectData(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const found = names.filter((name) => !isNoData(name))
  if (found.length > 0)
    throw new BackupError(`${dataDir} is not empty (${found.slice(0, 3).join(', ')}). Stop Tezi, move the folder away, and try again`)
}

async function withPool(postmaster: Postmaster, log: DatabaseLog, work: (database: Database) => Promise<void>): Promise<void> {
  const pool = openPool({ connection: postmaster.connection, log, limits: { size: 2 } })
  try {
    await work({ engine: 'embedded-postgres', ...pool })
  } finally {
    await pool.close()
  }
}

/** @throws BackupError if the folder has another key, which may be needed elsewhere */
async function placeSecretKey(dataDir: string, text: string | null): Promise<void> {
  if (text === null) return
  const file = join(dataDir, 'secret-key')
  const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (found === text) return
  if (found !== undefined) throw new BackupError(`${file} is another key than that of the backup. Move it away, and try again`)
  await writeFile(file, text, { mode: 0o600, flag: 'wx', flush: true })
  await syncPath(dataDir)
}

/**
 * Restores one base backup in the scratch folder `dir`: to its verification point, where the content is compared with what the
 * database had at that moment, and to the end of its archive, which the replay has to reach.
 * @returns one line for each difference; undefined if the backup has nothing to compare, and was only recovered and read
 * @throws BackupError for a damaged backup, a full disk, and if less could be replayed than the backup promises; DataInUse if another
 * verification runs; Error if PostgreSQL cannot recover
 */
export async function verifyBackup(options: VerifyOptions): Promise<string[] | undefined> {
  await makeDirectoryDurably(options.dir)
  const scratch = await realpath(options.dir)
  const lock = await lockDataDir(scratch)
  try {
    const { quiet } = options.plan.facts
    const found = quiet === null ? undefined : await factsAt(options, scratch, { restorePoint: quiet.restorePoint })
    await factsAt(options, scratch, 'end')
    return quiet === null || found === undefined ? undefined : compareFacts(quiet.facts, found)
  } finally {
    await lock.release()
    await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

interface VerifyOptions {
  readonly folder: BackupFolder
  readonly plan: RestorePlan
  readonly dir: string
  readonly log: DatabaseLog
}

/** The content of the recovered database. */
async function factsAt({ folder, plan, log }: VerifyOptions, scratch: string, target: RecoveryTarget): Promise<ContentFacts> {
  // Of the step before, or of a verification that was killed.
  for (const name of await readdir(scratch)) if (name !== 'lock') await rm(join(scratch, name), { recursive: true, force: true })
  const dir = join(scratch, 'copy')
  await mkdir(dir, { mode: 0o755 })
  // This base backup, and no older one in its place.
  const { postmaster } = await recover({ folder, plan: { ...plan, older: [] }, target, dir, log })
  try {
    const client = await connect({ ...postmaster.maintenance })
    try {
      return await readFacts(client)
    } finally {
      await client.end()
    }
  } finally {
    await postmaster.stop()
  }
}
