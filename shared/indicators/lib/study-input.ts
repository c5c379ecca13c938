// Inputs of a study: types and limits, validation of stored values, and the logic of their form.
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'

/** What a default may depend on, never on the loaded bars. */
export interface ChartKind {
  readonly timeframe: Timeframe
  /** Trading hours of the instrument, which imply the asset type. */
  readonly sessionClass: SessionClass
}

export interface NumberInput {
  readonly kind: 'number'
  readonly label: string
  readonly default: number
  /** Replaces `default` if the chart is known. */
  readonly defaultFor?: ((chart: ChartKind) => number) | undefined
  readonly min: number
  readonly max: number
  /** Step of the form's arrow buttons; other values between the limits are valid. */
  readonly step: number
  readonly isInteger: boolean
}

export interface ChoiceInput<V extends string = string> {
  readonly kind: 'choice'
  readonly label: string
  readonly default: V
  readonly options: readonly { readonly value: V; readonly label: string }[]
}

export interface FlagInput {
  readonly kind: 'flag'
  readonly label: string
  readonly default: boolean
}

export type StudyInput = NumberInput | ChoiceInput | FlagInput
export type InputSchema = Readonly<Record<string, StudyInput>>
export type InputValue = number | string | boolean

type ValueOf<I> = I extends NumberInput ? number : I extends ChoiceInput<infer V> ? V : I extends FlagInput ? boolean : never
export type InputValues<S extends InputSchema = InputSchema> = { readonly [K in keyof S]: ValueOf<S[K]> }

/** An integer between limits. */
export function integerInput(label: string, value: number, limits: readonly [min: number, max: number]): NumberInput {
  return { kind: 'number', label, default: value, min: limits[0], max: limits[1], step: 1, isInteger: true }
}

/** Default value of an input. */
export function defaultOf(input: StudyInput, chart?: ChartKind): InputValue {
  return input.kind === 'number' && chart !== undefined ? (input.defaultFor?.(chart) ?? input.default) : input.default
}

/**
 * Effective inputs for any stored value: numbers are clamped to their limits and rounded if they must be integers;
 * missing values and wrong types become the default, and unknown names are dropped. Without `given`
 * all inputs are defaults.
 */
export function resolveInputs<S extends InputSchema>(study: { readonly inputs: S }, given?: unknown, chart?: ChartKind): InputValues<S> {
  const known = typeof given === 'object' && given !== null ? (given as Readonly<Record<string, unknown>>) : {}
  const entries = Object.entries(study.inputs).map(([key, input]) => [
    key,
    resolveInput(input, Object.hasOwn(known, key) ? known[key] : undefined, chart),
  ])
  return Object.fromEntries(entries) as InputValues<S>
}

function resolveInput(input: StudyInput, value: unknown, chart: ChartKind | undefined): InputValue {
  if (input.kind === 'flag') return typeof value === 'boolean' ? value : input.default
  if (input.kind === 'choice') return input.options.find((option) => option.value === value)?.value ?? input.default
  if (typeof value !== 'number' || Number.isNaN(value)) return defaultOf(input, chart)
  const clamped = Math.min(input.max, Math.max(input.min, value))
  return input.isInteger ? Math.round(clamped) : clamped
}

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
