// What a person is told when the own subscription changed while looking at the page.
import { purchaseText } from '#shared/text/en/purchase.ts'
import { subscriptionText } from '#shared/text/en/subscriptions.ts'
import { hasPremium } from '#shared/users/access.ts'
import type { User } from '#shared/users/user.ts'
import { indiaDate } from '#web/lib/india-date.ts'
import type { ToastNote } from '#web/ui/toast-queue.ts'

/** True where the same person may see more or less than before. */
export function isAccessChange(before: User, after: User): boolean {
  return before._id === after._id && hasPremium(before) !== hasPremium(after)
}

/** The message, or undefined where there is nothing to tell, as after another person has signed in. */
export function newsOf(before: User, after: User): ToastNote | undefined {
  if (before._id !== after._id) return undefined
  if (isAccessChange(before, after)) {
    return hasPremium(after) ? { kind: 'ok', text: subscriptionText.becamePremium } : { kind: 'warn', text: subscriptionText.lostPremium }
  }
  if (before.status !== 'pending' || after.status === 'pending') return undefined
  if (after.status === 'paid' && after.premiumEndDate !== null && after.premiumEndDate !== before.premiumEndDate) {
    return { kind: 'ok', text: purchaseText.renewed(indiaDate(after.premiumEndDate)) }
  }
  return { kind: 'warn', text: purchaseText.declined }
}
