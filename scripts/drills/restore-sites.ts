// The two kinds of database that the restore drill loses and restores.
import { spawnSync } from 'node:child_process'
import { mkdir, rename } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '#server/db/database.ts'
import { openBesideServer } from '#server/open-beside-server.ts'
import { openDatabase } from '#server/open-database.ts'
import { ownPostgres, type OwnPostgres } from '#server/testing/own-postgres.ts'

export interface Site {
  readonly dataDir: string
  /** Further variables of the server and of commands. */
  readonly environment: Readonly<Record<string, string>>
  readonly open: () => Promise<Database>
  /** Ends the database without a warning and takes its files away. */
  readonly lose: () => Promise<void>
  /** Restores a backup to another site, with the commands of an operator. */
  readonly restored: (folder: string, args: readonly string[], tezi: Tezi) => Promise<Site>
}

type Tezi = (args: readonly string[], site: Pick<Site, 'dataDir' | 'environment'>) => Promise<void>

const log = (): void => {}
/** Adding a million users takes longer than any request. */
const limits = { statementTimeoutMs: 1_800_000 }

/** The embedded database of `folder`. */
export function embeddedSite(folder: string): Site {
  const dataDir = path.join(folder, 'data')
  return {
    dataDir,
    environment: {},
    open: async () => {
      await mkdir(folder, { recursive: true, mode: 0o755 })
      return openBesideServer({ dataDir, log, limits })
    },
    lose: () => rename(dataDir, `${dataDir}-lost`).catch(() => {}),
    restored: async (to, args, tezi) => {
      await mkdir(to, { mode: 0o755 })
      const site = embeddedSite(to)
      await tezi(['restore', ...args], site)
      return site
    },
  }
}

/** A new PostgreSQL server in `folder`. */
export async function externalSite(folder: string): Promise<Site> {
  await mkdir(folder, { mode: 0o755 })
  return siteOf(folder, await ownPostgres(path.join(folder, 'postgres')))
}

function siteOf(folder: string, postgres: OwnPostgres): Site {
  const dataDir = path.join(folder, 'data')
  const { databaseUrl } = postgres
  return {
    dataDir,
    environment: { DATABASE_URL: databaseUrl, BACKUP_DATABASE_URL: databaseUrl },
    open: () => openDatabase({ dataDir, databaseUrl, log, limits }),
    lose: () => postgres.close(),
    restored: async (to, args, tezi) => {
      const home = path.join(to, 'postgres')
      await mkdir(home, { recursive: true, mode: 0o755 })
      const files = path.join(home, 'data')
      // The address is not used yet: no server runs.
      await tezi(['restore-files', files, ...args], { dataDir: path.join(to, 'data'), environment: siteOf(to, postgres).environment })
      // As an operator gives the files to the user of the server.
      if (process.getuid?.() === 0) spawnSync('chown', ['-R', 'nobody', files])
      const site = siteOf(to, await ownPostgres(home))
      await tezi(['finish-restore', ...args], site)
      return site
    },
  }
}
