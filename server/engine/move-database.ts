// Moves the embedded database to a PostgreSQL server of the operator.
import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Client } from 'pg'
import { connect } from './copy-command.ts'
import { clusterVersion } from './ensure-cluster.ts'
import { lockDataDir } from './data-lock.ts'
import { checkEngineState, isEngineState, writeEngineState } from './engine-state.ts'
import { openPostmaster } from './postmaster.ts'
import { openPostgres } from '../db/open-postgres.ts'
import { copyDatabase, finishCopy, type Compared } from './copy-database.ts'

/**
 * Copies everything to the server, compares all rows, and marks the folder, so that no start continues with the old rows. An
 * interrupted move continues when it is called again.
 * @param options folder of the data, and address of the new, empty database
 * @throws DataInUse if Tezi runs; Error for a database that cannot be moved, a target that is not empty, and for any difference
 */
export async function moveDatabase(options: { dataDir: string; databaseUrl: string; log: (line: string) => void }): Promise<Compared> {
  const { dataDir, databaseUrl, log } = options
  if ((await clusterVersion(join(dataDir, 'postgres/data'))) === undefined) throw new Error(`${resolve(dataDir)} has no database`)
  const folder = await realpath(dataDir)
  const opened = new AsyncDisposableStack()
  try {
    const lock = await lockDataDir(folder)
    opened.defer(() => lock.release())
    if (!(await isEngineState(folder, 'moved'))) await checkEngineState(folder)
    // Says what is wrong with a server that Tezi cannot use.
    await (await openPostgres({ databaseUrl, log, isMoveTarget: true })).close()
    const target = await connect({ connectionString: databaseUrl })
    opened.defer(() => target.end())
    await rejectUsed(target)
    // Analyzing and cleaning would take transaction ids, which tell whether Tezi has run in between.
    const postmaster = await openPostmaster({ dataDir: folder, log, settings: { autovacuum: 'off' } })
    opened.defer(() => postmaster.stop())
    const source = await connect({ ...postmaster.maintenance })
    opened.defer(() => source.end())
    const copy = { source, target, log }
    const ifChanged = 'make a new database, and try again'
    const compared = await copyDatabase(copy, { connection: { connectionString: databaseUrl }, ifChanged })
    await writeEngineState(folder, 'moved')
    await finishCopy(copy)
    return compared
  } finally {
    await opened.disposeAsync()
  }
}

async function rejectUsed(target: Client): Promise<void> {
  const { rows } = await target.query<{ isUsed: boolean }>(`
    select to_regclass('tezi_upgrade.progress') is null
      and exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')) as "isUsed"`)
  if (rows[0]?.isUsed === true) throw new Error('the database of --to is not empty; make a new one. Nothing was changed')
}
