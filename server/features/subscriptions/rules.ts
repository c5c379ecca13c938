// Pure rules of a subscription: its state, the effects of decisions on its term, valid months, and what users and admins see.
import { dayMs } from '#shared/base/durations.ts'
import { amountOf } from '#shared/base/read-decimal.ts'
import { AppError } from '#shared/http/app-error.ts'
import { indiaIsoDate } from '#shared/base/india-time.ts'
import { currencyOf } from '#shared/plans/plan.ts'
import type { SubscriptionChange, SubscriptionRequest } from '#shared/subscriptions/contract.ts'
import { findMonthsIssue, upiDayOf } from '#shared/subscriptions/rules.ts'
import { addMonths, termAfter, type Term } from '#shared/subscriptions/term.ts'
import type { SubscriptionState } from '#shared/subscriptions/subscription-status.ts'
import { cancelReasonOf } from '#shared/users/access-restriction.ts'
import type { Subscriber, SubscriptionsRepository } from './repository.ts'

type HistoryRow = Awaited<ReturnType<SubscriptionsRepository['historyOf']>>[number]
type RequestRow = Awaited<ReturnType<SubscriptionsRepository['pendingRequests']>>[number]

/** Status, and whether paid days are left; a cancelled subscription has none. */
export function subscriptionStateOf(user: Subscriber, nowMs: number): SubscriptionState {
  return { status: user.status, hasTerm: user.status !== 'cancel' && user.premium_end !== null && user.premium_end.getTime() > nowMs }
}

/** True from the end of a paid term until it is marked, as the user is presented. */
export function isOverdue({ status, premium_end: end }: Subscriber, nowMs: number): boolean {
  return cancelReasonOf(nowMs, { status, premiumEndMs: end?.getTime() ?? null, endedBy: null }) === 'expired'
}

/** The term after an acceptance: the user's months, added to a running term. @throws AppError invalid without months */
export function acceptedTerm(user: Subscriber, nowMs: number) {
  // The claim has set the months of its plan; an admin may have corrected them since.
  const months = user.subscription_months
  if (months < 1) throw new AppError('invalid', 'subscriptions.noMonths')
  const { premium_start: start, premium_end: end } = user
  const isRunning = subscriptionStateOf(user, nowMs).hasTerm && start !== null && end !== null
  const running: Term | undefined = isRunning
    ? { startMs: start.getTime(), endMs: end.getTime(), anchorDay: anchorDayOf(user, end) }
    : undefined
  const term = termAfter(running, nowMs, months)
  return {
    premium_start: new Date(term.startMs),
    premium_end: new Date(term.endMs),
    anchor_day: term.anchorDay,
    subscription_months: months,
  }
}

/** The unused rest of a suspended term, if there is one. */
export interface UnusedRest {
  readonly ms: number
  /** The end before the suspension. */
  readonly formerEnd: Date
}

/** The term that goes on now with the unused rest of a suspended one: its days count from now. */
export function resumedTerm(user: Subscriber, { ms, formerEnd }: UnusedRest, nowMs: number) {
  const end = new Date(nowMs + ms)
  const isSameDay = indiaIsoDate(end.getTime()) === indiaIsoDate(formerEnd.getTime())
  return {
    premium_start: user.premium_start ?? new Date(nowMs),
    premium_end: end,
    // Later renewals count from the day on which this term ends.
    anchor_day: isSameDay ? user.anchor_day : dayOfMonth(end),
    subscription_months: user.subscription_months,
  }
}

/** The end of the term for a new number of months. It moves by the difference, so the days of an earlier term stay paid. */
export function endAfterMonths(user: Subscriber, months: number, nowMs: number): Date | null {
  const { premium_end: end } = user
  if (end === null || user.status !== 'paid' || !subscriptionStateOf(user, nowMs).hasTerm) return end
  return new Date(addMonths(end.getTime(), months - user.subscription_months, anchorDayOf(user, end)))
}

/** Terms that another system has sold have no anchor day: they keep the day of their end. */
function anchorDayOf(user: Subscriber, end: Date): number {
  return user.anchor_day ?? dayOfMonth(end)
}

function dayOfMonth(at: Date): number {
  return Number(indiaIsoDate(at.getTime()).slice(-2))
}

/** Months as an admin enters them. @throws AppError invalid unless it is an integer from 1 to the longest plan */
export function parseMonths(sent: string | number | null | undefined): number {
  const isEmpty = sent === undefined || sent === null || String(sent).trim() === ''
  if (isEmpty) throw new AppError('invalid', 'subscriptions.monthsRequired', { fields: { months: 'subscriptions.monthsRequired' } })
  const months = amountOf(sent)
  const issue = findMonthsIssue(months)
  if (issue !== undefined) throw new AppError('invalid', issue, { fields: { months: issue } })
  return months
}

/** A change; users do not see which admin decided. */
export function presentChange(row: HistoryRow, viewer: 'user' | 'admin'): SubscriptionChange {
  const isOwn = row.actor_id === row.user_id
  const actor =
    row.actor_id === null
      ? row.command === 'expire'
        ? 'automatic'
        : 'former-admin'
      : isOwn
        ? (row.actor_email ?? 'user')
        : viewer === 'admin'
          ? (row.actor_email ?? 'admin')
          : 'support'
  return {
    id: row.id,
    undoes: row.undoes,
    undoUntil: null,
    at: row.at.toISOString(),
    command: row.command,
    actor,
    reason: row.reason,
    statusBefore: row.status_before,
    statusAfter: row.status_after,
    premiumEndBefore: row.premium_end_before?.toISOString() ?? null,
    premiumEndAfter: row.premium_end_after?.toISOString() ?? null,
    months: row.months_after,
    request:
      row.type === null ? null : { price: Number(row.price_minor) / 100, currency: currencyOf[row.type], utrNo: row.reference_raw ?? '' },
  }
}

/** A pending request with what an admin compares: expected amount, claimed reference, and earlier claims. */
export function presentRequest(row: RequestRow): SubscriptionRequest {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    type: row.type,
    months: row.months,
    price: Number(row.price_minor) / 100,
    currency: currencyOf[row.type],
    utrNo: row.reference_raw,
    rail: row.rail,
    createdAt: row.created_at.toISOString(),
    earlierRequests: Number(row.earlier_requests),
    hint: hintOf(row),
  }
}

/** A UPI reference of another date gets a hint. */
function hintOf(row: RequestRow): SubscriptionRequest['hint'] {
  if (row.rail !== 'upi') return null
  const claimed = row.reference.slice(0, 4)
  const nearby = [-3, -2, -1, 0, 1].map((days) => upiDayOf(row.created_at.getTime() + days * dayMs))
  return nearby.includes(claimed) ? null : 'utr-date'
}
