// Accounts whose address is not confirmed and that hold nothing of value: they end, and give way to the owner of the address.
import { sql } from 'kysely'
import { dayMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import { retention } from '#shared/privacy/retention.ts'
import { FactorRepository } from './factors/factor-repository.ts'

/** An older mail may have confirmed the address: a claim still holds this long. */
const claimMs = dayMs

/**
 * Ids of accounts of users without premium and without an accepted payment, now or before. A request that is open or declined
 * counts for nothing, because its reference may be invented.
 */
function worthlessAccounts(db: Db) {
  return db
    .selectFrom('users')
    .select('users.id')
    .where('role', '=', 'user')
    .where(sql<boolean>`status is distinct from 'paid'`)
    .where('premium_start', 'is', null)
    .where('premium_end', 'is', null)
    .where(
      // The months of a request are those of the user, also once it is declined.
      sql<boolean>`(subscription_months = 0 or exists (select from payment_requests where user_id = users.id))`,
    )
    .where(sql<boolean>`not exists (select from payment_requests where user_id = users.id and status = 'accepted')`)
    .where(
      sql<boolean>`not exists (select from subscription_history where user_id = users.id and command not in ('submit', 'decline', 'undo'))`,
    )
}

function unprovenAccounts(db: Db) {
  return worthlessAccounts(db).where('email_confirmed_at', 'is', null)
}

/** Whether a mailed link gives the account, locked by the caller, to the owner of its address. */
export async function isClaimable(db: Db, userId: string, at: Date): Promise<boolean> {
  const claimed = await worthlessAccounts(db)
    .where('users.id', '=', userId)
    .where((users) => users.or([users('email_confirmed_at', 'is', null), users('claimed_at', '>', new Date(at.getTime() - claimMs))]))
    .executeTakeFirst()
  return claimed !== undefined
}

/** Whether an account, locked by the caller, is unconfirmed and holds nothing of value. */
export async function isUnproven(db: Db, userId: string): Promise<boolean> {
  return (await unprovenAccounts(db).where('users.id', '=', userId).executeTakeFirst()) !== undefined
}

/** No request waits for a decision, which the erasure would take. */
const isDecided = sql<boolean>`status is distinct from 'pending'
  and not exists (select from payment_requests where user_id = users.id and status = 'pending')`

/** Whether an account, locked by the caller, may be erased for the owner of its address. */
export async function isFree(db: Db, userId: string): Promise<boolean> {
  return (await unprovenAccounts(db).where('users.id', '=', userId).where(isDecided).executeTakeFirst()) !== undefined
}

/** After the last decision about a request the time begins again: it can be undone, and a new one be made. */
const sinceWhen = sql<Date>`greatest(users.created_at, (select max(at) from subscription_history where user_id = users.id))`

/** Those that end: they could be confirmed from the beginning, by a mail, and never had the role of an admin. */
function endingAccounts(db: Db) {
  return unprovenAccounts(db)
    .where('made_with_mail', '=', true)
    .where(isDecided)
    .where(sql<boolean>`not exists (select from audit_log where target_id = users.id and action = 'role-changed')`)
}

/** Ids of those but some that end by now, the oldest first. */
export async function endedBy(db: Db, at: Date, except: readonly string[], limit: number): Promise<string[]> {
  const before = new Date(at.getTime() - retention.unconfirmedMs)
  const rows = await endingAccounts(db)
    // The index has the date of the account.
    .where('created_at', '<', before)
    .where(sinceWhen, '<', before)
    .where('users.id', '<>', sql<string>`all(${except}::uuid[])`)
    .orderBy('created_at')
    .orderBy('users.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** When an account ends unless it is confirmed, paid for or promoted; undefined if it stays. */
export async function endOf(db: Db, userId: string): Promise<Date | undefined> {
  const row = await endingAccounts(db).select(sinceWhen.as('since')).where('users.id', '=', userId).executeTakeFirst()
  return row === undefined ? undefined : new Date(row.since.getTime() + retention.unconfirmedMs)
}

/**
 * Gives the account to the owner of its address: what a stranger has set up in it goes, and consent is asked for again.
 * Requests and their history stay, and an open one waits for its decision.
 * The caller replaces the password and ends the sessions in the same transaction.
 */
export async function handOver(
  db: Db,
  userId: string,
  { at, name, phone }: { readonly at: Date; readonly name: string | null; readonly phone: string | null },
): Promise<{ readonly hasOpenRequest: boolean }> {
  await new FactorRepository(db).deleteAll(userId)
  for (const table of ['broker_connections', 'workspaces', 'drawings', 'chart_settings'] as const)
    await db.deleteFrom(table).where('user_id', '=', userId).execute()
  const { status } = await db
    .updateTable('users')
    .set({
      email_confirmed_at: at,
      claimed_at: null,
      consent_notice: null,
      consent_withdrawn_at: null,
      ...(name === null ? {} : { name }),
      ...(phone === null ? {} : { phone }),
    })
    .where('id', '=', userId)
    .returning('status')
    .executeTakeFirstOrThrow()
  return { hasOpenRequest: status === 'pending' }
}
