// Keeps the signed-in user up to date while the page is visible, and notifies of subscription changes.
import type { QueryClient } from '@tanstack/react-query'
import type { AccountState, User } from '#shared/users/user.ts'
import { userKey } from '#web/lib/query.ts'
import { toast } from '#web/lib/toast-queue.ts'
import { isAccessChange, statusNotification } from './status-notification.ts'

interface SubscriptionWatch {
  /** Handles a state of the account; refetches the user when it differs from the cached one. */
  readonly receive: (account: AccountState) => void
  readonly refetch: () => void
  readonly stop: () => void
}

/** Watches the subscription of the signed-in user. An unchanged state does not re-render the page. */
export function watchSubscription(cache: QueryClient): SubscriptionWatch {
  let known = cache.getQueryData<User | null>(userKey)
  const refetch = () => void cache.refetchQueries({ queryKey: userKey, exact: true }, { cancelRefetch: false })
  const receive = ({ isPremium, status, premiumEndDate }: AccountState) => {
    const user = cache.getQueryData<User | null>(userKey)
    if (user && (user.isPremium !== isPremium || user.status !== status || user.premiumEndDate !== premiumEndDate)) refetch()
  }
  const compare = () => {
    const before = known
    known = cache.getQueryData<User | null>(userKey)
    if (known === before || !known || !before) return
    const notification = statusNotification(before, known)
    if (notification !== undefined) toast(notification)
    // Charts, settings and everything else whose response depends on the user's access.
    if (isAccessChange(before, known)) void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== userKey[0] })
    else if (notification !== undefined) void cache.invalidateQueries({ queryKey: ['subscription-history'] })
  }
  const stopComparing = cache.getQueryCache().subscribe(({ query, type }) => {
    if (type === 'updated' && query.queryKey[0] === userKey[0]) compare()
  })
  return { receive, refetch, stop: stopComparing }
}
