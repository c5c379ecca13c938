// Subscription calls of a user.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Plan } from '#shared/plans/plan.ts'
import { subscriptionRoutes } from '#shared/subscriptions/contract.ts'
import { call, send } from '#web/lib/api.ts'
import { userKey } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toast.ts'
import { claimBody } from './rules.ts'
import { subscriptionText } from '#shared/subscriptions/text/en.ts'
import { planRoutes } from '#shared/plans/contract.ts'

const historyKey = ['subscription-history'] as const

/** Plans on sale; refetched whenever the form opens, because prices may have changed. */
export const plansOnSaleQuery = queryOptions({
  queryKey: ['plans-on-sale'],
  queryFn: async () => (await call(planRoutes.list)).data,
  staleTime: 0,
})

/** Changes of the user's subscription, newest first. */
export const ownHistoryQuery = queryOptions({
  queryKey: historyKey,
  queryFn: async () => (await call(subscriptionRoutes.ownHistory)).data,
  staleTime: 0,
})

/** Submits a payment; resolves to the message to show, and rejects only without a response. Then refetches user, plans and history. */
export function useSubmitClaim() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ plan, reference }: { readonly plan: Plan; readonly reference: string }): Promise<SubmitResult> => {
      const { status, body } = await send(subscriptionRoutes.submit, { body: claimBody(plan, reference) })
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

export interface SubmitResult {
  readonly isDone: boolean
  readonly message: string
  /** Error message of the reference field, if the server named it. */
  readonly referenceIssue: string | undefined
  /** The plan or the user's status differs from what the form shows. */
  readonly isOutdated: boolean
}

/** Never throws. */
export function parseSubmitResponse(status: number, body: unknown): SubmitResult {
  const response = isRecord(body) ? body : {}
  const error = nonEmptyText(response['error'])
  if (status < 400 && error === undefined && response['success'] !== false) {
    return {
      isDone: true,
      message: nonEmptyText(response['message']) ?? subscriptionText.submitted,
      referenceIssue: undefined,
      isOutdated: false,
    }
  }
  const message = error ?? nonEmptyText(response['message']) ?? plainText(body) ?? subscriptionText.submitFailed
  const fields = isRecord(response['fields']) ? response['fields'] : {}
  return { isDone: false, message, referenceIssue: nonEmptyText(fields['utrNo']), isOutdated: status === 409 || status === 404 }
}

/** A message, but not the HTML page of a proxy. */
function plainText(body: unknown): string | undefined {
  const text = nonEmptyText(body)
  return text === undefined || text.trimStart().startsWith('<') ? undefined : text.slice(0, 200)
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
