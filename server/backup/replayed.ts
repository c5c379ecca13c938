// Compares how far PostgreSQL has replayed the WAL with what the archive promises: it ends a recovery without a word at the first
// record that does not follow the one before.
import { Client } from 'pg'
import type { EngineConnection } from '../engine/application-role.ts'
import { BackupError } from './encrypted-stream.ts'
import { parseLsn, type Lsn } from './lsn.ts'
import type { RestorePlan } from './restore-plan.ts'

/** @throws BackupError that says which time is missing, if the recovered database ended before the promised position */
export async function requireReplayed(connection: EngineConnection, plan: RestorePlan, promisedLsn: Lsn): Promise<void> {
  const replayedLsn = await readReplayed(connection)
  if (replayedLsn >= promisedLsn) return
  const lastMs = plan.wal.findLast(({ endLsn }) => endLsn <= replayedLsn)?.atMs ?? plan.facts.consistentAtMs
  const endMs = plan.wal.at(-1)?.atMs ?? plan.reachedMs
  throw new BackupError(
    `the WAL of ${plan.archive.name} cannot be replayed beyond ${time(lastMs)}: what was acknowledged after it, until ${time(endMs)}, is missing. ` +
      `The state before can be restored with --from ${plan.base} --to ${time(lastMs)}`,
  )
}

/** Where the new timeline begins, which PostgreSQL starts at the end of a recovery. */
async function readReplayed(connection: EngineConnection): Promise<Lsn> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const { rows } = await client.query<{ history: string }>(
      `select pg_read_file('pg_wal/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) || '.history') as history`,
    )
    const last = rows[0]?.history.trim().split('\n').at(-1)
    return parseLsn(last?.split('\t')[1] ?? '')
  } finally {
    await client.end()
  }
}

const time = (atMs: number): string => new Date(atMs).toISOString()
