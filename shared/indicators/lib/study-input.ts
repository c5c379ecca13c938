// Inputs of a study: types and limits, and the one function that validates stored values.
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
  const held = Math.min(input.max, Math.max(input.min, value))
  return input.isInteger ? Math.round(held) : held
}
