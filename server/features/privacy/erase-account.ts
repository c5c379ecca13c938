// Erases accounts: deletes personal data, keeps required records under the id only, and pseudonymises the audit log.
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { OutageError } from '#server/outages/outage-error.ts'
import { privacyRepository } from './repository.ts'

/** Accounts read at once, and about the most that one run erases; the next run continues. */
const batchSize = 100

type Locked = NonNullable<Awaited<ReturnType<ReturnType<typeof privacyRepository>['lockAccount']>>>

/**
 * Erases an account; pass a separate transaction. Returns the ids of the ended sessions, or why nothing was done.
 * `address` is the client address, empty for a job.
 * Kept: payments with their decisions and history, the access log of the last year, proof of consent, and the audit
 * log, all with the account's id or pseudonym and without a name. Claimed references remain claimed.
 */
export async function eraseAccount(
  transaction: Db,
  userId: string,
  { at, address }: { readonly at: Date; readonly address: string },
): Promise<readonly string[] | 'gone' | 'last-admin'> {
  const repository = privacyRepository(transaction)
  const isAdmin = (await repository.findAccount(userId))?.role === 'admin'
  // Locks all admins before the caller's row, so that the second of two who leave at once sees that it is the last.
  const admins = isAdmin ? await repository.lockAdmins() : []
  const account = await repository.lockAccount(userId)
  if (account === undefined) return 'gone'
  if (account.role === 'admin' && admins.every((id) => id === userId)) return 'last-admin'

  await closeSubscription(transaction, account, at)
  const sessions = await endSessions(transaction, userId, at)
  await transaction.insertInto('erasures').values({ user_id: userId, at }).execute()
  // Presence, chart settings, workspace, drawings and password links are deleted by cascade.
  await transaction.deleteFrom('users').where('id', '=', userId).execute()
  await forgetInLog(transaction, userId, account.search)
  // The database writes the pseudonym and the hash of the address.
  await writeAudit(transaction, {
    at,
    actor: { id: userId, email: 'erased' },
    action: 'account-erased',
    target: { id: userId, name: 'erased' },
    address,
  })
  return sessions
}

interface DueAccounts {
  readonly db: Db
  readonly presence: Presence
  readonly onError: (error: unknown) => void
  readonly at: Date
  /** Ids of accounts that are due, without those that this run has tried. */
  readonly find: (tried: readonly string[], limit: number) => Promise<readonly string[]>
  /** Locks the account. */
  readonly isStillDue: (transaction: Db, id: string) => Promise<boolean>
}

/** Each in its own transaction, so that one with an error does not block the others. @throws Error at the end if there were such */
export async function eraseDueAccounts({ db, presence, onError, at, find, isStillDue }: DueAccounts): Promise<void> {
  const tried: string[] = []
  let failed = 0
  async function erase(id: string): Promise<void> {
    tried.push(id)
    const ended = await db
      .transaction()
      .execute(async (transaction) => ((await isStillDue(transaction, id)) ? eraseAccount(transaction, id, { at, address: '' }) : []))
    if (typeof ended !== 'string') await Promise.all(ended.map((sessionId) => presence.leaveSession(sessionId).catch(onError)))
  }
  while (tried.length - failed < batchSize) {
    const ids = await find(tried, batchSize)
    if (ids.length === 0) break
    for (const id of ids) {
      await erase(id).catch((error: unknown) => {
        if (error instanceof OutageError) throw error
        failed += 1
        onError(new Error(`account ${id} could not be erased`, { cause: error }))
      })
    }
  }
  if (failed > 0) throw new Error(`${failed} of ${tried.length} accounts could not be erased`)
}

export interface Erasure {
  readonly userId: string
  /** Epoch milliseconds. */
  readonly atMs: number
}

/**
 * Repeats erasures on a database that no server uses. Accounts that do not exist are skipped.
 * @returns how many were erased, and the accounts that cannot be, with the reason
 */
export async function repeatErasures(db: Db, erasures: readonly Erasure[]): Promise<{ erased: number; remaining: Map<string, string> }> {
  let erased = 0
  const remaining = new Map<string, string>()
  for (const { userId, atMs } of erasures) {
    try {
      const outcome = await db
        .transaction()
        .execute((transaction) => eraseAccount(transaction, userId, { at: new Date(atMs), address: '' }))
      if (outcome === 'last-admin') remaining.set(userId, 'it is the only admin; erase it when there is another one')
      else if (outcome !== 'gone') erased += 1
    } catch (error) {
      if (error instanceof OutageError) throw error
      remaining.set(userId, `it could not be erased: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { erased, remaining }
}

/** Declines a pending request and ends a running term; the history records the reason. */
async function closeSubscription(transaction: Db, account: Locked, at: Date): Promise<void> {
  const { id, status } = account
  const declined = await transaction
    .updateTable('payment_requests')
    .set({ status: 'declined', decided_at: at })
    .where('user_id', '=', id)
    .where('status', '=', 'pending')
    .returning('id')
    .executeTakeFirst()
  // The typed text may contain more than the bank's number, which is all that accounting needs.
  await sql`update payment_requests set reference_raw = reference where user_id = ${id} and reference_raw <> reference`.execute(transaction)
  if (status !== 'pending' && status !== 'paid') return
  await transaction
    .insertInto('subscription_history')
    .values({
      user_id: id,
      request_id: declined?.id ?? null,
      actor_id: id,
      command: status === 'pending' ? 'decline' : 'suspend',
      reason: 'account erased',
      at,
      status_before: status,
      status_after: 'cancel',
      premium_end_before: account.premium_end,
      premium_end_after: account.premium_end !== null && account.premium_end > at ? at : account.premium_end,
      months_after: account.subscription_months,
    })
    .execute()
}

async function endSessions(transaction: Db, userId: string, at: Date): Promise<string[]> {
  const rows = await transaction
    .updateTable('sessions')
    .set({ ended_at: at, end_reason: 'account erased' })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/**
 * Removes the user's name, email and address from the log; ids, actions and a pseudonym are kept. Also removes the search of
 * an admin's export if it matches this user and no other: a search that matches others is not about this user.
 */
async function forgetInLog(transaction: Db, userId: string, search: string): Promise<void> {
  await forgetNames(transaction, userId)
  await sql`update audit_log set details = jsonb_set(details, '{filter,search}', to_jsonb(pseudonym_of(${userId})), false)
    where action in ('users-exported', 'users-read') and details #>> '{filter,search}' <> ''
      and strpos(${search}::text, lower(details #>> '{filter,search}')) > 0
      and not exists (select from users where strpos(users.search, lower(details #>> '{filter,search}')) > 0)`.execute(transaction)
}

/** Names and addresses of one erased user in the log; also covers what concurrent calls have written. */
export async function forgetNames(db: Db, userId: string): Promise<void> {
  await sql`update audit_log set
      address = case when coalesce(actor_id, target_id) = ${userId} then hash_address(address) else address end,
      actor = case when actor_id = ${userId} then pseudonym_of(actor_id) else actor end,
      target = case when target_id = ${userId} then pseudonym_of(target_id) else target end
    where ${isNamed(sql.val(userId))}`.execute(db)
}

/** A row of the log that has the name or the address of an erased user. */
export function isNamed(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`((actor_id = ${userId} and (actor <> pseudonym_of(actor_id) or address <> hash_address(address)))
    or (target_id = ${userId} and (target <> pseudonym_of(target_id) or (actor_id is null and address <> hash_address(address)))))`
}
