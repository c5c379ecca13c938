// The legend of a study says where its data comes from, which is true for the prices on the screen.
import { expect, test } from 'vitest'
import { volumeDelta } from '#shared/indicators/studies/volume-delta.ts'
import { contextOf } from '#shared/indicators/testing/contexts.ts'
import { StudyView, type StudyViewOptions } from './study-view.ts'

function noteOf(takerBuyVolume: number, isDemo: boolean): string | undefined {
  const context = contextOf([[10, 12, 9, 11, 5, takerBuyVolume]])
  const nothingDrawn = { inputs: {}, context, text: {}, isDemo: () => isDemo }
  const view = new StudyView({ ...nothingDrawn, study: volumeDelta } as unknown as StudyViewOptions)
  view.full()
  return view.note(0)?.text
}

test.for([
  ['trades of an exchange', 3, false, 'From exchange trade data (aggressor side).'],
  ['generated trades', 3, true, 'From generated trades (DEMO).'],
  ['no trades', Number.NaN, false, 'A rough estimate from where each candle closed within its range.'],
] as const)('of %s', ([, takerBuyVolume, isDemo, text]) => {
  expect(noteOf(takerBuyVolume, isDemo)).toBe(text)
})
