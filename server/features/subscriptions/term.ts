// Effects of an admin's decisions on the term of a user, and validation of months.
import { amountOf } from '#shared/base/decimal.ts'
import { AppError } from '#shared/http/app-error.ts'
import { monthsMax } from '#shared/plans/plan.ts'
import { addMonths, termAfter, type Term } from '#shared/subscriptions/period.ts'
import { stateOf, type Subscriber } from './subscription-state.ts'

/** The term after an acceptance: the user's months, added to a running term. @throws AppError invalid without months */
export function acceptedTerm(user: Subscriber, nowMs: number) {
  // The claim has set the months of its plan; an admin may have corrected them since.
  const months = user.subscription_months
  if (months < 1) throw new AppError('invalid', 'subscriptions.noMonths')
  const { premium_start: start, premium_end: end, anchor_day: anchorDay } = user
  const isRunning = stateOf(user, nowMs).hasTerm && start !== null && end !== null
  const running: Term | undefined = isRunning ? { startMs: start.getTime(), endMs: end.getTime(), anchorDay: anchorDay ?? 31 } : undefined
  const term = termAfter(running, nowMs, months)
  return {
    premium_start: new Date(term.startMs),
    premium_end: new Date(term.endMs),
    anchor_day: term.anchorDay,
    subscription_months: months,
  }
}

/** The end of the term for a new number of months. It moves by the difference, so the days of an earlier term stay paid. */
export function endAfterMonths(user: Subscriber, months: number, nowMs: number): Date | null {
  const { premium_end: end, anchor_day: anchorDay } = user
  if (end === null || user.status !== 'paid' || !stateOf(user, nowMs).hasTerm) return end
  return new Date(addMonths(end.getTime(), months - user.subscription_months, anchorDay ?? 31))
}

/** Months as an admin enters them. @throws AppError invalid unless it is an integer from 1 to the longest plan */
export function parseMonths(given: string | number | null | undefined): number {
  const isEmpty = given === undefined || given === null || String(given).trim() === ''
  if (isEmpty) throw new AppError('invalid', 'subscriptions.monthsRequired', { fields: { months: 'subscriptions.monthsRequired' } })
  const months = amountOf(given)
  if (!Number.isInteger(months) || months < 1 || months > monthsMax)
    throw new AppError('invalid', 'subscriptions.monthsInvalid', { fields: { months: 'subscriptions.monthsInvalid' } })
  return months
}
