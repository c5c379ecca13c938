// The retention job: deletes what the privacy page promises to delete after a time. Any process may run it.
import { sql } from 'kysely'
import { dayMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { retention } from '#shared/privacy/retention.ts'
import { eraseAccount, forgetNames } from './erase.ts'
import { privacyRepository } from './repository.ts'

/** Maximum accounts erased per run; the next run continues. */
const erasedMax = 100
/** By then calls that were in progress during an erasure have ended. */
const repairMs = dayMs
/** Placeholder user: the reference of a payment remains claimed when its payer is deleted. */
const erasedUserId = '00000000-0000-0000-0000-000000000000'

/** Deletes data past its retention period. Sessions, counters and links are cleaned up by their own service. */
export async function sweepPersonalData(options: { db: Db; presence: Presence; now: () => number }): Promise<void> {
  const { db, presence, now } = options
  const at = new Date(now())
  for (const id of await privacyRepository(db).withdrawnBefore(new Date(now() - retention.withdrawnMs), erasedMax)) {
    const ended = await db.transaction().execute(async (transaction) => {
      // Consented again since the list was read.
      const account = await privacyRepository(transaction).lockAccount(id)
      return account === undefined || account.consent_withdrawn_at === null ? [] : eraseAccount(transaction, id, { at, address: '' })
    })
    if (typeof ended !== 'string') for (const sessionId of ended) await presence.leaveSession(sessionId)
  }
  await endBrokerConnections(db, now())
  await repairLog(db, new Date(now() - repairMs))
  await endAccessLog(db, new Date(now() - retention.accessLogMs))
  await endAccounting(db, new Date(now() - retention.accountingMs))
}

/** Broker keys of unfinished logins, or of users without premium for a while. */
async function endBrokerConnections(db: Db, nowMs: number): Promise<void> {
  await sql`delete from broker_connections using users where users.id = user_id
    and ((session_at is null and broker_connections.created_at < ${new Date(nowMs - retention.brokerLoginMs)})
      or (role <> 'admin' and coalesce(premium_end, 'epoch') < ${new Date(nowMs - retention.brokerAfterPremiumMs)}))`.execute(db)
}

async function repairLog(db: Db, since: Date): Promise<void> {
  const fresh = await db.selectFrom('erasures').select('user_id').where('at', '>', since).execute()
  for (const { user_id: id } of fresh) await forgetNames(db, id)
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
