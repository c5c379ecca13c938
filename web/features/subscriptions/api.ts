// Subscription calls of a user.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { pathOf } from '#shared/http/route.ts'
import type { Plan } from '#shared/plans/plan.ts'
import { subscriptionRoutes } from '#shared/subscriptions/contract.ts'
import { client, send } from '#web/lib/api.ts'
import { userKey } from '#web/lib/query.ts'
import { toast } from '#web/lib/toast-queue.ts'
import { claimBody } from './rules.ts'
import { parseSubmitResponse, type SubmitResult } from './parse-submit-response.ts'

const historyKey = ['subscription-history'] as const

/** Plans on sale; refetched whenever the form opens, because prices may have changed. */
export const plansOnSaleQuery = queryOptions({
  queryKey: ['plans-on-sale'],
  queryFn: async () => (await client.plans.list()).data,
  staleTime: 0,
})

/** Changes of the user's subscription, newest first. */
export const ownHistoryQuery = queryOptions({
  queryKey: historyKey,
  queryFn: async () => (await client.subscriptions.ownHistory()).data,
  staleTime: 0,
})

/** Submits a payment; resolves to the message to show, and rejects only without a response. Then refetches user, plans and history. */
export function useSubmitClaim() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ plan, reference }: { readonly plan: Plan; readonly reference: string }): Promise<SubmitResult> => {
      const route = subscriptionRoutes.submit
      const { status, body } = await send({ method: route.method, path: pathOf(route, {}), body: claimBody(plan, reference) })
      return parseSubmitResponse(status, body)
    },
    onSuccess: async ({ isDone, message, isOutdated }) => {
      // Here and not in the form, which may have been closed since.
      if (isDone) toast({ kind: 'ok', text: message })
      if (!isDone && !isOutdated) return
      const stale = [userKey, plansOnSaleQuery.queryKey, historyKey].map((queryKey) => cache.refetchQueries({ queryKey, type: 'active' }))
      // A form with an outdated price must not be sent again before it has the new one.
      if (isOutdated) await Promise.all(stale)
    },
    meta: { isQuiet: true },
  })
}
