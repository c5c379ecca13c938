// Keeps the signed-in user fresh while the page is looked at, and tells what has changed about the subscription.
import type { QueryClient } from '@tanstack/react-query'
import type { Pulse } from '#shared/users/contract.ts'
import type { User } from '#shared/users/user.ts'
import { userKey } from '#web/lib/query.ts'
import { toast } from '#web/ui/toast-queue.ts'
import { isAccessChange, newsOf } from './status-news.ts'

interface Follower {
  /** To be told what each sign of life was answered; reads the user again when it differs from what is known. */
  readonly hear: (pulse: Pulse) => void
  readonly stop: () => void
}

/** Follows the subscription of the signed-in user. What brings nothing new changes nothing on the page. */
export function followStatus(cache: QueryClient): Follower {
  let known = cache.getQueryData<User | null>(userKey)
  const hear = (pulse: Pulse) => {
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
    // Charts, settings and everything else that the server answers by what this person may see.
    if (isAccessChange(before, known)) void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== userKey[0] })
    else if (news !== undefined) void cache.invalidateQueries({ queryKey: ['subscription-history'] })
  }
  const stopComparing = cache.getQueryCache().subscribe(({ query, type }) => {
    if (type === 'updated' && query.queryKey[0] === userKey[0]) compare()
  })
  return { hear, stop: stopComparing }
}
