// Presents requests and history.
import { dayMs } from '#shared/base/durations.ts'
import { upiDayOf } from '#shared/subscriptions/rules.ts'
import type { SubscriptionChange, SubscriptionRequest } from '#shared/subscriptions/contract.ts'
import { currencyOf } from '#shared/plans/plan.ts'
import { undoMs } from '#shared/subscriptions/undo.ts'
import type { SubscriptionsRepository } from './repository.ts'

type HistoryRow = Awaited<ReturnType<SubscriptionsRepository['historyOf']>>[number]
type RequestRow = Awaited<ReturnType<SubscriptionsRepository['pendingRequests']>>[number]

/** Changes, newest first; only the newest can be undone, by admins. */
export function presentHistory(rows: readonly HistoryRow[], viewer: 'user' | 'admin'): SubscriptionChange[] {
  return rows.map((row, index) => ({
    ...presentChange(row, viewer),
    undoUntil: viewer === 'admin' && index === 0 && row.state_before !== null ? undoEnd(row.at).toISOString() : null,
  }))
}

/** Until when a decision of this time can be undone. */
export function undoEnd(at: Date): Date {
  return new Date(at.getTime() + undoMs)
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
