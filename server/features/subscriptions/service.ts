// Use cases of a subscription: claim a payment, decide on it, change its months, expire it.
import type { RequestActor } from '#server/http/request-actor.ts'
import type { Db } from '#server/db/database.ts'
import { writeAudit, type AuditAction } from '#server/features/audit/audit.ts'
import { limits as numbers, type Limits } from '#server/http/rate-limiter.ts'
import { AppError } from '#shared/http/app-error.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import { planTypes } from '#shared/plans/plan.ts'
import type { SubscriptionChange, SubscriptionRequest } from '#shared/subscriptions/contract.ts'
import { findReferenceIssue } from '#shared/subscriptions/reference.ts'
import { nextStatus } from '#shared/subscriptions/status.ts'
import { presentChange, presentRequest } from './present.ts'
import { submitLocked, type PaymentClaim } from './submit-payment-request.ts'
import { SubscriptionsRepository, type SubscriptionState } from './repository.ts'
import { stateOf, type Subscriber } from './subscription-state.ts'
import { acceptedTerm, endAfterMonths, parseMonths } from './term.ts'

const decisionCodes = { accept: 'subscriptions.accepted', decline: 'subscriptions.declined', suspend: 'subscriptions.suspended' } as const

type DecisionCode = (typeof decisionCodes)[keyof typeof decisionCodes]

/** Subscriptions. Every change locks the user's row, and writes the row, the history and the audit log in one transaction. */
export class SubscriptionsService {
  readonly #options: { db: Db; limits: Limits; now: () => number }

  constructor(options: { db: Db; limits: Limits; now: () => number }) {
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
    const wait = await this.#options.limits.hit(`payment:${userId}`, numbers.paymentUser)
    if (wait !== undefined) throw new AppError('too-many', 'http.tooMany', { retryAfterSeconds: wait })
    await this.#change((repository) => submitLocked(repository, userId, type, claim, this.#options.now()))
  }

  /**
   * An admin's decision: true accepts, false declines a pending request or suspends a paid subscription. Repeating the
   * own decision returns the first response. Returns the code of the message to show.
   * @throws AppError not-found, invalid (no months to start), conflict (the status no longer allows it)
   */
  async setStatus(actor: RequestActor, order: { id: string; status: boolean; from?: string | null | undefined }): Promise<DecisionCode> {
    return this.#change(async (repository, transaction) => {
      const user = isUuid(order.id) ? await repository.lockUser(order.id) : undefined
      if (user === undefined) throw new AppError('not-found', 'subscriptions.noSuchUser')
      const command = order.status ? 'accept' : user.status === 'paid' ? 'suspend' : 'decline'
      // The state that the admin saw: a decline must not suspend what another admin has accepted in the meantime.
      const isAsSeen = order.from === undefined || order.from === null || order.from === user.status
      const status = isAsSeen ? nextStatus(stateOf(user, this.#options.now()), command) : undefined
      if (status === undefined) return repeatedAnswer(repository, user, actor, order.status)
      const at = new Date(this.#options.now())
      const request = await repository.latestRequest(user.id)
      const after = command === 'accept' ? acceptedTerm(user, this.#options.now()) : await ended(repository, user, command, status, at)
      await repository.updateUser(user.id, { status, ...after })
      if (request !== undefined && command === 'accept' && request.status !== 'accepted')
        await repository.decideRequest(request.id, 'accepted', at, actor.id)
      if (request?.status === 'pending' && command === 'decline') await repository.decideRequest(request.id, 'declined', at, actor.id)
      await repository.addHistory({
        userId: user.id,
        requestId: request?.id ?? null,
        actorId: actor.id,
        command,
        reason: null,
        at,
        before: { status: user.status, premiumEnd: user.premium_end },
        after: { status, premiumEnd: after.premium_end, months: after.subscription_months },
      })
      await writeAudit(transaction, {
        at,
        actor,
        action: `subscription-${command}`,
        target: { id: user.id, name: user.email },
        address: actor.address,
        details: {
          before: { status: user.status, premiumEnd: user.premium_end },
          after: { status, premiumEnd: after.premium_end, months: after.subscription_months },
        },
      })
      return decisionCodes[command]
    })
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
      for (const user of users) {
        await repository.updateUser(user.id, { status: 'cancel' })
        await repository.addHistory({
          userId: user.id,
          requestId: null,
          actorId: null,
          command: 'expire',
          reason: 'expired',
          at,
          before: { status: user.status, premiumEnd: user.premium_end },
          after: { status: 'cancel', premiumEnd: user.premium_end, months: user.subscription_months },
        })
      }
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
    return rows.map((row) => presentChange(row, viewer))
  }

  /** Pending requests, oldest first. */
  async requests(): Promise<SubscriptionRequest[]> {
    return (await new SubscriptionsRepository(this.#options.db).pendingRequests()).map((row) => presentRequest(row))
  }

  #change<T>(work: (repository: SubscriptionsRepository, transaction: Db) => Promise<T>): Promise<T> {
    return this.#options.db.transaction().execute((transaction) => work(new SubscriptionsRepository(transaction), transaction))
  }
}

/** Effects of declining and suspending: a suspension ends the term now; a declined renewal restores the months of the running term. */
async function ended(repository: SubscriptionsRepository, user: Subscriber, command: 'decline' | 'suspend', status: string, at: Date) {
  const isKept = command === 'decline' && status === 'paid'
  const months = isKept ? ((await repository.monthsOfTerm(user.id)) ?? user.subscription_months) : user.subscription_months
  return { premium_end: command === 'suspend' ? at : user.premium_end, subscription_months: months }
}

/** The same admin repeats the last decision: returns the first response. For others it is too late. */
async function repeatedAnswer(
  repository: SubscriptionsRepository,
  user: Subscriber,
  actor: RequestActor,
  isAccept: boolean,
): Promise<DecisionCode> {
  const last = await repository.latestChange(user.id)
  const wanted: readonly (keyof typeof decisionCodes)[] = isAccept ? ['accept'] : ['decline', 'suspend']
  const command = wanted.find((candidate) => candidate === last?.command)
  if (command === undefined || last?.actor_id !== actor.id) throw new AppError('conflict', 'subscriptions.notPossible')
  return decisionCodes[command]
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
