// State and actions of the purchase form: what is chosen and typed, what is wrong with it, and sending it.
import { useState } from 'react'
import type { Plan, PlanType } from '#shared/plans/plan.ts'
import { subscriptionText } from '#shared/text/en/subscriptions.ts'
import { useSubmitClaim } from './api.ts'
import { arrangePlans, findPurchaseFault, type PurchaseFault } from './purchase-form.ts'

export function usePurchase(plans: readonly Plan[], onDone: () => void) {
  const { cards, only } = arrangePlans(plans)
  const [chosen, setChosen] = useState<PlanType | undefined>(only)
  const [reference, setReference] = useState('')
  const [fault, setFault] = useState<PurchaseFault>()
  const [failure, setFailure] = useState<string>()
  const submit = useSubmitClaim()
  // What was chosen may have been taken off sale since.
  const plan = cards.find(({ type }) => type === chosen)

  const send = (wanted: Plan) =>
    submit.mutate(
      { plan: wanted, reference },
      {
        onSuccess: ({ isDone, message, referenceFault }) => {
          if (isDone) onDone()
          else if (referenceFault === undefined) setFailure(message)
          else setFault({ field: 'utrNo', message: referenceFault })
        },
        onError: () => setFailure(subscriptionText.submitFailed),
      },
    )

  return {
    cards,
    plan,
    reference,
    failure,
    /** A new object at each failed try, so that the focus can follow it. */
    fault,
    isBusy: submit.isPending,
    choose: (type: PlanType) => {
      setChosen(type)
      setFault(undefined)
      setFailure(undefined)
    },
    type: (value: string) => {
      setReference(value)
      setFailure(undefined)
      if (fault?.field === 'utrNo') setFault(undefined)
    },
    submit: () => {
      if (submit.isPending) return
      setFailure(undefined)
      const found = findPurchaseFault(plan?.type, reference)
      setFault(found)
      if (found === undefined && plan !== undefined) send(plan)
    },
  }
}
