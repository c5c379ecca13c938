// Reads the audit log, and records denied requests that no feature sees.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { escapeLike } from '#server/db/escape-like.ts'
import type { Limits } from '#server/http/rate-limiter.ts'
import type { AuditRow } from '#shared/audit/contract.ts'
import { writeAudit, type AuditAction } from './audit.ts'

const rowsPerPage = 50
/** A user who probes admin routes all day must not fill the disk. */
const rejectionLimit = { hitsMax: 30, windowMs: 60 * 60_000 }

export type AuditService = ReturnType<typeof auditService>

export function auditService(options: { db: Db; limits: Limits; now: () => number }) {
  const { db, limits, now } = options
  return {
    /** Newest first, 50 per page; `before` is the last id of the previous page, `search` a substring of actor, action or target. */
    async list(filter: { before?: string | undefined; search?: string | undefined }): Promise<AuditRow[]> {
      let query = db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(rowsPerPage)
      if (filter.before !== undefined) query = query.where('id', '<', filter.before)
      if (filter.search !== undefined && filter.search !== '') {
        query = query.where(sql<boolean>`lower(actor || ' ' || action || ' ' || target) like lower(${`%${escapeLike(filter.search)}%`})`)
      }
      const rows = await query.execute()
      return rows.map((row) => ({
        id: row.id,
        at: row.at.toISOString(),
        actor: row.actor,
        action: row.action,
        target: row.target,
        address: row.address,
        details: JSON.stringify(row.details),
      }))
    },

    /** The newest row of these actions, or null. */
    async latest(actions: readonly AuditAction[]): Promise<{ at: string; actor: string; action: string } | null> {
      const row = await db
        .selectFrom('audit_log')
        .select(['at', 'actor', 'action'])
        .where('action', 'in', actions)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row === undefined ? null : { ...row, at: row.at.toISOString() }
    },

    /** A signed-in user was denied an admin route; at most 30 per hour and user are recorded. */
    async accessRejected(actor: { id: string; email: string }, route: string, address: string): Promise<void> {
      if ((await limits.hit(`access-refused:${actor.id}`, rejectionLimit)) !== undefined) return
      await writeAudit(db, { at: new Date(now()), actor, action: 'access-refused', target: { id: null, name: route }, address })
    },
  }
}
