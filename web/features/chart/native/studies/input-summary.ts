// Summary of a study's inputs for the legend: the periods of an average, and all non-default inputs.
import { changedInputs, resolveInputs, type StudyInput } from '#shared/indicators/lib/study-input.ts'
import { classicIds } from '#shared/indicators/lib/study-ids.ts'
import type { Study } from '#shared/indicators/lib/study.ts'

/** For example `20` or `12 26 9 Open`; empty for one of the six toggles with default inputs. */
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
