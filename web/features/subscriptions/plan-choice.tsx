// The plans on sale as radio cards.
import { useId } from 'react'
import { monthLabel, type Plan, type PlanType } from '#shared/plans/plan.ts'
import { purchaseText as text } from '#shared/subscriptions/text/en-purchase.ts'
import { NumericText } from '#web/ui/numeric-text.tsx'
import { priceLabel } from './rules.ts'

export interface PlanChoiceProps {
  readonly plans: readonly Plan[]
  readonly chosen: PlanType | undefined
  readonly error: string | undefined
  readonly onChoose: (type: PlanType) => void
}

export function PlanChoice({ plans, chosen, error, onChoose }: PlanChoiceProps) {
  const errorId = useId()
  return (
    <fieldset aria-describedby={error === undefined ? undefined : errorId} className="min-w-0">
      <legend className="pb-1.5 text-13 font-medium text-text-2">{text.plan}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {plans.map((plan) => (
          <label
            key={plan.type}
            className="grid cursor-pointer grid-cols-[auto_1fr_auto] items-center gap-x-2.5 rounded-panel border border-line-strong bg-canvas px-3 py-2.5 transition-colors hover:border-text-3 has-checked:border-accent has-checked:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name="type"
              value={plan.type}
              checked={chosen === plan.type}
              onChange={() => onChoose(plan.type)}
              className="size-4 accent-accent-solid outline-none"
            />
            <span className="text-14 font-semibold">{text.planNames[plan.type]}</span>
            <NumericText className="text-16 font-semibold">{priceLabel(plan)}</NumericText>
            <span className="col-start-2 text-12 text-text-2">{text.rails[plan.type]}</span>
            <span className="text-right text-12 whitespace-nowrap text-text-2">{monthLabel(plan.month)}</span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id={errorId} role="alert" className="pt-1.5 text-12 text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
