// Use cases of a subscription: claim a payment, decide on it, change its months, expire it.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import { rateLimits, rejectWait, type RateLimiter } from '#server/http/rate-limiter.ts'
import type { RequestActor } from '#server/http/session.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import { amountOf } from '#shared/base/read-decimal.ts'
import { AppError } from '#shared/http/app-error.ts'
import { minorOf, planTypes, type PlanType } from '#shared/plans/plan.ts'
import type { Decision, PaymentClaim, SubscriptionChange, SubscriptionRequest, TermPreview } from '#shared/subscriptions/contract.ts'
import { findReferenceIssue, normaliseReference, railOf } from '#shared/subscriptions/rules.ts'
import { nextStatus } from '#shared/subscriptions/subscription-status.ts'
import { undoMs } from '#shared/subscriptions/undo.ts'
import { decide, markExpired, previewTerm, undoDecision, type Decided } from './decide.ts'
import { SubscriptionsRepository } from './repository.ts'
import { endAfterMonths, parseMonths, presentChange, presentRequest, subscriptionStateOf } from './rules.ts'

export type SubscriptionsService = ReturnType<typeof subscriptionsService>

/** Subscriptions. Every change locks the user's row, and writes the row, the history and the audit log in one transaction. */
export function subscriptionsService({ db, rateLimiter, now }: { db: Db; rateLimiter: RateLimiter; now: () => number }) {
  const reader = new SubscriptionsRepository(db)
  const transact = <T>(work: (transaction: Db) => Promise<T>): Promise<T> => db.transaction().execute(work)

  return {
    /**
     * Claims a payment for the plan of a type. The same claim sent twice is one request.
     * @throws AppError invalid (empty or impossible reference), not-found (no such plan), conflict (plan changed, already
     * pending, reference used before by any user), too-many
     */
    async submit(userId: string, claim: PaymentClaim): Promise<void> {
      const type = planTypes.find((known) => known === claim.type)
      if (type === undefined)
        throw new AppError('invalid', 'subscriptions.selectOption', { fields: { type: 'subscriptions.selectOption' } })
      const issue = findReferenceIssue(type, claim.utrNo)
      if (issue !== undefined) throw new AppError('invalid', issue, { fields: { utrNo: issue } })
      rejectWait(await rateLimiter.hit(`payment:${userId}`, rateLimits.paymentUser))
      await transact((transaction) => addClaim(new SubscriptionsRepository(transaction), userId, type, claim, now()))
    },

    /**
     * An admin's decision: true accepts, false declines a pending request or suspends a paid subscription. Repeating the
     * own decision returns the first response.
     * @throws AppError not-found, invalid (no months to start), conflict (the status no longer allows it, or nothing is left
     * of the term to restore)
     */
    setStatus: (actor: RequestActor, decision: Decision): Promise<Decided> =>
      transact((transaction) => decide(transaction, actor, decision, now())),

    /**
     * Takes an admin's decision back within an hour: the subscription and its request are exactly as before. Repeating the
     * own undo does nothing more.
     * @throws AppError not-found, conflict (anything has changed since, or the hour is over)
     */
    undo: (actor: RequestActor, undone: { id: string; change: string }): Promise<void> =>
      transact((transaction) => undoDecision(transaction, actor, undone, now())),

    /** What a decision, or a change of the months, would do now. @throws AppError not-found */
    term: (userId: string, months: number | undefined): Promise<TermPreview> => previewTerm(reader, userId, months, now()),

    /**
     * Sets a user's months and moves the end of a running term by the difference.
     * @throws AppError invalid with the messages of the specification, not-found
     */
    async changeMonths(actor: RequestActor, change: { email: string; months?: string | number | null | undefined }): Promise<void> {
      const months = parseMonths(change.months)
      await transact(async (transaction) => {
        const repository = new SubscriptionsRepository(transaction)
        const user = await repository.lockUserByEmail(normaliseEmail(change.email))
        if (user === undefined) throw new AppError('not-found', 'subscriptions.noSuchUser')
        const end = endAfterMonths(user, months, now())
        const at = new Date(now())
        await repository.updateUser(user.id, { subscription_months: months, premium_end: end })
        await repository.addHistory(user, {
          actorId: actor.id,
          command: 'months',
          reason: `${user.subscription_months} to ${months}`,
          at,
          after: { status: user.status, premiumEnd: end, months },
        })
        await writeAudit(transaction, {
          at,
          actor,
          action: 'subscription-months',
          target: { id: user.id, name: user.email },
          address: actor.address,
          details: { before: { months: user.subscription_months, premiumEnd: user.premium_end }, after: { months, premiumEnd: end } },
        })
      })
    },

    /** Marks subscriptions whose term is over; safe for concurrent processes, each row is marked once. Returns the number. */
    expire: (limit = 500): Promise<number> =>
      transact(async (transaction) => {
        const repository = new SubscriptionsRepository(transaction)
        const at = new Date(now())
        const users = await repository.lockExpired(at, limit)
        for (const user of users) await markExpired(repository, user, at)
        return users.length
      }),

    /** Number of users in each state; reads the whole table of users. */
    countByState: () => reader.countByState(new Date(now())),

    /** Changes of one subscription, newest first, as visible to the user or to an admin. */
    async historyOf(userId: string, viewer: 'user' | 'admin'): Promise<SubscriptionChange[]> {
      const rows = await reader.historyOf(userId)
      return rows.map((row, index) => {
        const change = presentChange(row, viewer)
        // Admins can undo the newest change.
        const isUndoable = viewer === 'admin' && index === 0 && row.state_before !== null
        return isUndoable ? { ...change, undoUntil: new Date(row.at.getTime() + undoMs).toISOString() } : change
      })
    },

    /** Pending requests, oldest first. */
    requests: async (): Promise<SubscriptionRequest[]> => (await reader.pendingRequests()).map((row) => presentRequest(row)),
  }
}

/**
 * Writes the claim, its projection onto the user, and the history. The caller has validated the form and has a transaction.
 * @throws AppError not-found, conflict (pending already, plan changed, reference used before)
 */
async function addClaim(
  repository: SubscriptionsRepository,
  userId: string,
  type: PlanType,
  claim: PaymentClaim,
  nowMs: number,
): Promise<void> {
  const user = await repository.lockUser(userId)
  if (user === undefined) throw new AppError('not-found', 'subscriptions.noSuchUser')
  const reference = normaliseReference(claim.utrNo)
  const status = nextStatus(subscriptionStateOf(user, nowMs), 'submit')
  if (status === undefined) {
    const pending = await repository.latestRequest(userId)
    if (pending?.status === 'pending' && pending.reference === reference) return
    throw new AppError('conflict', 'subscriptions.alreadyPending')
  }
  const plan = await repository.findPlan(type)
  if (plan === undefined) throw new AppError('not-found', 'subscriptions.selectOption')
  const isOtherPrice = differs(claim.price, Number(plan.price_minor), (price) => minorOf(amountOf(price)))
  if (isOtherPrice || differs(claim.Months, plan.months, amountOf)) {
    throw new AppError('conflict', 'subscriptions.planChanged')
  }
  const at = new Date(nowMs)
  const rail = railOf(type, claim.utrNo) ?? type
  const request = await repository.insertRequest({
    user_id: userId,
    type,
    months: plan.months,
    price_minor: Number(plan.price_minor),
    rail,
    reference_raw: claim.utrNo.trim(),
    reference,
    created_at: at,
  })
  if (request === undefined)
    throw new AppError('conflict', 'subscriptions.referenceUsed', { fields: { utrNo: 'subscriptions.referenceUsed' } })
  const paymentType = type === 'crypto' ? 'crypto' : rail === 'upi' ? 'upi' : 'bank'
  await repository.updateUser(userId, { status, utr_no: reference, payment_type: paymentType, subscription_months: plan.months })
  await repository.addHistory(user, {
    requestId: request.id,
    actorId: userId,
    command: 'submit',
    at,
    after: { status, premiumEnd: user.premium_end, months: plan.months },
  })
}

function differs(sent: string | number | undefined, ours: number, convert: (value: string | number) => number): boolean {
  return sent !== undefined && convert(sent) !== ours
}
