// State and actions of the purchase form: selection, input, errors and sending.
import { useState } from 'react'
import type { Plan, PlanType } from '#shared/plans/plan.ts'
import { subscriptionText } from '#shared/subscriptions/text/en.ts'
import { useSubmitClaim } from './api.ts'
import { arrangePlans, findPurchaseIssue, type PurchaseIssue } from './rules.ts'

export interface PurchaseOptions {
  /** At least one. */
  readonly plans: readonly Plan[]
  /** Chosen at first. */
  readonly lastPlan: PlanType | undefined
  readonly onDone: () => void
}

export function usePurchase({ plans, lastPlan, onDone }: PurchaseOptions) {
  const { cards, only } = arrangePlans(plans)
  const [chosen, setChosen] = useState<PlanType | undefined>(only ?? lastPlan)
  const [reference, setReference] = useState('')
  const [issue, setIssue] = useState<PurchaseIssue>()
  const [failure, setFailure] = useState<string>()
  const submit = useSubmitClaim()
  // The chosen plan may no longer be on sale.
  const plan = cards.find(({ type }) => type === chosen)

  const send = (plan: Plan) =>
    submit.mutate(
      { plan, reference },
      {
        onSuccess: ({ isDone, message, referenceIssue }) => {
          if (isDone) onDone()
          else if (referenceIssue === undefined) setFailure(message)
          else setIssue({ field: 'utrNo', message: referenceIssue })
        },
        onError: () => setFailure(subscriptionText.submitFailed),
      },
    )

  return {
    cards,
    plan,
    reference,
    failure,
    /** A new object after each failed attempt, so that the focus moves again. */
    issue,
    isBusy: submit.isPending,
    choose: (type: PlanType) => {
      setChosen(type)
      setIssue(undefined)
      setFailure(undefined)
    },
    type: (value: string) => {
      setReference(value)
      setFailure(undefined)
      if (issue?.field === 'utrNo') setIssue(undefined)
    },
    submit: () => {
      if (submit.isPending) return
      setFailure(undefined)
      const found = findPurchaseIssue(plan?.type, reference)
      setIssue(found)
      if (found === undefined && plan !== undefined) send(plan)
    },
  }
}
