// An admin's decision while the user's row is locked: accept, decline or suspend.
import type { Db } from '#server/db/database.ts'
import type { StateBefore } from '#server/db/subscription-tables.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import type { RequestActor } from '#server/http/session.ts'
import { AppError } from '#shared/http/app-error.ts'
import { nextStatus } from '#shared/subscriptions/subscription-status.ts'
import { findRest } from './find-rest.ts'
import { markExpired } from './mark-expired.ts'
import type { SubscriptionsRepository } from './repository.ts'
import { isOverdue, stateOf, type Subscriber } from './subscription-state.ts'
import { acceptedTerm, resumedTerm } from './term.ts'

const decisionCodes = { accept: 'subscriptions.accepted', decline: 'subscriptions.declined', suspend: 'subscriptions.suspended' } as const

type Command = keyof typeof decisionCodes
type LatestRequest = Awaited<ReturnType<SubscriptionsRepository['latestRequest']>>

export interface Decision {
  readonly id: string
  readonly status: boolean
  /** The status that the admin saw. */
  readonly from?: string | null | undefined
  /** What an acceptance grants: a new term, or the unused rest of a suspended one. */
  readonly term?: 'rest' | 'new' | null | undefined
}

/** The code of the message, and the row of the history. */
export interface Decided {
  readonly code: (typeof decisionCodes)[Command]
  readonly change: string
}

interface DecisionCall {
  readonly actor: RequestActor
  readonly order: Decision
  readonly nowMs: number
}

/** Decides in the transaction of the caller; see `SubscriptionsService.setStatus`. */
export async function decideLocked(repository: SubscriptionsRepository, transaction: Db, call: DecisionCall): Promise<Decided> {
  const { actor, order, nowMs } = call
  const found = isUuid(order.id) ? await repository.lockUser(order.id) : undefined
  if (found === undefined) throw new AppError('not-found', 'subscriptions.noSuchUser')
  // Admins see an overdue subscription as ended, before the job has marked it.
  const user = isOverdue(found, nowMs) ? await markExpired(repository, found, new Date(nowMs)) : found
  const command = order.status ? 'accept' : user.status === 'paid' ? 'suspend' : 'decline'
  // A decline must not suspend what another admin has accepted in the meantime.
  const isAsSeen = order.from === undefined || order.from === null || order.from === user.status
  const status = isAsSeen ? nextStatus(stateOf(user, nowMs), command) : undefined
  if (status === undefined) return repeatedAnswer(repository, user, actor, order.status)
  const at = new Date(nowMs)
  const latest = await repository.latestRequest(user.id)
  const isRest = command === 'accept' && order.term === 'rest'
  // The rest of a term was paid before: it decides no request.
  const decided = isRest ? undefined : decidedRequest(latest, command)
  const reason = command === 'accept' && user.status === 'cancel' ? acceptReason(isRest, latest) : null
  const after =
    command === 'accept'
      ? isRest
        ? await resumed(repository, user, nowMs)
        : acceptedTerm(user, nowMs)
      : await ended(repository, user, { command, status, at })
  await repository.updateUser(user.id, { status, ...after })
  if (decided !== undefined) await repository.decideRequest(decided.id, command === 'accept' ? 'accepted' : 'declined', at, actor.id)
  const before = { status: user.status, premiumEnd: user.premium_end }
  const result = { status, premiumEnd: after.premium_end, months: after.subscription_months }
  const change = await repository.addHistory({
    userId: user.id,
    requestId: latest?.id ?? null,
    actorId: actor.id,
    command,
    reason,
    at,
    before,
    after: result,
    stateBefore: stateBefore(user, decided),
  })
  await writeAudit(transaction, {
    at,
    actor,
    action: `subscription-${command}`,
    target: { id: user.id, name: user.email },
    address: actor.address,
    details: { change, ...(reason === null ? {} : { term: reason }), before, after: result },
  })
  return { code: decisionCodes[command], change }
}

/** The request that a decision changes. */
function decidedRequest(latest: LatestRequest, command: Command): LatestRequest {
  if (command === 'accept') return latest?.status === 'accepted' ? undefined : latest
  return command === 'decline' && latest?.status === 'pending' ? latest : undefined
}

/** Says in the history what a second acceptance has granted, and for which payment. */
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

async function resumed(repository: SubscriptionsRepository, user: Subscriber, nowMs: number) {
  const rest = await findRest(repository, user)
  if (rest === undefined) throw new AppError('conflict', 'subscriptions.nothingLeft')
  return resumedTerm(user, rest, nowMs)
}

/** A suspension ends the term now; a declined renewal restores the months of the running term. */
async function ended(
  repository: SubscriptionsRepository,
  user: Subscriber,
  { command, status, at }: { command: 'decline' | 'suspend'; status: string; at: Date },
) {
  const isKept = command === 'decline' && status === 'paid'
  const months = isKept ? (await repository.lastOf(user.id, ['accept', 'months']))?.months_after : undefined
  return { premium_end: command === 'suspend' ? at : user.premium_end, subscription_months: months ?? user.subscription_months }
}

/** The same admin repeats the last decision: returns the first response. For others it is too late. */
async function repeatedAnswer(
  repository: SubscriptionsRepository,
  user: Subscriber,
  actor: RequestActor,
  isAccept: boolean,
): Promise<Decided> {
  const last = await repository.latestChange(user.id)
  const wanted: readonly Command[] = isAccept ? ['accept'] : ['decline', 'suspend']
  const command = wanted.find((candidate) => candidate === last?.command)
  if (command === undefined || last?.actor_id !== actor.id) throw new AppError('conflict', 'adminDecisions.notPossible')
  return { code: decisionCodes[command], change: last.id }
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
