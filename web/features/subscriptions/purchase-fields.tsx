// Purchase form: choose a plan, pay, and enter the payment reference.
import { useRef } from 'react'
import { monthLabel } from '#shared/plans/plan.ts'
import { purchaseText as text } from '#shared/subscriptions/text/en-purchase.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote, Form, useIssueFocus } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { PaymentTarget } from './payment-target.tsx'
import { PlanChoice } from './plan-choice.tsx'
import { referenceTexts, type PurchaseField } from './rules.ts'
import { usePurchase, type PurchaseOptions } from './use-purchase.ts'

export function PurchaseFields(options: PurchaseOptions) {
  const purchase = usePurchase(options)
  const { plan, issue, failure, isBusy } = purchase
  const formElement = useRef<HTMLFormElement>(null)
  const issueOf = (field: PurchaseField) => (issue?.field === field ? issue.message : undefined)
  useIssueFocus(issue, formElement)
  return (
    <Form
      ref={formElement}
      aria-busy={isBusy}
      className="grid gap-4 md:grid-cols-[1fr_15rem] md:grid-rows-[auto_1fr]"
      onSubmit={purchase.submit}
    >
      <PlanChoice plans={purchase.cards} chosen={plan?.type} error={issueOf('type')} onChoose={purchase.choose} />
      <div className="md:col-start-2 md:row-span-2 md:row-start-1">
        <PaymentTarget plan={plan} />
      </div>
      <div className="grid content-start gap-4">
        <TextField label={text.duration} readOnly value={plan === undefined ? '' : monthLabel(plan.month)} placeholder={text.noDuration} />
        <TextField
          {...referenceTexts(plan?.type)}
          name="utrNo"
          value={purchase.reference}
          error={issueOf('utrNo')}
          onChange={(event) => purchase.type(event.target.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
        />
        {failure !== undefined && <ErrorNote>{failure}</ErrorNote>}
        <Button type="submit" size="large" className="w-full" isBusy={isBusy} busyText={text.submitting}>
          {text.submit}
        </Button>
      </div>
    </Form>
  )
}
