// Claims a payment while the user's row is locked.
import { amountOf } from '#shared/base/read-decimal.ts'
import { AppError } from '#shared/http/app-error.ts'
import { minorOf, type PlanType } from '#shared/plans/plan.ts'
import { normaliseReference, railOf } from '#shared/subscriptions/rules.ts'
import { nextStatus } from '#shared/subscriptions/subscription-status.ts'
import type { SubscriptionsRepository } from './repository.ts'
import { stateOf } from './subscription-state.ts'

export interface PaymentClaim {
  readonly utrNo: string
  readonly type: string
  readonly Months?: string | number | undefined
  readonly price?: string | number | undefined
}

/**
 * Writes the claim, its projection onto the user, and the history. The caller has validated the form and has a transaction.
 * @throws AppError not-found, conflict (pending already, plan changed, reference used before)
 */
export async function submitLocked(
  repository: SubscriptionsRepository,
  userId: string,
  type: PlanType,
  claim: PaymentClaim,
  nowMs: number,
): Promise<void> {
  const user = await repository.lockUser(userId)
  if (user === undefined) throw new AppError('not-found', 'subscriptions.noSuchUser')
  const reference = normaliseReference(claim.utrNo)
  const status = nextStatus(stateOf(user, nowMs), 'submit')
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
    throw new AppError('conflict', 'subscriptions.referenceUsed', {
      fields: { utrNo: 'subscriptions.referenceUsed' },
    })
  const paymentType = type === 'crypto' ? 'crypto' : rail === 'upi' ? 'upi' : 'bank'
  await repository.updateUser(userId, { status, utr_no: reference, payment_type: paymentType, subscription_months: plan.months })
  await repository.addHistory({
    userId,
    requestId: request.id,
    actorId: userId,
    command: 'submit',
    reason: null,
    at,
    before: { status: user.status, premiumEnd: user.premium_end },
    after: { status, premiumEnd: user.premium_end, months: plan.months },
  })
}

function differs(sent: string | number | undefined, ours: number, convert: (value: string | number) => number): boolean {
  return sent !== undefined && convert(sent) !== ours
}
