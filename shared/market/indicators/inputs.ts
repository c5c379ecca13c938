// What a user may set on a study: typed inputs with limits, and the one function that makes any stored value safe.
import type { SessionClass } from '../sessions/session-class.ts'
import type { Timeframe } from '../timeframe.ts'

/** What a default may depend on: never on the bars that are loaded. */
export interface ChartKind {
  readonly timeframe: Timeframe
  /** Trading hours of the instrument, which tell what is traded. */
  readonly sessionClass: SessionClass
}

export interface NumberInput {
  readonly kind: 'number'
  readonly label: string
  readonly default: number
  /** Takes the place of `default` where the chart is known. */
  readonly defaultFor?: ((chart: ChartKind) => number) | undefined
  readonly min: number
  readonly max: number
  /** By how much the arrows of a form move it; other values between the limits are fine. */
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

/** A whole number between limits. */
export function integerInput(label: string, value: number, limits: readonly [min: number, max: number]): NumberInput {
  return { kind: 'number', label, default: value, min: limits[0], max: limits[1], step: 1, isInteger: true }
}

/** The value of an input that the user has not set. */
export function defaultOf(input: StudyInput, chart?: ChartKind): InputValue {
  return input.kind === 'number' && chart !== undefined ? (input.defaultFor?.(chart) ?? input.default) : input.default
}

/**
 * The values that a study runs with, whatever was stored: numbers are held within their limits and whole where they
 * must be; what is missing or of a wrong kind is the default, and unknown names are left out. Without `given`
 * everything is reset.
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
