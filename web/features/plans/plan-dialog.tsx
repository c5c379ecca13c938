// The dialog that creates a plan or changes one.
import { useEffect, useState, type RefObject } from 'react'
import { currencyOf, monthsMax, monthsMin, planTypes, type Plan, type PlanType } from '#shared/plans/plan.ts'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import { refusalOf } from '#web/lib/failure.ts'
import { DialogForm } from '#web/ui/dialog-form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useSavePlan } from './api.ts'
import { ImagePicker } from './image-picker.tsx'
import { findFormFault, serverFaultOf, startPlanForm, type PlanFormFault, type PlanValues } from './plan-form.ts'

export interface PlanDialogProps {
  readonly isOpen: boolean
  readonly plans: readonly Plan[]
  /** The plan to edit; without one a new plan is made. */
  readonly plan: Plan | undefined
  readonly onClose: () => void
}

export function PlanDialog({ isOpen, plans, plan, onClose }: PlanDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={plan === undefined ? text.addPayment : text.editPayment}>
      {(field) => <PlanForm field={field} plans={plans} plan={plan} onClose={onClose} />}
    </FormDialog>
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
  const [fault, setFault] = useState<PlanFormFault>()
  const faultOf = (name: keyof PlanValues) => (fault?.field === name ? fault.message : undefined)
  const save = useSavePlan()
  useEffect(() => {
    if (fault !== undefined) field.current?.form?.querySelector<HTMLElement>(`[name="${fault.field}"]`)?.focus()
  }, [fault, field])
  const change = (part: Partial<PlanValues>) => {
    setValues((before) => ({ ...before, ...part }))
    setFault(undefined)
  }
  const submit = () => {
    const found = findFormFault(values, plans, base)
    setFault(found)
    if (found !== undefined) return
    save.mutate({ values, plan: base }, { onSuccess: onClose, onError: (error) => setFault(serverFaultOf(refusalOf(error)?.fields ?? {})) })
  }
  return (
    <DialogForm submitLabel={text.save} isBusy={save.isPending} busyText={text.saving} onSubmit={submit} onCancel={onClose}>
      <SelectField
        label={text.planType}
        name="type"
        options={typeOptions}
        value={values.type}
        disabled={base !== undefined}
        error={faultOf('type')}
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
          error={faultOf('month')}
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
          error={faultOf('price')}
          onChange={(event) => change({ price: event.target.value })}
        />
      </div>
      <ImagePicker values={values} payee={base?.payee} formFault={faultOf('qrcodeUrl')} onImage={(qrcodeUrl) => change({ qrcodeUrl })} />
    </DialogForm>
  )
}
