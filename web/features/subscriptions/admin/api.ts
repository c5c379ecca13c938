// Subscription calls for admins.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { SubscriptionStatus } from '#shared/subscriptions/subscription-status.ts'
import { undoToastMs } from '#shared/subscriptions/undo.ts'
import { decisionText } from '#shared/subscriptions/text/en-decisions.ts'
import { subscriptionText } from '#shared/subscriptions/text/en.ts'
import { subscriptionRoutes } from '#shared/subscriptions/contract.ts'
import { call } from '#web/lib/api.ts'
import { withStepUp } from '#web/lib/with-step-up.ts'
import { toast } from '#web/lib/toast.ts'

/** Prefix of all admin queries; every action invalidates them. */
const adminKey = ['admin'] as const

/** Pending requests, oldest first. */
export const requestsQuery = queryOptions({
  queryKey: [...adminKey, 'requests'],
  queryFn: async () => (await call(subscriptionRoutes.requests)).data,
  staleTime: 0,
})

/** The changes of one user's subscription, newest first. */
export function userHistoryQuery(id: string) {
  return queryOptions({
    queryKey: [...adminKey, 'history', id],
    queryFn: async () => (await call(subscriptionRoutes.userHistory, { params: { id } })).data,
    staleTime: 0,
  })
}

/** What a decision, or a change to these months, would do to a user's term now. */
export function termQuery(id: string, months?: number) {
  return queryOptions({
    queryKey: [...adminKey, 'term', id, months],
    queryFn: async () => (await call(subscriptionRoutes.term, { params: { id }, query: months === undefined ? {} : { months } })).data,
    staleTime: 0,
    gcTime: 0,
  })
}

export interface Decision {
  readonly id: string
  readonly status: boolean
  /** The status that the decision is based on. */
  readonly from: SubscriptionStatus | null
  /** What an acceptance grants, where there is a choice. */
  readonly term?: 'rest' | 'new' | undefined
}

/** Accepts (true) or declines and suspends (false) a user of this name, shows the server's message with an undo, and refetches the lists, after success and failure. */
export function useSetStatus(name: string) {
  const cache = useQueryClient()
  const undo = useUndo(name)
  return useMutation({
    mutationFn: (body: Decision) => withStepUp(() => call(subscriptionRoutes.setStatus, { body })),
    onSuccess: ({ statuscode, message, change }, { id }) =>
      toast({
        kind: statuscode === 200 ? 'ok' : 'info',
        title: name,
        text: message,
        ...(change === undefined
          ? {}
          : { action: { label: decisionText.undo, forMs: undoToastMs, run: () => undo.mutate({ id, change }) } }),
      }),
    onSettled: () => cache.invalidateQueries({ queryKey: adminKey }),
  })
}

/** Undoes a decision on a user of this name; also after the row that it was taken in has gone. */
export function useUndo(name: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, change }: { readonly id: string; readonly change: string }) =>
      withStepUp(() => call(subscriptionRoutes.undo, { params: { id }, body: { change } })),
    onSuccess: ({ message }) => toast({ kind: 'ok', title: name, text: message }),
    onSettled: () => cache.invalidateQueries({ queryKey: adminKey }),
  })
}

/** Sets the months of a user. */
export function useChangeMonths() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: { readonly email: string; readonly months: number }) =>
      withStepUp(() => call(subscriptionRoutes.changeMonths, { body })),
    onSuccess: () => {
      toast({ kind: 'ok', text: subscriptionText.monthsUpdated })
      return cache.invalidateQueries({ queryKey: adminKey })
    },
    meta: { failureText: subscriptionText.monthsFailed },
  })
}
