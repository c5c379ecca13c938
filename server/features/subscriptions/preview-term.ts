// What a decision, or a change of the months, would do to the term of a user.
import { AppError } from '#shared/http/app-error.ts'
import type { TermPreview } from '#shared/subscriptions/contract.ts'
import { findRest } from './find-rest.ts'
import type { SubscriptionsRepository } from './repository.ts'
import { isOverdue, stateOf } from './subscription-state.ts'
import { acceptedTerm, endAfterMonths, resumedTerm } from './term.ts'

export interface PreviewCall {
  readonly userId: string
  /** Undefined for the user's own months. */
  readonly months: number | undefined
  readonly nowMs: number
}

/** Computed by the rules of the decisions themselves. @throws AppError not-found */
export async function previewTerm(repository: SubscriptionsRepository, { userId, months, nowMs }: PreviewCall): Promise<TermPreview> {
  const found = await repository.findUser(userId)
  if (found === undefined) throw new AppError('not-found', 'subscriptions.noSuchUser')
  const user = isOverdue(found, nowMs) ? { ...found, status: 'cancel' as const } : found
  const { status, subscription_months: present } = user
  const granted = months ?? present
  const isAcceptable = status === 'pending' || status === 'cancel'
  const [rest, request] = [await findRest(repository, user), await repository.latestRequest(user.id)]
  const { hasTerm } = stateOf(user, nowMs)
  const isMoved = status === 'paid' && hasTerm
  return {
    status,
    months: granted,
    premiumEnd: hasTerm ? isoOf(user.premium_end) : null,
    newEnd: isAcceptable && granted > 0 ? isoOf(acceptedTerm({ ...user, subscription_months: granted }, nowMs).premium_end) : null,
    restEnd: rest === undefined ? null : isoOf(resumedTerm(user, rest, nowMs).premium_end),
    monthsEnd: isMoved ? isoOf(endAfterMonths(user, granted, nowMs)) : null,
    reference: user.utr_no,
    isReferenceUsed: request?.status === 'accepted',
  }
}

function isoOf(at: Date | null): string | null {
  return at?.toISOString() ?? null
}
