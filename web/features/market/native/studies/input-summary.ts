// What the legend says about how a study is set: the numbers of an average, and whatever differs from the defaults.
import { changedInputs } from '#shared/market/indicators/input-values.ts'
import { resolveInputs, type StudyInput } from '#shared/market/indicators/inputs.ts'
import { classicIds } from '#shared/market/indicators/study-ids.ts'
import type { Study } from '#shared/market/indicators/study.ts'

/** Such as `20` or `12 26 9 Open`; nothing for one of the six toggles as it comes. */
export function inputSummary(study: Study, given: unknown): string {
  const isClassic = classicIds.some((id) => id === study.id)
  const values: Readonly<Record<string, unknown>> = resolveInputs(study, given)
  const changed = changedInputs(study, given)
  return Object.entries(study.inputs)
    .filter(([key, input]) => key in changed || (isClassic && input.kind === 'number'))
    .map(([key, input]) => textOf(input, values[key]))
    .join(' ')
}

function textOf(input: StudyInput, value: unknown): string {
  if (input.kind === 'choice') return input.options.find((option) => option.value === value)?.label ?? ''
  return input.kind === 'flag' ? `${input.label}: ${value === true ? 'on' : 'off'}` : String(value)
}
