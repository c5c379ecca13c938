// The log of who did what to whom: written in the transaction of the act, never changed, readable by admins.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

export type AuditAction =
  | 'sign-in'
  | 'sign-in-failed'
  | 'access-refused'
  | 'password-reset'
  | 'password-changed'
  | 'email-confirmed'
  | 'email-changed'
  | 'second-factor-added'
  | 'second-factor-removed'
  | 'second-factor-reset'
  | 'recovery-codes-made'
  | 'udf-key-created'
  | 'udf-key-revoked'
  | 'subscription-accept'
  | 'subscription-decline'
  | 'subscription-suspend'
  | 'subscription-months'
  | 'plan-created'
  | 'plan-updated'
  | 'plan-deleted'
  | 'users-exported'
  | 'users-read'
  | 'data-exported'
  | 'account-erased'
  | 'market-licences'
  | 'instrument-changed'
  | 'broker-connected'
  | 'broker-renewed'
  | 'broker-disconnected'
  | 'candles-imported'
  | 'candles-verified'
  | 'database-imported'

export interface AuditEntry {
  readonly at: Date
  /** Null where nobody is signed in; without an id where it is no account, such as the configuration. */
  readonly actor: { readonly id: string | null; readonly email: string } | null
  readonly action: AuditAction
  readonly target: { readonly id: string | null; readonly name: string }
  /** Address that the act came from, as limits count it. */
  readonly address: string
  /** Before and after, and what else explains the act; never a password, a token or an image. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Who runs a command on the machine of the database. */
export const operatorActor = { id: null, email: 'operator at the machine' } as const

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

/** Appends the row unless the newest one of its action has the same details: for what is set from outside and only looked at. */
export async function writeAuditOnChange(db: Db, entry: AuditEntry): Promise<void> {
  const details = JSON.stringify(entry.details ?? {})
  const { rows } = await sql<{ is_known: boolean }>`
    select details = ${details}::jsonb as is_known from audit_log where action = ${entry.action} order by id desc limit 1`.execute(db)
  if (rows[0]?.is_known !== true) await writeAudit(db, entry)
}
