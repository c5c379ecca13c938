// The retention job: deletes what the privacy page promises to delete after a time. Any process may run it.
import { sql } from 'kysely'
import { dayMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { retention } from '#shared/privacy/retention.ts'
import { eraseDueAccounts, forgetNames, isNamed } from './erase-account.ts'
import { privacyRepository } from './repository.ts'

/** By then calls that were in progress during an erasure have ended. */
const repairMs = dayMs
/** Placeholder user: the reference of a payment remains claimed when its payer is deleted. */
const erasedUserId = '00000000-0000-0000-0000-000000000000'

interface RetentionDeps {
  readonly db: Db
  readonly presence: Presence
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

/**
 * Deletes data past its retention period. Sessions, counters and links are cleaned up by their own service.
 * @throws Error if accounts could not be erased, at the end
 */
export async function sweepPersonalData(deps: RetentionDeps): Promise<void> {
  const { db, now } = deps
  await endBrokerConnections(db, now())
  await repairLog(db, new Date(now() - repairMs))
  await endAccessLog(db, new Date(now() - retention.accessLogMs))
  await endAccounting(db, new Date(now() - retention.accountingMs))
  await eraseDueAccounts({
    ...deps,
    at: new Date(now()),
    find: (tried, limit) => privacyRepository(db).withdrawnBefore(new Date(now() - retention.withdrawnMs), tried, limit),
    // Consented again since the list was read.
    isStillDue: async (transaction, id) => ((await privacyRepository(transaction).lockAccount(id))?.consent_withdrawn_at ?? null) !== null,
  })
}

/** Broker keys of unfinished logins, or of users without premium for a while. */
async function endBrokerConnections(db: Db, nowMs: number): Promise<void> {
  await sql`delete from broker_connections using users where users.id = user_id
    and ((session_at is null and broker_connections.created_at < ${new Date(nowMs - retention.brokerLoginMs)})
      or (role <> 'admin' and coalesce(premium_end, 'epoch') < ${new Date(nowMs - retention.brokerAfterPremiumMs)}))`.execute(db)
}

/** Only users whose name a late call has written. */
async function repairLog(db: Db, since: Date): Promise<void> {
  const named = await db
    .selectFrom('erasures')
    .select('user_id')
    .where('at', '>', since)
    .where(sql<boolean>`exists (select from audit_log where ${isNamed(sql.ref('erasures.user_id'))})`)
    .execute()
  for (const { user_id: id } of named) await forgetNames(db, id)
}

/** Sign-ins and denials are deleted; all other actions only lose their address. */
async function endAccessLog(db: Db, before: Date): Promise<void> {
  await sql`delete from audit_log where at < ${before} and action in ('sign-in', 'sign-in-failed', 'access-refused')`.execute(db)
  await sql`update audit_log set address = '' where at < ${before} and address <> ''`.execute(db)
}

/** Of an erased account's payments only the claimed reference is kept, anonymously. */
async function endAccounting(db: Db, before: Date): Promise<void> {
  const isErased = sql<boolean>`exists (select from erasures where erasures.user_id = old.user_id)`
  await sql`delete from subscription_history old where at < ${before} and ${isErased}`.execute(db)
  await sql`update payment_requests old set user_id = ${erasedUserId}, decided_by = null where created_at < ${before} and ${isErased}`.execute(
    db,
  )
  await sql`delete from consents using erasures where erasures.user_id = consents.user_id and erasures.at < ${before}`.execute(db)
}
