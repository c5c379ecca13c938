// Dialog that creates or edits a plan.
import { useState, type RefObject } from 'react'
import { currencyOf, monthsMax, monthsMin, planTypes, type Plan, type PlanType } from '#shared/plans/plan.ts'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { apiErrorOf } from '#web/lib/api-error.ts'
import { DialogForm, FormDialog } from '#web/ui/dialog-form.tsx'
import { useIssueFocus } from '#web/ui/form.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useSavePlan } from './api.ts'
import { ImagePicker } from './image-picker.tsx'
import { findPlanFormIssue, serverPlanIssue, startPlanForm, type PlanFormIssue, type PlanForm } from './plan-form.ts'
import { networkNames, networks, type Network } from '#shared/plans/network.ts'

export interface PlanDialogProps {
  readonly isOpen: boolean
  readonly plans: readonly Plan[]
  /** The plan to edit; undefined for a new plan. */
  readonly plan: Plan | undefined
  readonly onClose: () => void
}

export function PlanDialog({ isOpen, plans, plan, onClose }: PlanDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={plan === undefined ? text.addPayment : text.editPayment}>
      {(field) => <PlanFields field={field} plans={plans} plan={plan} onClose={onClose} />}
    </FormDialog>
  )
}

const signs = { INR: '₹', USD: '$' } as const
const typeOptions = planTypes.map((type) => ({ value: type, label: text.typeNames[type] }))

interface PlanFieldsProps extends Omit<PlanDialogProps, 'isOpen'> {
  readonly field: RefObject<HTMLInputElement | null>
}

function PlanFields({ plans, plan, field, onClose }: PlanFieldsProps) {
  const { isNew, payee, values, issue, isBusy, change, submit } = usePlanForm(plans, plan, onClose)
  const issueOf = (name: keyof PlanForm) => (issue?.field === name ? issue.message : undefined)
  useIssueFocus(issue, field)
  return (
    <DialogForm submitLabel={text.save} isBusy={isBusy} busyText={text.saving} onSubmit={submit} onCancel={onClose}>
      <SelectField
        label={text.planType}
        name="type"
        options={typeOptions}
        value={values.type}
        disabled={!isNew}
        error={issueOf('type')}
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
          error={issueOf('month')}
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
          error={issueOf('price')}
          onChange={(event) => change({ price: event.target.value })}
        />
      </div>
      {values.type === 'crypto' && <NetworkFields values={values} issueOf={issueOf} onChange={change} />}
      <ImagePicker values={values} payee={payee} formIssue={issueOf('qrcodeUrl')} onImage={(qrcodeUrl) => change({ qrcodeUrl })} />
    </DialogForm>
  )
}

/** Values of the form, their first issue, and saving. */
function usePlanForm(plans: readonly Plan[], plan: Plan | undefined, onSaved: () => void) {
  // Keep the initial plan, also when the list behind the dialog is refetched.
  const [base] = useState(plan)
  const [values, setValues] = useState(() => startPlanForm(plans, plan))
  const [issue, setIssue] = useState<PlanFormIssue>()
  const save = useSavePlan()
  return {
    isNew: base === undefined,
    payee: base?.payee,
    values,
    issue,
    isBusy: save.isPending,
    change: (part: Partial<PlanForm>) => {
      setValues((before) => ({ ...before, ...part }))
      setIssue(undefined)
    },
    submit: () => {
      const found = findPlanFormIssue(values, plans, base)
      setIssue(found)
      if (found !== undefined) return
      save.mutate(
        { values, plan: base },
        { onSuccess: onSaved, onError: (error) => setIssue(serverPlanIssue(apiErrorOf(error)?.fields ?? {})) },
      )
    },
  }
}

const options = [{ value: '', label: text.chooseNetwork }, ...networks.map((network) => ({ value: network, label: networkNames[network] }))]

interface NetworkFieldsProps {
  readonly values: PlanForm
  readonly issueOf: (field: keyof PlanForm) => string | undefined
  readonly onChange: (part: Partial<PlanForm>) => void
}

function NetworkFields({ values, issueOf, onChange }: NetworkFieldsProps) {
  return (
    <>
      <SelectField
        label={text.network}
        name="network"
        options={options}
        value={values.network}
        error={issueOf('network')}
        onChange={(event) => onChange({ network: event.target.value as Network | '' })}
      />
      <TextField
        label={text.networkAddress}
        name="address"
        value={values.address}
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={issueOf('address')}
        hint={text.networkHint}
        onChange={(event) => onChange({ address: event.target.value })}
      />
    </>
  )
}
