// Takes a base backup while the database serves.
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { makeDirectoryDurably, requireSpace, syncPath } from '../engine/write-file-durably.ts'
import { baseName, partial, readJson, removePartial, writeEncrypted, writeJson, type BackupFolder } from './backup-folder.ts'
import { factsSchema, quietFacts } from './content-facts.ts'
import { BackupError } from './encrypt.ts'
import { formatLsn } from './lsn.ts'
import { ReplicationConnection } from './replication-connection.ts'
import { archiveWal, type BackupSource, type Reached } from './archive-wal.ts'

const baseFactsSchema = z.object({
  startLsn: z.string(),
  /** A restore can reach any moment after it. Epoch milliseconds, by the database's clock. */
  consistentAtMs: z.number(),
  postgresVersion: z.string(),
  /** Of the tar archive, uncompressed. */
  bytes: z.number(),
  /** What verification compares; null if the database was never without a transaction. */
  quiet: z.object({ restorePoint: z.string(), facts: factsSchema }).nullable(),
  /** The file `secret-key` of the data folder, without which encrypted columns cannot be read. */
  secretKey: z.string().nullable(),
})
export type BaseFacts = z.output<typeof baseFactsSchema>

export interface FinishedBackup extends Reached {
  readonly base: string
  readonly facts: BaseFacts
}

/** Advisory lock id of base backups; any fixed number. */
export const baseLock = 7_239_412_020
/** PostgreSQL's code for a lock that was not free within `lock_timeout`. */
const lockNotAvailable = '55P03'

export const readBaseFacts = (folder: BackupFolder, archive: string, base: string): Promise<BaseFacts> =>
  readJson(folder, `${archive}/${base}/facts`, baseFactsSchema)

/**
 * Takes a base backup with all WAL that it needs. The folder shows it only when it is complete.
 * @param dataDir data folder of Tezi, for its secret key
 * @throws BackupError if another one is under way or there is not enough space; other errors of database and disk. Nothing
 * unfinished then has the name of a backup.
 */
export async function takeBaseBackup(source: BackupSource & { readonly dataDir: string }): Promise<FinishedBackup> {
  const { databaseUrl, folder, dataDir, signal } = source
  const { archive, atMs, lsn } = await archiveWal(source)
  const connection = await ReplicationConnection.open(databaseUrl, signal)
  try {
    await lockBaseBackups(connection)
    await removePartial(folder.dir, archive, 'base-')
    await checkSpace(connection, folder.dir)
    const base = baseName(atMs, lsn)
    const unfinished = `${archive}/${base}${partial}`
    await makeDirectoryDurably(join(folder.dir, unfinished))
    try {
      const inUnfinished = (name: string) => ({ final: () => `${unfinished}/${name}`, temporary: `${unfinished}/${name}${partial}` })
      let bytes = 0
      const { startLsn } = await connection.baseBackup('tezi', async (tar) => {
        bytes = await writeEncrypted(folder, `${archive}/${base}/data`, tar, inUnfinished('data'))
      })
      const [server] = await connection.query<{ ms: string; version: string }>(
        `select ceil(extract(epoch from clock_timestamp()) * 1000)::text as ms, current_setting('server_version') as version`,
      )
      const facts: BaseFacts = {
        startLsn: formatLsn(startLsn),
        consistentAtMs: Number(server?.ms),
        postgresVersion: server?.version ?? '',
        bytes,
        quiet: (await quietFacts(databaseUrl, base, signal)) ?? null,
        secretKey: await readSecretKey(dataDir),
      }
      await writeJson(folder, `${archive}/${base}/facts`, facts, inUnfinished('facts'))
      // Also what PostgreSQL itself wrote, which the base backup needs.
      const reached = await archiveWal(source, { isForced: true })
      if (reached.archive !== archive) throw new BackupError('PostgreSQL removed WAL that this backup needs; it has to be taken again')
      await rename(join(folder.dir, unfinished), join(folder.dir, archive, base))
      await syncPath(join(folder.dir, archive))
      return { ...reached, base, facts }
    } catch (error) {
      await rm(join(folder.dir, unfinished), { recursive: true, force: true })
      throw error
    }
  } finally {
    await connection.close()
  }
}

/** Waits for a moment: PostgreSQL keeps the lock of a backup whose connection broke until it notices. */
async function lockBaseBackups(connection: ReplicationConnection): Promise<void> {
  await connection.lock(baseLock, 10).catch((error: Error & { code?: string }) => {
    throw error.code === lockNotAvailable ? new BackupError('another backup is under way') : error
  })
}

/** Compression makes a backup smaller; how much is known only afterwards. */
async function checkSpace(connection: ReplicationConnection, path: string): Promise<void> {
  const [row] = await connection.query<{ bytes: string }>('select sum(pg_database_size(oid))::text as bytes from pg_database')
  await requireSpace(path, Number(row?.bytes))
}

async function readSecretKey(dataDir: string): Promise<string | null> {
  return readFile(join(dataDir, 'secret-key'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
