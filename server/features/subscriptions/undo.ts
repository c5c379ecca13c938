// Takes an admin's decision back while the user's row is locked.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import type { RequestActor } from '#server/http/session.ts'
import { AppError } from '#shared/http/app-error.ts'
import { undoEnd } from './present.ts'
import type { SubscriptionsRepository } from './repository.ts'

export interface UndoCall {
  readonly actor: RequestActor
  readonly order: { readonly id: string; readonly change: string }
  readonly nowMs: number
}

/** Undoes in the transaction of the caller; see `SubscriptionsService.undo`. */
export async function undoLocked(repository: SubscriptionsRepository, transaction: Db, { actor, order, nowMs }: UndoCall): Promise<void> {
  const user = await repository.lockUser(order.id)
  if (user === undefined) throw new AppError('not-found', 'subscriptions.noSuchUser')
  const last = await repository.latestChange(user.id)
  if (last?.undoes === order.change && last.actor_id === actor.id) return
  const state = last?.state_before ?? null
  if (last?.id !== order.change || state === null) throw new AppError('conflict', 'subscriptions.undoNotPossible')
  if (nowMs > undoEnd(last.at).getTime()) throw new AppError('conflict', 'subscriptions.undoTooLate')

  const at = new Date(nowMs)
  await repository.updateUser(user.id, {
    status: last.status_before,
    premium_start: state.premiumStart === null ? null : new Date(state.premiumStart),
    premium_end: last.premium_end_before,
    anchor_day: state.anchorDay,
    subscription_months: state.months,
  })
  if (state.request !== null) await repository.restoreRequest(state.request)
  const before = { status: user.status, premiumEnd: user.premium_end }
  const after = { status: last.status_before, premiumEnd: last.premium_end_before, months: state.months }
  const change = await repository.addHistory({
    userId: user.id,
    requestId: last.request_id,
    actorId: actor.id,
    command: 'undo',
    reason: null,
    at,
    before,
    after,
    undoes: last.id,
  })
  await writeAudit(transaction, {
    at,
    actor,
    action: 'subscription-undo',
    target: { id: user.id, name: user.email },
    address: actor.address,
    details: { change, undoes: last.id, decision: last.command, before, after },
  })
}
