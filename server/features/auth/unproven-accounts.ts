// Accounts whose address nobody has proved and that hold nothing of value: they end, and give way to the owner of the address.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { retention } from '#shared/privacy/retention.ts'
import { FactorRepository } from './factors/factor-repository.ts'

/** Ids of unconfirmed accounts of users without a request and without a history of premium. */
function unprovenAccounts(db: Db) {
  return db
    .selectFrom('users')
    .select('users.id')
    .where('email_confirmed_at', 'is', null)
    .where('role', '=', 'user')
    .where('status', 'is', null)
    .where('premium_start', 'is', null)
    .where('premium_end', 'is', null)
    .where('subscription_months', '=', 0)
    .where(sql<boolean>`not exists (select from payment_requests where payment_requests.user_id = users.id)`)
    .where(sql<boolean>`not exists (select from subscription_history where subscription_history.user_id = users.id)`)
}

/** Whether an account, locked by the caller, is one of them. */
export async function isUnproven(db: Db, userId: string): Promise<boolean> {
  return (await unprovenAccounts(db).where('users.id', '=', userId).executeTakeFirst()) !== undefined
}

/** Those that end: they could be confirmed from the beginning, by a mail. */
export function endingAccounts(db: Db) {
  return unprovenAccounts(db).where('made_with_mail', '=', true)
}

/** When an account ends unless it is confirmed, paid for or promoted; undefined if it stays. */
export async function endOf(db: Db, userId: string): Promise<Date | undefined> {
  const row = await endingAccounts(db).select('created_at').where('users.id', '=', userId).executeTakeFirst()
  return row === undefined ? undefined : new Date(row.created_at.getTime() + retention.unconfirmedMs)
}

/**
 * Gives the account to the owner of its address: what a stranger has set up in it goes, and consent is asked for again.
 * The caller replaces the password and ends the sessions in the same transaction.
 */
export async function handOver(
  db: Db,
  userId: string,
  { at, name, phone }: { readonly at: Date; readonly name: string | null; readonly phone: string | null },
): Promise<void> {
  await new FactorRepository(db).deleteAll(userId)
  for (const table of ['broker_connections', 'workspaces', 'drawings', 'chart_settings'] as const)
    await db.deleteFrom(table).where('user_id', '=', userId).execute()
  await db
    .updateTable('users')
    .set({
      email_confirmed_at: at,
      consent_notice: null,
      consent_withdrawn_at: null,
      ...(name === null ? {} : { name }),
      ...(phone === null ? {} : { phone }),
    })
    .where('id', '=', userId)
    .execute()
}
