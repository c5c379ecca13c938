// The audit log: written in the transaction of the action, append-only, read by admins.
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { csvLine } from '#server/http/csv-line.ts'
import type { RateLimiter } from '#server/http/rate-limiter.ts'
import { rejectReversedRange } from '#server/http/serve.ts'
import type { RequestActor } from '#server/http/session.ts'
import type { AuditAction } from '#shared/audit/audit-actions.ts'
import { auditExportMax, type AuditFilter, type AuditRow } from '#shared/audit/contract.ts'
import { auditSentence } from '#shared/audit/audit-sentence.ts'
import { formatNumber } from '#shared/base/format-number.ts'
import { auditText } from '#shared/audit/text/en.ts'
import { readAudit } from './repository.ts'

const rowsPerPage = 50
const rowsPerBatch = 1000
/** A user who probes admin routes all day must not fill the disk. */
const rejectionLimit = { hitsMax: 30, windowMs: 60 * 60_000 }

export interface AuditEntry {
  readonly at: Date
  /** Null if no user is signed in; without an id if the actor is not an account, such as the configuration. */
  readonly actor: { readonly id: string | null; readonly email: string } | null
  readonly action: AuditAction
  readonly target: { readonly id: string | null; readonly name: string }
  /** Client address, grouped as for rate limits. */
  readonly address: string
  /** Before and after, and other details of the action; never a password, a token or an image. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Actor of commands that run on the database's machine. */
export const operatorActor = { id: null, email: 'operator at the machine' } as const

/** Appends one row; pass the transaction of the action, so that both are committed or neither. */
export async function writeAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({
      at: entry.at,
      actor_id: entry.actor?.id ?? null,
      actor: entry.actor?.email ?? 'nobody',
      action: entry.action,
      target_id: entry.target.id,
      target: entry.target.name,
      address: entry.address,
      details: JSON.stringify(entry.details ?? {}),
    })
    .execute()
}

/** Appends the row unless the newest one of its action has the same details: for external state that is only observed. */
export async function writeAuditOnChange(db: Db, entry: AuditEntry): Promise<void> {
  const details = JSON.stringify(entry.details ?? {})
  const { rows } = await sql<{ is_known: boolean }>`
    select details = ${details}::jsonb as is_known from audit_log where action = ${entry.action} order by id desc limit 1`.execute(db)
  if (rows[0]?.is_known !== true) await writeAudit(db, entry)
}

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
