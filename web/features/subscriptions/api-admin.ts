// Subscription calls for admins.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { SubscriptionStatus } from '#shared/subscriptions/status.ts'
import { subscriptionText } from '#shared/text/en/subscriptions.ts'
import { client } from '#web/lib/api.ts'
import { withStepUp } from '#web/lib/step-up.ts'
import { toast } from '#web/ui/toast.tsx'

/** Prefix of all admin queries; every action invalidates them. */
const adminKey = ['admin'] as const

/** Pending requests, oldest first. */
export const requestsQuery = queryOptions({
  queryKey: [...adminKey, 'requests'],
  queryFn: async () => (await client.subscriptions.requests()).data,
  staleTime: 0,
})

/** The changes of one user's subscription, newest first. */
export function userHistoryQuery(id: string) {
  return queryOptions({
    queryKey: [...adminKey, 'history', id],
    queryFn: async () => (await client.subscriptions.userHistory({ params: { id } })).data,
    staleTime: 0,
  })
}

/** Accepts (true) or declines and suspends (false), shows the server's message, and refetches the lists, after success and failure. */
export function useSetStatus() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: { readonly id: string; readonly status: boolean; readonly from: SubscriptionStatus | null }) =>
      withStepUp(() => client.subscriptions.setStatus({ body })),
    onSuccess: ({ statuscode, message }) => toast({ kind: statuscode === 200 ? 'ok' : 'info', text: message }),
    onSettled: () => cache.invalidateQueries({ queryKey: adminKey }),
  })
}

/** Sets the months of a user. */
export function useChangeMonths() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: { readonly email: string; readonly months: number }) =>
      withStepUp(() => client.subscriptions.changeMonths({ body })),
    onSuccess: () => {
      toast({ kind: 'ok', text: subscriptionText.monthsUpdated })
      return cache.invalidateQueries({ queryKey: adminKey })
    },
    meta: { failureText: subscriptionText.monthsFailed },
  })
}
