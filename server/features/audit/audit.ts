// The log of who did what to whom: written in the transaction of the act, never changed, readable by admins.
import type { Db } from '#server/db/database.ts'

export type AuditAction =
  | 'sign-in'
  | 'sign-in-failed'
  | 'access-refused'
  | 'password-reset'
  | 'password-changed'
  | 'subscription-accept'
  | 'subscription-decline'
  | 'subscription-suspend'
  | 'subscription-months'
  | 'plan-created'
  | 'plan-updated'
  | 'plan-deleted'
  | 'users-exported'

export interface AuditEntry {
  readonly at: Date
  /** Null where nobody is signed in. */
  readonly actor: { readonly id: string; readonly email: string } | null
  readonly action: AuditAction
  readonly target: { readonly id: string | null; readonly name: string }
  /** Address that the act came from, as limits count it. */
  readonly address: string
  /** Before and after, and what else explains the act; never a password, a token or an image. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Appends one row; give it the transaction of the act, so that neither is there without the other. */
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
