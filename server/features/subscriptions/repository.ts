// The SQL of requests and of the subscription history, and of the user columns that project them.
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { HistoryCommand, StateBefore, Tables } from '#server/db/tables.ts'
import type { SubscriptionStatus } from '#shared/subscriptions/subscription-status.ts'
import type { PlanType } from '#shared/plans/plan.ts'

const subscriberColumns = [
  'id',
  'name',
  'email',
  'status',
  'premium_start',
  'premium_end',
  'anchor_day',
  'subscription_months',
  'payment_type',
  'utr_no',
] as const

/** The columns of a user that are about the subscription. */
export type Subscriber = Pick<Selectable<Tables['users']>, (typeof subscriberColumns)[number]>

interface Change {
  readonly requestId?: string | null
  readonly actorId: string | null
  readonly command: HistoryCommand
  readonly reason?: string | null
  readonly at: Date
  readonly after: { readonly status: SubscriptionStatus | null; readonly premiumEnd: Date | null; readonly months: number }
  /** Makes the change one that can be undone. */
  readonly stateBefore?: StateBefore
  readonly undoes?: string
}

/** Queries on one database or transaction; those that decide lock the user's row first. */
export class SubscriptionsRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  findUser(id: string) {
    return this.#db.selectFrom('users').select(subscriberColumns).where('id', '=', id).executeTakeFirst()
  }

  /** Locks the user's row until the transaction ends, as every change of a subscription does. */
  lockUser(id: string) {
    return this.#db.selectFrom('users').select(subscriberColumns).where('id', '=', id).forUpdate().executeTakeFirst()
  }

  lockUserByEmail(email: string) {
    return this.#db.selectFrom('users').select(subscriberColumns).where('email', '=', email).forUpdate().executeTakeFirst()
  }

  updateUser(id: string, values: Updateable<Pick<Tables['users'], (typeof subscriberColumns)[number]>>) {
    return this.#db.updateTable('users').set(values).where('id', '=', id).execute()
  }

  findPlan(type: PlanType) {
    return this.#db.selectFrom('plans').select(['months', 'price_minor']).where('type', '=', type).executeTakeFirst()
  }

  /** The new request's id, or undefined if any user has claimed the reference before. */
  insertRequest(request: Insertable<Tables['payment_requests']>) {
    return this.#db
      .insertInto('payment_requests')
      .values(request)
      .onConflict((conflict) => conflict.column('reference').doNothing())
      .returning('id')
      .executeTakeFirst()
  }

  latestRequest(userId: string) {
    return this.#db
      .selectFrom('payment_requests')
      .select(['id', 'status', 'months', 'reference', 'type', 'decided_at', 'decided_by'])
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
  }

  decideRequest(id: string, status: 'accepted' | 'declined', at: Date, adminId: string) {
    return this.#db.updateTable('payment_requests').set({ status, decided_at: at, decided_by: adminId }).where('id', '=', id).execute()
  }

  /** Puts a request back into the state that a decision has changed. */
  restoreRequest({ id, status, decidedAt, decidedBy }: NonNullable<StateBefore['request']>) {
    const values = { status, decided_at: decidedAt === null ? null : new Date(decidedAt), decided_by: decidedBy }
    return this.#db.updateTable('payment_requests').set(values).where('id', '=', id).execute()
  }

  /** Records a change of the user as it was before. Returns the id of the new row. */
  async addHistory(user: Subscriber, change: Change): Promise<string> {
    const { id } = await this.#db
      .insertInto('subscription_history')
      .values({
        user_id: user.id,
        request_id: change.requestId ?? null,
        actor_id: change.actorId,
        command: change.command,
        reason: change.reason ?? null,
        at: change.at,
        status_before: user.status,
        status_after: change.after.status,
        premium_end_before: user.premium_end,
        premium_end_after: change.after.premiumEnd,
        months_after: change.after.months,
        state_before: change.stateBefore === undefined ? null : JSON.stringify(change.stateBefore),
        undoes: change.undoes ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  latestChange(userId: string) {
    return this.#db
      .selectFrom('subscription_history')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  }

  /** The last of these changes that was not undone. */
  lastOf(userId: string, commands: readonly HistoryCommand[]) {
    return this.#db
      .selectFrom('subscription_history as change')
      .selectAll()
      .where('user_id', '=', userId)
      .where('command', 'in', commands)
      .where((expression) => {
        const undo = expression.selectFrom('subscription_history as undo').select('undo.id').whereRef('undo.undoes', '=', 'change.id')
        return expression.not(expression.exists(undo))
      })
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  }

  historyOf(userId: string) {
    return this.#db
      .selectFrom('subscription_history')
      .leftJoin('users as actors', 'actors.id', 'subscription_history.actor_id')
      .leftJoin('payment_requests as requests', 'requests.id', 'subscription_history.request_id')
      .selectAll('subscription_history')
      .select(['actors.email as actor_email', 'requests.type', 'requests.price_minor', 'requests.reference_raw'])
      .where('subscription_history.user_id', '=', userId)
      .orderBy('subscription_history.id', 'desc')
      .limit(200)
      .execute()
  }

  /** Number of users in each state at an instant; `overdue` has ended but is not marked yet. Reads the whole table. */
  async countByState(now: Date) {
    const counts = { pending: 0, active: 0, overdue: 0, cancelled: 0 }
    const { rows } = await sql<{ state: keyof typeof counts; count: string }>`
        select case status when 'pending' then 'pending' when 'cancel' then 'cancelled'
            else case when premium_end > ${now} then 'active' else 'overdue' end end as state, count(*) as count
          from users where status is not null group by 1`.execute(this.#db)
    for (const { state, count } of rows) counts[state] = Number(count)
    return counts
  }

  /** Users whose paid term is over, locked; rows locked by another process are skipped. */
  lockExpired(now: Date, limit: number) {
    return this.#db
      .selectFrom('users')
      .select(subscriberColumns)
      .where('status', '=', 'paid')
      .where('premium_end', '<=', now)
      .orderBy('premium_end')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute()
  }

  pendingRequests() {
    return this.#db
      .selectFrom('payment_requests as requests')
      .innerJoin('users', 'users.id', 'requests.user_id')
      .select((expression) => [
        'requests.id',
        'requests.user_id',
        'users.name',
        'users.email',
        'users.phone',
        'requests.type',
        'requests.months',
        'requests.price_minor',
        'requests.reference_raw',
        'requests.reference',
        'requests.rail',
        'requests.created_at',
        expression
          .selectFrom('payment_requests as earlier')
          .select(expression.fn.countAll<string>().as('count'))
          .whereRef('earlier.user_id', '=', 'requests.user_id')
          .whereRef('earlier.id', '!=', 'requests.id')
          .as('earlier_requests'),
      ])
      .where('requests.status', '=', 'pending')
      .orderBy('requests.created_at')
      .limit(500)
      .execute()
  }
}
