// Payment plan calls for admins.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { amountOf } from '#shared/base/read-decimal.ts'
import type { Plan } from '#shared/plans/plan.ts'
import { planAdminText } from '#shared/plans/text/en-admin.ts'
import { planRoutes } from '#shared/plans/contract.ts'
import { call } from '#web/lib/api.ts'
import { withStepUp } from '#web/lib/with-step-up.ts'
import { toast } from '#web/lib/toast.ts'
import type { PlanForm } from './plan-form.ts'

const plansKey = ['admin', 'plans'] as const

export const adminPlansQuery = queryOptions({
  queryKey: [...plansKey, 'list'],
  queryFn: async () => (await call(planRoutes.list)).data,
  staleTime: 0,
})

/** Who changed a plan last, and when; null without a change. */
export const lastChangeQuery = queryOptions({
  queryKey: [...plansKey, 'last-change'],
  queryFn: async () => (await call(planRoutes.lastChange)).data,
  staleTime: 0,
})

export interface PlanSave {
  readonly values: PlanForm
  /** The plan to edit; undefined for a new plan. */
  readonly plan: Plan | undefined
}

export function useSavePlan() {
  return usePlanMutation(({ values, plan }: PlanSave) => {
    const { type, qrcodeUrl, network, address } = values
    const target = type === 'regular' ? {} : network === '' ? { network: null, address: null } : { network, address: address.trim() }
    const body = { type, qrcodeUrl, month: amountOf(values.month), price: amountOf(values.price), ...target }
    return withStepUp(() =>
      plan === undefined
        ? call(planRoutes.create, { body })
        : call(planRoutes.update, { body: { ...body, id: plan._id, version: plan.version } }),
    )
  }, planAdminText.saveFailed)
}

export function useDeletePlan() {
  return usePlanMutation((id: string) => withStepUp(() => call(planRoutes.remove, { params: { id } })), planAdminText.deleteFailed)
}

/** The server's version of an image, and the payee of its QR code. */
export async function readImage(qrcodeUrl: string) {
  return (await call(planRoutes.readImage, { body: { qrcodeUrl } })).data
}

/** Shows the server's message and refetches the plans, after success and failure. */
function usePlanMutation<Variables>(call: (variables: Variables) => Promise<{ readonly message: string }>, failureText: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: call,
    onSuccess: ({ message }) => toast({ kind: 'ok', text: message }),
    onSettled: () => cache.invalidateQueries({ queryKey: plansKey }),
    meta: { failureText },
  })
}
