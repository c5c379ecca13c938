// The job that ends keeping: what the privacy page says is gone after a time goes here. Any process may run it.
import { sql } from 'kysely'
import { dayMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { accessLogMs, accountingMs, brokerAfterPremiumMs, brokerLoginMs, withdrawnMs } from '#shared/privacy/retention.ts'
import { eraseAccount, forgetNames } from './erase.ts'
import { privacyRepository } from './repository.ts'

/** Accounts that one run erases at most; the next run goes on. */
const erasedMax = 100
/** Calls that were under way when an account was erased have ended by then. */
const repairMs = dayMs
/** Stands for nobody: the reference of a payment stays claimed when its payer is forgotten. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** Erases what may be kept no longer. Sessions, counters and links are swept by the service that owns them. */
export async function sweepPersonalData(needs: { db: Db; presence: Presence; now: () => number }): Promise<void> {
  const { db, presence, now } = needs
  const at = new Date(now())
  for (const id of await privacyRepository(db).withdrawnBefore(new Date(now() - withdrawnMs), erasedMax)) {
    const ended = await db.transaction().execute(async (transaction) => {
      // Given again since the list was read.
      const account = await privacyRepository(transaction).lockAccount(id)
      return account === undefined || account.consent_withdrawn_at === null ? [] : eraseAccount(transaction, id, { at, address: '' })
    })
    if (typeof ended !== 'string') for (const sessionId of ended) await presence.leaveSession(sessionId)
  }
  await endBrokerConnections(db, now())
  await repairLog(db, new Date(now() - repairMs))
  await endAccessLog(db, new Date(now() - accessLogMs))
  await endAccounting(db, new Date(now() - accountingMs))
}

/** Keys of brokers whose login was never finished, or whose user has been without premium for a while. */
async function endBrokerConnections(db: Db, nowMs: number): Promise<void> {
  await sql`delete from broker_connections using users where users.id = user_id
    and ((session_at is null and broker_connections.created_at < ${new Date(nowMs - brokerLoginMs)})
      or (role <> 'admin' and coalesce(premium_end, 'epoch') < ${new Date(nowMs - brokerAfterPremiumMs)}))`.execute(db)
}

async function repairLog(db: Db, since: Date): Promise<void> {
  const fresh = await db.selectFrom('erasures').select('user_id').where('at', '>', since).execute()
  for (const { user_id: id } of fresh) await forgetNames(db, id)
}

/** Sign-ins and refusals go as a whole; of all other acts the address goes, and the act stays. */
async function endAccessLog(db: Db, before: Date): Promise<void> {
  await sql`delete from audit_log where at < ${before} and action in ('sign-in', 'sign-in-failed', 'access-refused')`.execute(db)
  await sql`update audit_log set address = '' where at < ${before} and address <> ''`.execute(db)
}

/** Of an erased account's payments only the claimed reference stays, and it is nobody's. */
async function endAccounting(db: Db, before: Date): Promise<void> {
  const isErased = sql<boolean>`exists (select from erasures where erasures.user_id = old.user_id)`
  await sql`delete from subscription_history old where at < ${before} and ${isErased}`.execute(db)
  await sql`update payment_requests old set user_id = ${nobody}, decided_by = null where created_at < ${before} and ${isErased}`.execute(db)
  await sql`delete from consents using erasures where erasures.user_id = consents.user_id and erasures.at < ${before}`.execute(db)
}
