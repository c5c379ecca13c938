// Keeps the signed-in user up to date while the page is visible, and notifies of subscription changes.
import type { QueryClient } from '@tanstack/react-query'
import type { AccountState, User } from '#shared/users/user.ts'
import { userKey } from '#web/lib/query-client.ts'
import { toast, type ToastNote } from '#web/lib/toast.ts'
import { purchaseText } from '#shared/subscriptions/text/en-purchase.ts'
import { subscriptionEndText } from '#shared/subscriptions/text/en-status.ts'
import { subscriptionText } from '#shared/subscriptions/text/en.ts'
import { hasPremium } from '#shared/users/access-restriction.ts'
import { indiaDate } from '#web/lib/india-date.ts'

interface SubscriptionWatch {
  /** Handles a state of the account; refetches the user when it differs from the cached one. */
  readonly receive: (account: AccountState) => void
  readonly refetch: () => void
  readonly stop: () => void
}

/** Watches the subscription of the signed-in user. An unchanged state does not re-render the page. */
export function watchSubscription(cache: QueryClient): SubscriptionWatch {
  let current = cache.getQueryData<User | null>(userKey)
  const refetch = () => void cache.refetchQueries({ queryKey: userKey, exact: true }, { cancelRefetch: false })
  const receive = ({ isPremium, status, premiumEndDate }: AccountState) => {
    const user = cache.getQueryData<User | null>(userKey)
    if (user && (user.isPremium !== isPremium || user.status !== status || user.premiumEndDate !== premiumEndDate)) refetch()
  }
  const compare = () => {
    const before = current
    current = cache.getQueryData<User | null>(userKey)
    if (current === before || !current || !before) return
    const notification = statusNotification(before, current)
    if (notification !== undefined) toast(notification)
    // Charts, settings and everything else whose response depends on the user's access.
    if (isAccessChange(before, current)) void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== userKey[0] })
    else if (notification !== undefined) void cache.invalidateQueries({ queryKey: ['subscription-history'] })
  }
  const stopComparing = cache.getQueryCache().subscribe(({ query, type }) => {
    if (type === 'updated' && query.queryKey[0] === userKey[0]) compare()
  })
  return { receive, refetch, stop: stopComparing }
}

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
