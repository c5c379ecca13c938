// Network and address of the crypto plan.
import { networkNames, networks, type Network } from '#shared/plans/network.ts'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { PlanForm } from './plan-form.ts'

const options = [{ value: '', label: text.chooseNetwork }, ...networks.map((network) => ({ value: network, label: networkNames[network] }))]

export interface NetworkFieldsProps {
  readonly values: PlanForm
  readonly issueOf: (field: keyof PlanForm) => string | undefined
  readonly onChange: (part: Partial<PlanForm>) => void
}

export function NetworkFields({ values, issueOf, onChange }: NetworkFieldsProps) {
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
