// Form logic of study inputs: parses typed numbers, steps them, and finds the non-default values.
import { resolveInputs, type InputSchema, type InputValue, type NumberInput, type StudyInput } from './study-input.ts'

/** The typed number, or undefined if it is invalid, outside the limits, or has an unexpected fraction. */
export function readNumberInput({ min, max, isInteger }: NumberInput, typed: string): number | undefined {
  const text = typed.trim()
  if (!/^\d{1,12}(\.\d{0,8})?$|^\.\d{1,8}$/.test(text)) return undefined
  const value = Number(text)
  return value < min || value > max || (isInteger && !Number.isInteger(value)) ? undefined : value
}

/** One step up or down, within the limits; from between two steps to the next one. */
export function stepNumberInput({ min, max, step }: NumberInput, value: number, direction: 1 | -1): number {
  const steps = value / step
  // A number that differs from a step only in its last binary digit counts as that step.
  const whole = Math.abs(steps - Math.round(steps)) < 1e-9 ? Math.round(steps) : undefined
  const next = whole === undefined ? (direction > 0 ? Math.ceil(steps) : Math.floor(steps)) : whole + direction
  return Number(Math.min(max, Math.max(min, next * step)).toFixed(8))
}

/**
 * The non-default inputs, which are the only ones to store. If a default depends on the chart, every number set by the
 * user is stored.
 */
export function changedInputs(study: { readonly inputs: InputSchema }, given: unknown): Record<string, InputValue> {
  const values = Object.entries(resolveInputs(study, given)) as [string, InputValue][]
  return Object.fromEntries(
    values.filter(([key, value]) => value !== study.inputs[key]?.default || (hasChartDefault(study.inputs[key]) && isNumberAt(given, key))),
  )
}

function hasChartDefault(input: StudyInput | undefined): boolean {
  return input?.kind === 'number' && input.defaultFor !== undefined
}

function isNumberAt(given: unknown, key: string): boolean {
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, key)) return false
  const value = (given as Readonly<Record<string, unknown>>)[key]
  return typeof value === 'number' && !Number.isNaN(value)
}
