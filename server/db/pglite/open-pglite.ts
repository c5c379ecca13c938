// Opens PGlite, the fallback where PostgreSQL itself cannot run: made whole in a side folder, then moved into place.
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import type { Database } from '../database.ts'
import { renameDurably, syncTree } from '../embedded/durable.ts'
import type { Tables } from '../tables.ts'
import { startThread } from './client.ts'
import { OneClientPool } from './one-client-pool.ts'

/** The caller holds the data lock: PGlite itself lets two processes destroy each other's rows. */
export async function openPglite(needs: { dataDir: string; log: (line: string) => void }): Promise<Database> {
  const home = join(needs.dataDir, 'pglite')
  const directory = join(home, 'data')
  await mkdir(home, { recursive: true, mode: 0o700 })
  for (const name of await readdir(home)) if (name.startsWith('new-')) await rm(join(home, name), { recursive: true, force: true })
  if (!(await stat(directory).catch(() => undefined))) {
    needs.log('making the database for the first time')
    const fresh = join(home, `new-${randomUUID().slice(0, 8)}`)
    await startThread(fresh).then((thread) => thread.close())
    await syncTree(fresh)
    await renameDurably(fresh, directory)
  }
  const thread = await startThread(directory)
  needs.log(`PGlite flushes its commits (${thread.syncs} at the start)`)
  const pool = new OneClientPool(directory, thread)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { engine: 'pglite', db, close: () => db.destroy() }
}
