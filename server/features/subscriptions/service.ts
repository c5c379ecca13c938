// The stories of a subscription: claim a payment, decide on it, change its months, let it expire.
import type { RequestActor } from '#server/http/request-actor.ts'
import type { Db } from '#server/db/database.ts'
import { writeAudit, type AuditAction } from '#server/features/audit/audit.ts'
import { limits as numbers, type Limits } from '#server/http/limits.ts'
import { AppError } from '#shared/http/errors.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import { planTypes } from '#shared/plans/plan.ts'
import type { SubscriptionChange, SubscriptionRequest } from '#shared/subscriptions/contract.ts'
import { findReferenceFault } from '#shared/subscriptions/reference.ts'
import { nextStatus, type SubscriptionCommand } from '#shared/subscriptions/status.ts'
import { httpText } from '#shared/text/en/http.ts'
import { subscriptionText as text } from '#shared/text/en/subscriptions.ts'
import { presentChange, presentRequest } from './present.ts'
import { submitLocked, type PaymentClaim } from './claim.ts'
import { subscriptionsRepository, type SubscriptionState } from './repository.ts'
import { stateOf, type Repository, type Subscriber } from './subscriber.ts'
import { acceptedTerm, endAfterMonths, parseMonths } from './term.ts'

export type SubscriptionsService = ReturnType<typeof subscriptionsService>

/** Subscriptions. Every change locks the user's row, and writes the row, the history and the audit in one transaction. */
export function subscriptionsService(needs: { db: Db; limits: Limits; now: () => number }) {
  const { db, now } = needs

  function change<T>(work: (repository: Repository, transaction: Db) => Promise<T>): Promise<T> {
    return db.transaction().execute((transaction) => work(subscriptionsRepository(transaction), transaction))
  }

  return {
    /**
     * Claims a payment for the plan of a type. The same claim sent twice is one request.
     * @throws AppError invalid (empty or impossible reference), not-found (no such plan), conflict (plan changed, already
     * pending, reference used before by anyone), too-many.
     */
    async submit(userId: string, claim: PaymentClaim): Promise<void> {
      const type = planTypes.find((known) => known === claim.type)
      if (type === undefined) throw new AppError('invalid', text.selectOption, { fields: { type: text.selectOption } })
      const fault = findReferenceFault(type, claim.utrNo)
      if (fault !== undefined) throw new AppError('invalid', fault, { fields: { utrNo: fault } })
      const wait = await needs.limits.hit(`payment:${userId}`, numbers.paymentUser)
      if (wait !== undefined) throw new AppError('too-many', httpText.tooMany, { retryAfterSeconds: wait })
      await change((repository) => submitLocked(repository, userId, type, claim, now()))
    },

    /**
     * An admin's decision: true accepts, false declines a pending request or suspends a paid subscription. Repeating the
     * own decision gives the first answer. Returns the sentence to show.
     * @throws AppError not-found, invalid (nothing to start), conflict (the status does not allow it any more).
     */
    async setStatus(actor: RequestActor, order: { id: string; status: boolean; from?: string | null | undefined }): Promise<string> {
      return change(async (repository, transaction) => {
        const user = isUuid(order.id) ? await repository.lockUser(order.id) : undefined
        if (user === undefined) throw new AppError('not-found', text.noSuchUser)
        const command = order.status ? 'accept' : user.status === 'paid' ? 'suspend' : 'decline'
        // The row that was on the admin's screen: who meant to decline must not suspend what somebody else has accepted meanwhile.
        const isAsSeen = order.from === undefined || order.from === null || order.from === user.status
        const status = isAsSeen ? nextStatus(stateOf(user, now()), command) : undefined
        if (status === undefined) return repeatedAnswer(repository, user, actor, order.status)
        const at = new Date(now())
        const request = await repository.latestRequest(user.id)
        const after = command === 'accept' ? acceptedTerm(user, now()) : await ended(repository, user, command, status, at)
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
        return { accept: text.accepted, decline: text.declined, suspend: text.suspended }[command]
      })
    },

    /**
     * Sets a user's months and moves the end of a running term by the difference.
     * @throws AppError invalid with the spec's sentences, not-found.
     */
    async changeMonths(actor: RequestActor, order: { email: string; months?: string | number | null | undefined }): Promise<void> {
      const months = parseMonths(order.months)
      await change(async (repository, transaction) => {
        const user = await repository.lockUserByEmail(normaliseEmail(order.email))
        if (user === undefined) throw new AppError('not-found', text.noSuchUser)
        const end = endAfterMonths(user, months, now())
        const at = new Date(now())
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
    },

    /** Marks subscriptions whose term is over; any number of processes may call it, each row is marked once. Returns how many. */
    async expire(limit = 500): Promise<number> {
      return change(async (repository) => {
        const at = new Date(now())
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
    },

    /** How many users are in each state; reads the whole table of users. */
    countByState: (): Promise<Record<SubscriptionState, number>> => subscriptionsRepository(db).countByState(new Date(now())),

    /** Changes of one subscription, newest first, as the user or as an admin may see them. */
    async historyOf(userId: string, viewer: 'user' | 'admin'): Promise<SubscriptionChange[]> {
      const rows = await subscriptionsRepository(db).historyOf(userId)
      return rows.map((row) => presentChange(row, viewer))
    },

    /** Requests that wait for a decision, oldest first. */
    async requests(): Promise<SubscriptionRequest[]> {
      return (await subscriptionsRepository(db).pendingRequests()).map((row) => presentRequest(row))
    },
  }
}

/** What declining and suspending write: a suspension ends the term now; a declined renewal gives the running term its months back. */
async function ended(repository: Repository, user: Subscriber, command: 'decline' | 'suspend', status: string, at: Date) {
  const isKept = command === 'decline' && status === 'paid'
  const months = isKept ? ((await repository.monthsOfTerm(user.id)) ?? user.subscription_months) : user.subscription_months
  return { premium_end: command === 'suspend' ? at : user.premium_end, subscription_months: months }
}

/** The same admin repeats the last decision: the first answer again. Anybody else came too late. */
async function repeatedAnswer(repository: Repository, user: Subscriber, actor: RequestActor, isAccept: boolean): Promise<string> {
  const last = await repository.latestChange(user.id)
  const wanted: readonly SubscriptionCommand[] = isAccept ? ['accept'] : ['decline', 'suspend']
  const command = wanted.find((candidate) => candidate === last?.command)
  if (command === undefined || last?.actor_id !== actor.id)
    throw new AppError('conflict', text.notPossible, { code: 'subscriptions.not-possible' })
  return command === 'accept' ? text.accepted : command === 'decline' ? text.declined : text.suspended
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
