// The last steps of a restore, on the recovered database: schema, erasures, sessions, audit log.
import type { Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { operatorActor, writeAudit } from './features/audit/service.ts'
import { repeatErasures } from './features/privacy/erase-account.ts'

export interface CompleteRestoreOptions {
  readonly erasures: readonly { readonly userId: string; readonly atMs: number }[]
  /** Moment that was restored, in epoch milliseconds; undefined for the newest one. */
  readonly toMs: number | undefined
  /** Name of the base backup. */
  readonly base: string
  readonly now: () => number
  readonly log: (line: string) => void
}

/**
 * Erases again who was erased since the moment that was restored. A restore to an earlier moment also ends all sessions,
 * because it brings back those that were ended since.
 */
export async function completeRestore(database: Database, options: CompleteRestoreOptions): Promise<void> {
  const { erasures, toMs, base, now, log } = options
  const { db } = database
  await migrate(database, log)
  const { erased, kept } = await repeatErasures(db, erasures)
  if (erased > 0) log(`${erased} accounts that were erased later are erased again`)
  for (const [id, reason] of kept) log(`WARNING: the erased account ${id} is back, because ${reason}`)
  const at = new Date(now())
  if (toMs !== undefined)
    await db.updateTable('sessions').set({ ended_at: at, end_reason: 'restored' }).where('ended_at', 'is', null).execute()
  const details = { to: toMs === undefined ? null : new Date(toMs).toISOString(), erased, kept: [...kept.keys()] }
  const target = { id: null, name: base }
  await writeAudit(db, { at, actor: operatorActor, action: 'database-restored', target, address: '', details })
}
