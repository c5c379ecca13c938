// Stored inputs may be invalid; resolved inputs may not.
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { resolveInputs } from './study-input.ts'
import { studies } from '../studies.ts'

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
