// Use cases of a subscription: claim a payment, decide on it, change its months, expire it.
import type { RequestActor } from '#server/http/session.ts'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import type { AuditAction } from '#shared/audit/audit-actions.ts'
import { rateLimits, type RateLimiter } from '#server/http/rate-limiter.ts'
import { AppError } from '#shared/http/app-error.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import { planTypes } from '#shared/plans/plan.ts'
import type { SubscriptionChange, SubscriptionRequest, TermPreview } from '#shared/subscriptions/contract.ts'
import { findReferenceIssue } from '#shared/subscriptions/rules.ts'
import { decideLocked, type Decided, type Decision } from './decide.ts'
import { markExpired } from './mark-expired.ts'
import { presentHistory, presentRequest } from './present.ts'
import { previewTerm } from './preview-term.ts'
import { submitLocked, type PaymentClaim } from './submit-payment-request.ts'
import { SubscriptionsRepository, type SubscriptionState } from './repository.ts'
import { endAfterMonths, parseMonths } from './term.ts'
import { undoLocked } from './undo.ts'

/** Subscriptions. Every change locks the user's row, and writes the row, the history and the audit log in one transaction. */
export class SubscriptionsService {
  readonly #options: { db: Db; rateLimiter: RateLimiter; now: () => number }

  constructor(options: { db: Db; rateLimiter: RateLimiter; now: () => number }) {
    this.#options = options
  }

  /**
   * Claims a payment for the plan of a type. The same claim sent twice is one request.
   * @throws AppError invalid (empty or impossible reference), not-found (no such plan), conflict (plan changed, already
   * pending, reference used before by any user), too-many
   */
  async submit(userId: string, claim: PaymentClaim): Promise<void> {
    const type = planTypes.find((known) => known === claim.type)
    if (type === undefined) throw new AppError('invalid', 'subscriptions.selectOption', { fields: { type: 'subscriptions.selectOption' } })
    const issue = findReferenceIssue(type, claim.utrNo)
    if (issue !== undefined) throw new AppError('invalid', issue, { fields: { utrNo: issue } })
    const wait = await this.#options.rateLimiter.hit(`payment:${userId}`, rateLimits.paymentUser)
    if (wait !== undefined) throw new AppError('too-many', 'http.tooMany', { retryAfterSeconds: wait })
    await this.#change((repository) => submitLocked(repository, userId, type, claim, this.#options.now()))
  }

  /**
   * An admin's decision: true accepts, false declines a pending request or suspends a paid subscription. Repeating the
   * own decision returns the first response.
   * @throws AppError not-found, invalid (no months to start), conflict (the status no longer allows it, or nothing is left
   * of the term to restore)
   */
  setStatus(actor: RequestActor, order: Decision): Promise<Decided> {
    return this.#change((repository, transaction) => decideLocked(repository, transaction, { actor, order, nowMs: this.#options.now() }))
  }

  /**
   * Takes an admin's decision back within an hour: the subscription and its request are exactly as before. Repeating the
   * own undo does nothing more.
   * @throws AppError not-found, conflict (anything has changed since, or the hour is over)
   */
  async undo(actor: RequestActor, order: { id: string; change: string }): Promise<void> {
    await this.#change((repository, transaction) => undoLocked(repository, transaction, { actor, order, nowMs: this.#options.now() }))
  }

  /** What a decision, or a change of the months, would do now. @throws AppError not-found */
  term(userId: string, months: number | undefined): Promise<TermPreview> {
    return previewTerm(new SubscriptionsRepository(this.#options.db), { userId, months, nowMs: this.#options.now() })
  }

  /**
   * Sets a user's months and moves the end of a running term by the difference.
   * @throws AppError invalid with the messages of the specification, not-found
   */
  async changeMonths(actor: RequestActor, order: { email: string; months?: string | number | null | undefined }): Promise<void> {
    const months = parseMonths(order.months)
    await this.#change(async (repository, transaction) => {
      const user = await repository.lockUserByEmail(normaliseEmail(order.email))
      if (user === undefined) throw new AppError('not-found', 'subscriptions.noSuchUser')
      const end = endAfterMonths(user, months, this.#options.now())
      const at = new Date(this.#options.now())
      await repository.updateUser(user.id, { subscription_months: months, premium_end: end })
      await repository.addHistory({
        userId: user.id,
        requestId: null,
        actorId: actor.id,
        command: 'months',
        reason: `${user.subscription_months} to ${months}`,
        at,
        before: { status: user.status, premiumEnd: user.premium_end },
        after: { status: user.status, premiumEnd: end, months },
      })
      const details = { before: { months: user.subscription_months, premiumEnd: user.premium_end }, after: { months, premiumEnd: end } }
      await writeAudit(transaction, {
        at,
        actor,
        action: 'subscription-months' satisfies AuditAction,
        target: { id: user.id, name: user.email },
        address: actor.address,
        details,
      })
    })
  }

  /** Marks subscriptions whose term is over; safe for concurrent processes, each row is marked once. Returns the number. */
  async expire(limit = 500): Promise<number> {
    return this.#change(async (repository) => {
      const at = new Date(this.#options.now())
      const users = await repository.lockExpired(at, limit)
      for (const user of users) await markExpired(repository, user, at)
      return users.length
    })
  }

  /** Number of users in each state; reads the whole table of users. */
  countByState(): Promise<Record<SubscriptionState, number>> {
    return new SubscriptionsRepository(this.#options.db).countByState(new Date(this.#options.now()))
  }

  /** Changes of one subscription, newest first, as visible to the user or to an admin. */
  async historyOf(userId: string, viewer: 'user' | 'admin'): Promise<SubscriptionChange[]> {
    const rows = await new SubscriptionsRepository(this.#options.db).historyOf(userId)
    return presentHistory(rows, viewer)
  }

  /** Pending requests, oldest first. */
  async requests(): Promise<SubscriptionRequest[]> {
    return (await new SubscriptionsRepository(this.#options.db).pendingRequests()).map((row) => presentRequest(row))
  }

  #change<T>(work: (repository: SubscriptionsRepository, transaction: Db) => Promise<T>): Promise<T> {
    return this.#options.db.transaction().execute((transaction) => work(new SubscriptionsRepository(transaction), transaction))
  }
}
