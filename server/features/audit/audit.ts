// The audit log: written in the transaction of the action, append-only, readable by admins.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { AuditAction } from '#shared/audit/audit-actions.ts'

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
