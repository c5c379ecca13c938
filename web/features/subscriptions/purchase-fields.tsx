// The purchase form: choose a plan, pay what stands beside it, and give the reference of the payment.
import { useEffect, useRef } from 'react'
import { monthLabel, type Plan } from '#shared/plans/plan.ts'
import { purchaseText as text } from '#shared/text/en/purchase.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { PaymentTarget } from './payment-target.tsx'
import { PlanChoice } from './plan-choice.tsx'
import { referenceWords, type PurchaseField } from './purchase-form.ts'
import { usePurchase } from './use-purchase.ts'

export interface PurchaseFieldsProps {
  /** At least one. */
  readonly plans: readonly Plan[]
  readonly onDone: () => void
}

export function PurchaseFields({ plans, onDone }: PurchaseFieldsProps) {
  const purchase = usePurchase(plans, onDone)
  const { plan, fault, failure, isBusy } = purchase
  const formElement = useRef<HTMLFormElement>(null)
  const faultOf = (field: PurchaseField) => (fault?.field === field ? fault.message : undefined)
  useEffect(() => {
    if (fault !== undefined) formElement.current?.querySelector<HTMLInputElement>(`[name="${fault.field}"]`)?.focus()
  }, [fault])
  return (
    <form
      ref={formElement}
      noValidate
      aria-busy={isBusy}
      className="grid gap-4 md:grid-cols-[1fr_15rem] md:grid-rows-[auto_1fr]"
      onSubmit={(event) => {
        event.preventDefault()
        purchase.submit()
      }}
    >
      <PlanChoice plans={purchase.cards} chosen={plan?.type} error={faultOf('type')} onChoose={purchase.choose} />
      <div className="md:col-start-2 md:row-span-2 md:row-start-1">
        <PaymentTarget plan={plan} />
      </div>
      <div className="grid content-start gap-4">
        <TextField label={text.duration} readOnly value={plan === undefined ? '' : monthLabel(plan.month)} placeholder={text.noDuration} />
        <TextField
          {...referenceWords(plan?.type)}
          name="utrNo"
          value={purchase.reference}
          error={faultOf('utrNo')}
          onChange={(event) => purchase.type(event.target.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
        />
        {failure !== undefined && (
          <p role="alert" className="rounded-control border border-danger/50 px-3 py-2 text-13 text-danger">
            {failure}
          </p>
        )}
        <Button type="submit" size="large" className="w-full" isBusy={isBusy} busyText={text.submitting}>
          {text.submit}
        </Button>
      </div>
    </form>
  )
}
