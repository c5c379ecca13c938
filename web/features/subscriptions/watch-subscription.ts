// Keeps the signed-in user up to date while the page is visible, and notifies of subscription changes.
import type { QueryClient } from '@tanstack/react-query'
import type { Pulse } from '#shared/users/contract.ts'
import type { User } from '#shared/users/user.ts'
import { userKey } from '#web/lib/query.ts'
import { toast } from '#web/lib/toast-queue.ts'
import { isAccessChange, newsOf } from './status-notification.ts'

interface Follower {
  /** Handles the response to a heartbeat; refetches the user when it differs from the cached one. */
  readonly receive: (pulse: Pulse) => void
  readonly stop: () => void
}

/** Watches the subscription of the signed-in user. An unchanged response does not re-render the page. */
export function followStatus(cache: QueryClient): Follower {
  let known = cache.getQueryData<User | null>(userKey)
  const receive = (pulse: Pulse) => {
    const user = cache.getQueryData<User | null>(userKey)
    if (!user || (user.isPremium === pulse.isPremium && user.status === pulse.status && user.premiumEndDate === pulse.premiumEndDate))
      return
    void cache.refetchQueries({ queryKey: userKey, exact: true }, { cancelRefetch: false })
  }
  const compare = () => {
    const before = known
    known = cache.getQueryData<User | null>(userKey)
    if (known === before || !known || !before) return
    const news = newsOf(before, known)
    if (news !== undefined) toast(news)
    // Charts, settings and everything else whose response depends on the user's access.
    if (isAccessChange(before, known)) void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== userKey[0] })
    else if (news !== undefined) void cache.invalidateQueries({ queryKey: ['subscription-history'] })
  }
  const stopComparing = cache.getQueryCache().subscribe(({ query, type }) => {
    if (type === 'updated' && query.queryKey[0] === userKey[0]) compare()
  })
  return { receive, stop: stopComparing }
}
