// Inputs of a study: stored values may be invalid, resolved ones may not; and the logic of their form.
import { describe, expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { changedInputs, integerInput, readNumberInput, resolveInputs, stepNumberInput, type NumberInput } from './study-input.ts'
import { studies } from '../studies.ts'

const length = integerInput('Length', 20, [1, 1000])
const deviations: NumberInput = { kind: 'number', label: 'Deviations', default: 2, min: 0.001, max: 50, step: 0.5, isInteger: false }

describe('typed text', () => {
  test.each(['', ' ', '0', '1001', '-5', '+5', '5.5', '1e2', '0x10', '5,5', 'five', '٥', '1 0', '.', '1'.repeat(13)])(
    '%j is not a valid length',
    (typed) => {
      expect(readNumberInput(length, typed)).toBeUndefined()
    },
  )

  test.each([
    ['1', 1],
    [' 14 ', 14],
    ['1000', 1000],
    ['020', 20],
    ['7.0', 7],
    ['7.', 7],
  ])('%j is parsed as the length %d', (typed, value) => {
    expect(readNumberInput(length, typed)).toBe(value)
  })

  test.each([
    ['.5', 0.5],
    ['2.25', 2.25],
    ['0.001', 0.001],
    ['0.0009', undefined],
    ['50.1', undefined],
  ])('%j is parsed as the fraction %s', (typed, value) => {
    expect(readNumberInput(deviations, typed)).toBe(value)
  })
})

describe('step', () => {
  test.each([
    [length, 20, 1, 21],
    [length, 20, -1, 19],
    [length, 1, -1, 1],
    [length, 1000, 1, 1000],
    [deviations, 2, 1, 2.5],
    [deviations, 2.2, 1, 2.5],
    [deviations, 2.2, -1, 2],
    [deviations, 0.5, -1, 0.001],
    [deviations, 0.001, 1, 0.5],
    [deviations, 49.8, 1, 50],
    [{ ...deviations, step: 0.1 }, 0.3, 1, 0.4],
    [{ ...deviations, step: 0.1 }, 0.7, -1, 0.6],
  ] as const)('of %o from %d by %d gives %d', (input, from, direction, to) => {
    expect(stepNumberInput(input, from, direction)).toBe(to)
  })

  test('gives a valid number, for every number input of every study', async () => {
    const inputs = Object.values(studies).flatMap((study) => Object.values(study.inputs).filter((input) => input.kind === 'number'))
    await assertProperty(
      fc.property(
        fc.constantFrom(...inputs),
        fc.double({ noNaN: true }),
        fc.constantFrom(1 as const, -1 as const),
        (input, share, direction) => {
          const from = resolveInputs({ inputs: { input } }, { input: share }).input
          const to = stepNumberInput(input, from, direction)
          expect(readNumberInput(input, to.toFixed(8))).toBe(to)
          expect(direction * (to - from)).toBeGreaterThanOrEqual(-1e-8)
        },
      ),
    )
  })
})

describe('stored inputs', () => {
  test('are empty for the defaults, and for unknown names', () => {
    for (const study of Object.values(studies)) {
      expect(changedInputs(study, {})).toEqual({})
      const { deviationPercent: _, ...values } = resolveInputs(study)
      expect(changedInputs(study, { ...values, other: 5 })).toEqual({})
    }
  })

  test('are the validated differences', () => {
    expect(changedInputs(studies.sma, { length: 9, source: 'close' })).toEqual({ length: 9 })
    expect(changedInputs(studies.sma, { length: 9.4, source: 'open' })).toEqual({ length: 9, source: 'open' })
    // Its default differs between charts, so the same number was chosen by the user.
    expect(changedInputs(studies.zigZag, { deviationPercent: 5 })).toEqual({ deviationPercent: 5 })
    expect(changedInputs(studies.zigZag, { deviationPercent: 'all', legs: 4 })).toEqual({ legs: 4 })
    expect(changedInputs(studies.pivotpoint, { isDailyBased: false })).toEqual({ isDailyBased: false })
  })
})

describe('stored inputs', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a word', 'length'],
    ['unknown names', { lengths: 5, __proto__: { length: 5 } }],
    ['wrong kinds', { length: '5', source: 5 }],
    ['no number', { length: Number.NaN, source: 'hl2' }],
  ])('%s gives the defaults', (_, given) => {
    expect(resolveInputs(studies.sma, given)).toEqual({ length: 20, source: 'close' })
  })

  test.each([
    [{ length: 0 }, 1],
    [{ length: -5 }, 1],
    [{ length: 5.4 }, 5],
    [{ length: 1e9 }, 1000],
    [{ length: Number.POSITIVE_INFINITY }, 1000],
    [{ length: 7 }, 7],
  ])('%j is clamped to the limits and rounded', (given, length) => {
    expect(resolveInputs(studies.sma, given)).toEqual({ length, source: 'close' })
  })

  test('fractions are kept where allowed, flags and choices are kept as they are', () => {
    expect(resolveInputs(studies.zigZag, { deviationPercent: 0.25 })).toEqual({ deviationPercent: 0.25, legs: 10 })
    expect(resolveInputs(studies.zigZag, { deviationPercent: 0, legs: 1 })).toEqual({ deviationPercent: 0.00001, legs: 2 })
    const pivots = { type: 'woodie', timeframe: 'week', pivotsBack: 3, isDailyBased: false }
    expect(resolveInputs(studies.pivotpoint, pivots)).toEqual(pivots)
  })

  test('for any stored value the resolved inputs are stable when resolved again', async () => {
    await assertProperty(
      fc.property(
        fc.constantFrom(...Object.values(studies)),
        fc.dictionary(fc.string(), fc.anything()),
        fc.anything(),
        (study, given, value) => {
          const all = Object.fromEntries(Object.keys(study.inputs).map((key) => [key, value]))
          const resolved = resolveInputs(study, { ...given, ...all })
          expect(Object.keys(resolved)).toEqual(Object.keys(study.inputs))
          expect(resolveInputs(study, resolved)).toEqual(resolved)
        },
      ),
    )
  })
})
