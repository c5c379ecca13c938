// Accounts whose address is not confirmed and that hold nothing of value: they end, and give way to the owner of the address.
import { sql } from 'kysely'
import { dayMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import { eraseDueAccounts } from '#server/features/privacy/erase-account.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { retention } from '#shared/privacy/retention.ts'
import { FactorRepository } from './factors/factor-repository.ts'
import { AuthRepository } from './repository.ts'

/** An older mail may have confirmed the address: a claim still holds this long. */
const claimMs = dayMs

/** No request waits for a decision, which the erasure would take. */
const isDecided = sql<boolean>`status is distinct from 'pending'
  and not exists (select from payment_requests where user_id = users.id and status = 'pending')`

/** After the last decision about a request the time begins again: it can be undone, and a new one be made. */
const sinceWhen = sql<Date>`greatest(users.created_at, (select max(at) from subscription_history where user_id = users.id))`

/** Queries on one database or transaction, in which the caller has locked the account. */
export class UnprovenAccounts {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** Whether a mailed link gives the account to the owner of its address. */
  async isClaimable(userId: string, at: Date): Promise<boolean> {
    const claimed = await this.#worthless()
      .where('users.id', '=', userId)
      .where((users) => users.or([users('email_confirmed_at', 'is', null), users('claimed_at', '>', new Date(at.getTime() - claimMs))]))
      .executeTakeFirst()
    return claimed !== undefined
  }

  /** Whether an account is unconfirmed and holds nothing of value. */
  async isUnproven(userId: string): Promise<boolean> {
    return (await this.#unproven().where('users.id', '=', userId).executeTakeFirst()) !== undefined
  }

  /** Whether an account may be erased for the owner of its address. */
  async isErasable(userId: string): Promise<boolean> {
    return (await this.#unproven().where('users.id', '=', userId).where(isDecided).executeTakeFirst()) !== undefined
  }

  /** Ids of those that end by now, the oldest first, without some. */
  async endedBy(at: Date, except: readonly string[], limit: number): Promise<string[]> {
    const before = new Date(at.getTime() - retention.unconfirmedMs)
    const rows = await this.#ending()
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
  async endOf(userId: string): Promise<Date | undefined> {
    const row = await this.#ending().select(sinceWhen.as('since')).where('users.id', '=', userId).executeTakeFirst()
    return row === undefined ? undefined : new Date(row.since.getTime() + retention.unconfirmedMs)
  }

  /**
   * Gives the account to the owner of its address: what a stranger has set up in it goes, and consent is asked for again.
   * Requests and their history stay, and an open one waits for its decision.
   * The caller replaces the password and ends the sessions in the same transaction.
   */
  async handOver(
    userId: string,
    { at, name, phone }: { readonly at: Date; readonly name: string | null; readonly phone: string | null },
  ): Promise<{ readonly hasOpenRequest: boolean }> {
    await new FactorRepository(this.#db).deleteAll(userId)
    for (const table of ['broker_connections', 'workspaces', 'drawings', 'chart_settings'] as const)
      await this.#db.deleteFrom(table).where('user_id', '=', userId).execute()
    const { status } = await this.#db
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

  /**
   * Ids of accounts of users without premium and without an accepted payment, now or before. A request that is open or declined
   * counts for nothing, because its reference may be invented.
   */
  #worthless() {
    return this.#db
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

  #unproven() {
    return this.#worthless().where('email_confirmed_at', 'is', null)
  }

  /** Those that end: they could be confirmed from the beginning, by a mail, and never had the role of an admin. */
  #ending() {
    return this.#unproven()
      .where('made_with_mail', '=', true)
      .where(isDecided)
      .where(sql<boolean>`not exists (select from audit_log where target_id = users.id and action = 'role-changed')`)
  }
}

interface EndUnprovenDeps {
  readonly db: Db
  readonly presence: Presence
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

/**
 * Ends accounts whose address was not confirmed in a week. For servers with mail: elsewhere no address can be confirmed.
 * @throws Error if accounts could not be erased, at the end
 */
export function endUnproven(deps: EndUnprovenDeps): Promise<void> {
  const at = new Date(deps.now())
  return eraseDueAccounts({
    ...deps,
    at,
    find: (tried, limit) => new UnprovenAccounts(deps.db).endedBy(at, tried, limit),
    // Confirmed or paid for since the list was read.
    isStillDue: async (transaction, id) => {
      await new AuthRepository(transaction).lockById(id)
      const end = await new UnprovenAccounts(transaction).endOf(id)
      return end !== undefined && end < at
    },
  })
}
