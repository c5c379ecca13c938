// What switching, hiding and setting a study does to what the account keeps.
import { describe, expect, it, test } from 'vitest'
import { classicsOn, hiddenOf, withClassic, withHidden, withStudyInputs } from './study-rules.ts'
import { keptStudiesSchema, noWorkspace, type KeptStudies } from './workspace.ts'

const none: KeptStudies = keptStudiesSchema.parse(noWorkspace)

test('names that no study has are passed over, and a toggle is no classic', () => {
  const kept = { ...none, studies: ['rsi', 'gone', 'zigZag', 'sma'], hiddenStudies: ['gone', 'zigZag'] }
  expect(classicsOn(kept)).toEqual(['rsi', 'sma'])
  expect(hiddenOf(kept)).toEqual(['zigZag'])
})

describe('a study', () => {
  it('switched on stands behind the others, once', () => {
    const two = withClassic(withClassic(none, 'rsi', true), 'sma', true)
    expect(two.studies).toEqual(['rsi', 'sma'])
    expect(withClassic(two, 'rsi', true).studies).toEqual(['sma', 'rsi'])
  })

  it('switched off is gone, hidden or not, and keeps its inputs for the next time', () => {
    const set = withStudyInputs(withHidden(withClassic(none, 'rsi', true), 'rsi', true), 'rsi', { length: 7 })
    const off = withClassic(set, 'rsi', false)
    expect(off).toEqual({ ...none, studyInputs: { rsi: { length: 7 } } })
    expect(hiddenOf(withClassic(off, 'rsi', true))).toEqual([])
  })

  it('hidden twice is hidden once, and nothing changes where nothing differs', () => {
    const hidden = withHidden(none, 'zigZag', true)
    expect(hidden.hiddenStudies).toEqual(['zigZag'])
    expect(withHidden(hidden, 'zigZag', true)).toBe(hidden)
    expect(withHidden(hidden, 'zigZag', false)).toEqual(none)
  })

  it('without inputs of its own is not kept', () => {
    const set = withStudyInputs(withStudyInputs(none, 'sma', { length: 9 }), 'ema', { length: 5 })
    expect(withStudyInputs(set, 'sma', {}).studyInputs).toEqual({ ema: { length: 5 } })
  })
})
