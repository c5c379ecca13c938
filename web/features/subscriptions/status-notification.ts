// Notification when the user's subscription changes while the page is open.
import { purchaseText } from '#shared/text/en/purchase.ts'
import { subscriptionEndText } from '#shared/text/en/subscription-end.ts'
import { subscriptionText } from '#shared/text/en/subscriptions.ts'
import { hasPremium } from '#shared/users/access.ts'
import type { User } from '#shared/users/user.ts'
import { indiaDate } from '#web/lib/india-date.ts'
import type { ToastNote } from '#web/lib/toast-queue.ts'

/** True if the same user has more or less access than before. */
export function isAccessChange(before: User, after: User): boolean {
  return before._id === after._id && hasPremium(before) !== hasPremium(after)
}

/** The message, or undefined if there is none, for example after another user has signed in. */
export function statusNotification(before: User, after: User): ToastNote | undefined {
  if (before._id !== after._id) return undefined
  if (isAccessChange(before, after)) {
    if (hasPremium(after)) return { kind: 'ok', text: subscriptionText.becamePremium }
    return { kind: 'warn', text: after.reason === undefined ? subscriptionText.lostPremium : subscriptionEndText.titles[after.reason] }
  }
  if (before.status !== 'pending' || after.status === 'pending') return undefined
  if (after.status === 'paid' && after.premiumEndDate !== null && after.premiumEndDate !== before.premiumEndDate) {
    return { kind: 'ok', text: purchaseText.renewed(indiaDate(after.premiumEndDate)) }
  }
  return { kind: 'warn', text: purchaseText.declined }
}
