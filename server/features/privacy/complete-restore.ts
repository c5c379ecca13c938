// The last steps of a restore, on the recovered database: schema, erasures, sessions, audit log.
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { operatorActor, writeAudit } from '#server/features/audit/service.ts'
import { repeatErasures, type Erasure } from './erase-account.ts'

export interface CompleteRestoreOptions {
  readonly erasures: readonly Erasure[]
  /** Moment that was restored, in epoch milliseconds; undefined for the newest one. */
  readonly toMs: number | undefined
  /** What was restored, for the audit log: the name of a base backup, or "PostgreSQL server". */
  readonly restored: string
  readonly now: () => number
  readonly log: (line: string) => void
}

/**
 * Erases again who was erased since the moment that was restored. A restore to an earlier moment also ends all sessions,
 * because it brings back those that were ended since.
 */
export async function completeRestore(database: Database, options: CompleteRestoreOptions): Promise<void> {
  const { erasures, toMs, restored, now, log } = options
  const { db } = database
  await migrate(database, log)
  const { erased, remaining } = await repeatErasures(db, erasures)
  if (erased > 0) log(`${erased} accounts that were erased later are erased again`)
  for (const [id, reason] of remaining) log(`WARNING: the erased account ${id} is back, because ${reason}`)
  const at = new Date(now())
  if (toMs !== undefined)
    await db.updateTable('sessions').set({ ended_at: at, end_reason: 'restored' }).where('ended_at', 'is', null).execute()
  const details = { to: toMs === undefined ? null : new Date(toMs).toISOString(), erased, kept: [...remaining.keys()] }
  const target = { id: null, name: restored }
  await writeAudit(db, { at, actor: operatorActor, action: 'database-restored', target, address: '', details })
}
