// An embedded database with a backup folder, for tests of backup and restore.
import { chmodSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { completeRestore } from '../features/privacy/complete-restore.ts'
import type { BackupFolder } from '../backup/backup-folder.ts'
import { readErasures } from '../backup/save-erasures.ts'
import { planRestore } from '../backup/restore-plan.ts'
import { restore } from '../backup/restore.ts'
import type { Database } from '../db/database.ts'
import { maintenanceUrl } from '../engine/open-embedded-server.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../open-database.ts'

export interface BackupWorld {
  readonly dataDir: string
  /** The folder of now; `changeFolder` begins another, empty one. */
  readonly folder: BackupFolder
  changeFolder(): void
  readonly database: Database
  /** What takes backups of the database. */
  source(): Promise<{ databaseUrl: string; folder: BackupFolder; dataDir: string; mayBegin: boolean }>
  /** Adds a user and returns the id. */
  addUser(email: string, role?: 'user' | 'admin'): Promise<string>
  /** Restores into a new folder, as `npx tezi restore` does, and opens it. */
  restored(toMs?: number, restoredDir?: string): Promise<Database>
  /** Names of all files of the backup folder. */
  files(): Promise<string[]>
  close(): Promise<void>
}

const silent = (): void => {}

/** A migrated database in a temporary folder. */
export async function backupWorld(): Promise<BackupWorld> {
  const root = await mkdtemp(join(tmpdir(), 'tezi-backup-'))
  // Accessible to the unprivileged user that runs PostgreSQL.
  chmodSync(root, 0o755)
  const dataDir = join(root, 'data')
  let folders = 0
  const nextFolder = (): BackupFolder => ({ dir: join(root, `backups-${++folders}`), keys: [Buffer.alloc(32, 5)] })
  let folder = nextFolder()
  const database = await openDatabase({ dataDir, log: silent })
  await migrate(database, silent)
  const opened: Database[] = [database]
  return {
    dataDir,
    get folder() {
      return folder
    },
    changeFolder() {
      folder = nextFolder()
    },
    database,
    source: async () => ({ databaseUrl: await maintenanceUrl(dataDir), folder, dataDir, mayBegin: true }),
    async addUser(email, role = 'user') {
      const row = { name: 'Asha', email, phone: '9876543210', password_hash: 'x', created_at: new Date(0), role }
      return (await database.db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id
    },
    async restored(toMs, restoredDir = join(root, `restored-${opened.length}`)) {
      const plan = await planRestore(folder, { toMs })
      const erasures = await readErasures(folder)
      const complete = (found: Database, base: string) =>
        completeRestore(found, { erasures, toMs, restored: base, now: Date.now, log: silent })
      await restore({ folder, plan, toMs, dataDir: restoredDir, log: silent, complete })
      const found = await openDatabase({ dataDir: restoredDir, log: silent })
      opened.push(found)
      return found
    },
    files: async () =>
      (await readdir(folder.dir, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .toSorted(),
    async close() {
      for (const each of opened) await each.close()
      await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

/** All emails of a database, in order. */
export async function emailsOf({ db }: Database): Promise<string[]> {
  return (await db.selectFrom('users').select('email').orderBy('email').execute()).map(({ email }) => email)
}
