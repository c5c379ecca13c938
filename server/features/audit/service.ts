// Reads the audit log, and records denied requests that no feature sees.
import { Readable } from 'node:stream'
import type { Db } from '#server/db/database.ts'
import { csvLine } from '#server/http/csv-export.ts'
import type { RateLimiter } from '#server/http/rate-limiter.ts'
import { rejectReversedRange } from '#server/http/reject-reversed-range.ts'
import type { RequestActor } from '#server/http/request-actor.ts'
import type { AuditAction } from '#shared/audit/audit-actions.ts'
import { auditExportMax, type AuditFilter, type AuditRow } from '#shared/audit/contract.ts'
import { auditSentence } from '#shared/audit/audit-sentence.ts'
import { formatNumber } from '#shared/base/format-number.ts'
import { auditText } from '#shared/text/en/audit.ts'
import { readAudit } from './audit-filter.ts'
import { writeAudit } from './audit.ts'

const rowsPerPage = 50
const rowsPerBatch = 1000
/** A user who probes admin routes all day must not fill the disk. */
const rejectionLimit = { hitsMax: 30, windowMs: 60 * 60_000 }

export type AuditService = ReturnType<typeof auditService>

export function auditService(options: { db: Db; rateLimiter: RateLimiter; now: () => number }) {
  const { db, rateLimiter, now } = options
  return {
    /** Newest first, 50 per page; `before` is the last id of the previous page. @throws AppError invalid (`to` is before `from`) */
    async list(filter: AuditFilter & { before?: string | undefined }): Promise<AuditRow[]> {
      rejectReversedRange(filter)
      return readAudit(db, filter, rowsPerPage)
    },

    /**
     * The newest 100,000 entries of a filter as CSV, streamed in batches; the export is logged first, without the names
     * that were searched for. @throws AppError invalid
     */
    async exportCsv(admin: RequestActor, filter: AuditFilter): Promise<Readable> {
      rejectReversedRange(filter)
      const { actor: _, target: __, ...shown } = filter
      const target = { id: null, name: 'audit log' }
      const details = { filter: shown }
      await writeAudit(db, { at: new Date(now()), actor: admin, action: 'audit-exported', target, address: admin.address, details })
      return Readable.from(csvOf(db, filter))
    },

    /** The newest row of these actions, or null. */
    async latest<Action extends AuditAction>(actions: readonly Action[]): Promise<{ at: string; actor: string; action: Action } | null> {
      const row = await db
        .selectFrom('audit_log')
        .select(['at', 'actor', 'action'])
        .where('action', 'in', actions)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row === undefined ? null : { ...row, action: row.action as Action, at: row.at.toISOString() }
    },

    /** A signed-in user was denied an admin route; at most 30 per hour and user are recorded. */
    async accessRejected(actor: { id: string; email: string }, route: string, address: string): Promise<void> {
      if ((await rateLimiter.hit(`access-refused:${actor.id}`, rejectionLimit)) !== undefined) return
      await writeAudit(db, { at: new Date(now()), actor, action: 'access-refused', target: { id: null, name: route }, address })
    },
  }
}

async function* csvOf(db: Db, filter: AuditFilter): AsyncGenerator<string> {
  const { at, what, action, actor, target, address, details } = auditText.columns
  // The mark says UTF-8 to spreadsheets.
  yield `\uFEFF${csvLine([at, what, action, actor, target, address, details])}`
  let before: string | undefined
  for (let count = 0; count < auditExportMax; count += rowsPerBatch) {
    const rows = await readAudit(db, { ...filter, before }, rowsPerBatch)
    if (rows.length > 0) yield rows.map((row) => csvLine(cellsOf(row))).join('')
    if (rows.length < rowsPerBatch) return
    before = rows.at(-1)?.id
  }
  yield csvLine([auditText.exportEnd(formatNumber(auditExportMax, 0, 'en-IN'))])
}

function cellsOf(row: AuditRow): string[] {
  return [row.at, auditSentence(row), row.action, row.actor, row.target, row.address, row.details]
}
