// An admin's decision on a subscription (approve or reject a payment request) while the user's row is locked: preview, decision and undo, and the expiry by time.
import { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import type { StateBefore } from '#server/db/tables.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import type { RequestActor } from '#server/http/session.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { Decision, TermPreview } from '#shared/subscriptions/contract.ts'
import { nextStatus, type SubscriptionStatus } from '#shared/subscriptions/subscription-status.ts'
import { undoMs } from '#shared/subscriptions/undo.ts'
import { SubscriptionsRepository, type Subscriber } from './repository.ts'
import { acceptedTerm, endAfterMonths, isOverdue, resumedTerm, subscriptionStateOf, type UnusedRest } from './rules.ts'

const decisionCodes = { accept: 'subscriptions.accepted', decline: 'subscriptions.declined', suspend: 'subscriptions.suspended' } as const

type Command = keyof typeof decisionCodes
type LatestRequest = Awaited<ReturnType<SubscriptionsRepository['latestRequest']>>

/** The code of the message, and the row of the history. */
export interface Decided {
  readonly code: (typeof decisionCodes)[Command]
  readonly change: string
}

/** Decides in the transaction of the caller; see `SubscriptionsService.setStatus`. */
export async function decide(transaction: Db, actor: RequestActor, decision: Decision, nowMs: number): Promise<Decided> {
  const repository = new SubscriptionsRepository(transaction)
  const found = z.guid().safeParse(decision.id).success ? await repository.lockUser(decision.id) : undefined
  if (found === undefined) throw new AppError('not-found', 'subscriptions.noSuchUser')
  // Admins see an overdue subscription as ended, before the job has marked it.
  const user = isOverdue(found, nowMs) ? await markExpired(repository, found, new Date(nowMs)) : found
  const command = decision.status ? 'accept' : user.status === 'paid' ? 'suspend' : 'decline'
  // A decline must not suspend what another admin has accepted in the meantime.
  const isAsSeen = decision.from === undefined || decision.from === null || decision.from === user.status
  const status = isAsSeen ? nextStatus(subscriptionStateOf(user, nowMs), command) : undefined
  if (status === undefined) return repeatedDecision(repository, user, actor, decision.status)
  const at = new Date(nowMs)
  const latest = await repository.latestRequest(user.id)
  const isRest = command === 'accept' && decision.term === 'rest'
  // The rest of a term was paid before: it decides no request.
  const decided = isRest ? undefined : decidedRequest(latest, command)
  const reason = command === 'accept' && user.status === 'cancel' ? acceptReason(isRest, latest) : null
  const term =
    command === 'accept'
      ? isRest
        ? resumedTerm(user, await requireRest(repository, user), nowMs)
        : acceptedTerm(user, nowMs)
      : await endedTerm(repository, user, { command, status, at })
  await repository.updateUser(user.id, { status, ...term })
  if (decided !== undefined) await repository.decideRequest(decided.id, command === 'accept' ? 'accepted' : 'declined', at, actor.id)
  const after = { status, premiumEnd: term.premium_end, months: term.subscription_months }
  const change = await repository.addHistory(user, {
    requestId: latest?.id ?? null,
    actorId: actor.id,
    command,
    reason,
    at,
    after,
    stateBefore: stateBefore(user, decided),
  })
  await writeAudit(transaction, {
    at,
    actor,
    action: `subscription-${command}`,
    target: { id: user.id, name: user.email },
    address: actor.address,
    details: { change, ...(reason === null ? {} : { term: reason }), before: statusAndEnd(user), after },
  })
  return { code: decisionCodes[command], change }
}

/** The request that a decision changes. */
function decidedRequest(latest: LatestRequest, command: Command): LatestRequest {
  if (command === 'accept') return latest?.status === 'accepted' ? undefined : latest
  return command === 'decline' && latest?.status === 'pending' ? latest : undefined
}

/** The reason in the history: what a second acceptance has granted, and for which payment. */
function acceptReason(isRest: boolean, latest: LatestRequest): string | null {
  if (isRest) return 'rest of the earlier term'
  return latest?.status === 'accepted' ? 'new term, no new payment' : null
}

function stateBefore(user: Subscriber, request: LatestRequest): StateBefore {
  return {
    premiumStart: user.premium_start?.toISOString() ?? null,
    anchorDay: user.anchor_day,
    months: user.subscription_months,
    request:
      request === undefined
        ? null
        : {
            id: request.id,
            status: request.status,
            decidedAt: request.decided_at?.toISOString() ?? null,
            decidedBy: request.decided_by,
          },
  }
}

const statusAndEnd = (user: Subscriber) => ({ status: user.status, premiumEnd: user.premium_end })

/** The paid days that a suspension has cut off; undefined unless the last term was suspended before its end. */
async function findRest(repository: SubscriptionsRepository, user: Subscriber): Promise<UnusedRest | undefined> {
  if (user.status !== 'cancel') return undefined
  const last = await repository.lastOf(user.id, ['accept', 'suspend', 'expire'])
  if (last?.command !== 'suspend' || last.premium_end_before === null || last.premium_end_after === null) return undefined
  const ms = last.premium_end_before.getTime() - last.premium_end_after.getTime()
  return ms > 0 ? { ms, formerEnd: last.premium_end_before } : undefined
}

async function requireRest(repository: SubscriptionsRepository, user: Subscriber): Promise<UnusedRest> {
  const rest = await findRest(repository, user)
  if (rest === undefined) throw new AppError('conflict', 'subscriptions.nothingLeft')
  return rest
}

/** A suspension ends the term now; a declined renewal restores the months of the running term. */
async function endedTerm(
  repository: SubscriptionsRepository,
  user: Subscriber,
  { command, status, at }: { command: 'decline' | 'suspend'; status: SubscriptionStatus; at: Date },
) {
  const isRunning = command === 'decline' && status === 'paid'
  const months = isRunning ? (await repository.lastOf(user.id, ['accept', 'months']))?.months_after : undefined
  return { premium_end: command === 'suspend' ? at : user.premium_end, subscription_months: months ?? user.subscription_months }
}

/** The same admin repeats the last decision: returns the first response. For others it is too late. */
async function repeatedDecision(
  repository: SubscriptionsRepository,
  user: Subscriber,
  actor: RequestActor,
  isAccept: boolean,
): Promise<Decided> {
  const last = await repository.latestChange(user.id)
  const commands: readonly Command[] = isAccept ? ['accept'] : ['decline', 'suspend']
  const command = commands.find((each) => each === last?.command)
  if (command === undefined || last?.actor_id !== actor.id) throw new AppError('conflict', 'adminDecisions.notPossible')
  return { code: decisionCodes[command], change: last.id }
}

/** Takes a decision back in the transaction of the caller; see `SubscriptionsService.undo`. */
export async function undoDecision(
  transaction: Db,
  actor: RequestActor,
  undone: { id: string; change: string },
  nowMs: number,
): Promise<void> {
  const repository = new SubscriptionsRepository(transaction)
  const user = await repository.lockUser(undone.id)
  if (user === undefined) throw new AppError('not-found', 'subscriptions.noSuchUser')
  const last = await repository.latestChange(user.id)
  if (last?.undoes === undone.change && last.actor_id === actor.id) return
  const state = last?.state_before ?? null
  if (last?.id !== undone.change || state === null) throw new AppError('conflict', 'subscriptions.undoNotPossible')
  if (nowMs > last.at.getTime() + undoMs) throw new AppError('conflict', 'subscriptions.undoTooLate')

  const at = new Date(nowMs)
  await repository.updateUser(user.id, {
    status: last.status_before,
    premium_start: state.premiumStart === null ? null : new Date(state.premiumStart),
    premium_end: last.premium_end_before,
    anchor_day: state.anchorDay,
    subscription_months: state.months,
  })
  if (state.request !== null) await repository.restoreRequest(state.request)
  const after = { status: last.status_before, premiumEnd: last.premium_end_before, months: state.months }
  const change = await repository.addHistory(user, {
    requestId: last.request_id,
    actorId: actor.id,
    command: 'undo',
    at,
    after,
    undoes: last.id,
  })
  await writeAudit(transaction, {
    at,
    actor,
    action: 'subscription-undo',
    target: { id: user.id, name: user.email },
    address: actor.address,
    details: { change, undoes: last.id, decision: last.command, before: statusAndEnd(user), after },
  })
}

/** Marks the locked user, whose term is over, as cancelled, with a row of the history without an actor. Returns the user as it is then. */
export async function markExpired(repository: SubscriptionsRepository, user: Subscriber, at: Date): Promise<Subscriber> {
  await repository.updateUser(user.id, { status: 'cancel' })
  const after = { status: 'cancel', premiumEnd: user.premium_end, months: user.subscription_months } as const
  await repository.addHistory(user, { actorId: null, command: 'expire', reason: 'expired', at, after })
  return { ...user, status: 'cancel' }
}

/**
 * What a decision, or a change of the months, would do to the term of a user, by the rules of the decisions themselves.
 * Without `months` for the user's own. @throws AppError not-found
 */
export async function previewTerm(
  repository: SubscriptionsRepository,
  userId: string,
  months: number | undefined,
  nowMs: number,
): Promise<TermPreview> {
  const found = await repository.findUser(userId)
  if (found === undefined) throw new AppError('not-found', 'subscriptions.noSuchUser')
  const user = isOverdue(found, nowMs) ? { ...found, status: 'cancel' as const } : found
  const { status } = user
  const granted = months ?? user.subscription_months
  const isAcceptable = status === 'pending' || status === 'cancel'
  const [rest, request] = [await findRest(repository, user), await repository.latestRequest(user.id)]
  const { hasTerm } = subscriptionStateOf(user, nowMs)
  return {
    status,
    months: granted,
    premiumEnd: hasTerm ? isoOf(user.premium_end) : null,
    newEnd: isAcceptable && granted > 0 ? isoOf(acceptedTerm({ ...user, subscription_months: granted }, nowMs).premium_end) : null,
    restEnd: rest === undefined ? null : isoOf(resumedTerm(user, rest, nowMs).premium_end),
    monthsEnd: status === 'paid' && hasTerm ? isoOf(endAfterMonths(user, granted, nowMs)) : null,
    reference: user.utr_no,
    isReferenceUsed: request?.status === 'accepted',
  }
}

function isoOf(at: Date | null): string | null {
  return at?.toISOString() ?? null
}
