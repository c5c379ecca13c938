// The dialog that creates a plan or changes one.
import { useRef, useState, type RefObject } from 'react'
import { currencyOf, monthsMax, monthsMin, planTypes, type Plan, type PlanType } from '#shared/plans/plan.ts'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { StepUpHost } from '#web/ui/step-up-host.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useSavePlan } from './api.ts'
import { ImagePicker } from './image-picker.tsx'
import { findFormFault, startPlanForm, type PlanValues } from './plan-form.ts'

export interface PlanDialogProps {
  readonly isOpen: boolean
  readonly plans: readonly Plan[]
  /** The plan to edit; without one a new plan is made. */
  readonly plan: Plan | undefined
  readonly onClose: () => void
}

export function PlanDialog({ isOpen, plans, plan, onClose }: PlanDialogProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={plan === undefined ? text.addPayment : text.editPayment} firstField={field}>
      <PlanForm field={field} plans={plans} plan={plan} onClose={onClose} />
      <StepUpHost />
    </Dialog>
  )
}

const signs = { INR: '₹', USD: '$' } as const
const typeOptions = planTypes.map((type) => ({ value: type, label: text.typeNames[type] }))

interface PlanFormProps extends Omit<PlanDialogProps, 'isOpen'> {
  readonly field: RefObject<HTMLInputElement | null>
}

function PlanForm({ plans, plan, field, onClose }: PlanFormProps) {
  // What the dialog opened with counts, also when the list behind it is read again.
  const [base] = useState(plan)
  const [values, setValues] = useState(() => startPlanForm(plans, plan))
  const [fault, setFault] = useState<string>()
  const save = useSavePlan()
  const change = (part: Partial<PlanValues>) => {
    setValues((before) => ({ ...before, ...part }))
    setFault(undefined)
  }
  const submit = () => {
    const found = findFormFault(values, plans, base)
    setFault(found)
    if (found === undefined) save.mutate({ values, plan: base }, { onSuccess: onClose })
  }
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) submit()
      }}
    >
      <SelectField
        label={text.planType}
        name="type"
        options={typeOptions}
        value={values.type}
        disabled={base !== undefined}
        onChange={(event) => change({ type: event.target.value as PlanType })}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          ref={field}
          label={text.duration}
          name="month"
          type="number"
          inputMode="numeric"
          min={monthsMin}
          max={monthsMax}
          step={1}
          value={values.month}
          onChange={(event) => change({ month: event.target.value })}
        />
        <TextField
          label={text.price(signs[currencyOf[values.type]])}
          name="price"
          type="number"
          inputMode="decimal"
          min={0}
          step={0.01}
          value={values.price}
          onChange={(event) => change({ price: event.target.value })}
        />
      </div>
      <ImagePicker values={values} payee={base?.payee} onImage={(qrcodeUrl) => change({ qrcodeUrl })} />
      {fault !== undefined && (
        <p role="alert" className="text-12 text-danger">
          {fault}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button variant="outline" onClick={onClose}>
          {text.cancel}
        </Button>
        <Button type="submit" isBusy={save.isPending} busyText={text.saving}>
          {text.save}
        </Button>
      </div>
    </form>
  )
}
