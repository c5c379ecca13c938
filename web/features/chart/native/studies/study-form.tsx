// Inputs of one study: each change applies to the chart at once and is saved to the account.
import {
  changedInputs,
  defaultOf,
  resolveInputs,
  type ChartKind,
  type InputValue,
  type StudyInput,
} from '#shared/indicators/lib/study-input.ts'
import type { Study } from '#shared/indicators/lib/study.ts'
import { studyPanelText as text } from '#shared/indicators/text/en-panel.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { NumberInputField } from './number-input-field.tsx'

export interface StudyFormProps {
  readonly study: Study
  /** The chart it is drawn on; some defaults depend on it. */
  readonly chart: ChartKind
  /** Inputs that differ from the defaults. */
  readonly given: Readonly<Record<string, InputValue>>
  readonly onChange: (changed: Readonly<Record<string, InputValue>>) => void
}

export function StudyForm({ study, chart, given, onChange }: StudyFormProps) {
  const values: Readonly<Record<string, InputValue>> = resolveInputs(study, given, chart)
  const fields = Object.entries(study.inputs)
  if (fields.length === 0) return <p className="text-12 text-text-2">{text.noInputs}</p>
  const set = (key: string, value: InputValue) => onChange(changedInputs(study, { ...given, [key]: value }))
  return (
    <div className="grid gap-3">
      {fields.map(([key, input]) => (
        <Field key={key} input={input} value={values[key] ?? defaultOf(input, chart)} onChange={(value) => set(key, value)} />
      ))}
      <Button
        variant="outline"
        size="small"
        aria-disabled={Object.keys(changedInputs(study, given)).length === 0}
        onClick={() => onChange({})}
      >
        {text.reset}
      </Button>
    </div>
  )
}

interface FieldProps {
  readonly input: StudyInput
  readonly value: InputValue
  readonly onChange: (value: InputValue) => void
}

function Field({ input, value, onChange }: FieldProps) {
  if (input.kind === 'number') return <NumberInputField input={input} value={Number(value)} onChange={onChange} />
  if (input.kind === 'flag')
    return <CheckboxField label={input.label} checked={value === true} onChange={(event) => onChange(event.target.checked)} />
  return (
    <SelectField
      isSmall
      label={input.label}
      options={input.options}
      value={String(value)}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
