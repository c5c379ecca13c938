// Switching, hiding and configuring studies in the workspace.
import { describe, expect, it, test } from 'vitest'
import { classicsOn, hiddenOf, withClassic, withHidden, withStudyInputs, type StudySettings } from './study-settings.ts'
import { studySettingsSchema, noWorkspace } from './workspace.ts'

const none: StudySettings = studySettingsSchema.parse(noWorkspace)

test('unknown names are skipped, and a toggle is not in the list of other studies', () => {
  const kept = { ...none, studies: ['rsi', 'gone', 'zigZag', 'sma'], hiddenStudies: ['gone', 'zigZag'] }
  expect(classicsOn(kept)).toEqual(['rsi', 'sma'])
  expect(hiddenOf(kept)).toEqual(['zigZag'])
})

describe('study', () => {
  it('that is switched on is appended, once', () => {
    const two = withClassic(withClassic(none, 'rsi', true), 'sma', true)
    expect(two.studies).toEqual(['rsi', 'sma'])
    expect(withClassic(two, 'rsi', true).studies).toEqual(['sma', 'rsi'])
  })

  it('that is switched off is removed, hidden or not, and keeps its inputs', () => {
    const set = withStudyInputs(withHidden(withClassic(none, 'rsi', true), 'rsi', true), 'rsi', { length: 7 })
    const off = withClassic(set, 'rsi', false)
    expect(off).toEqual({ ...none, studyInputs: { rsi: { length: 7 } } })
    expect(hiddenOf(withClassic(off, 'rsi', true))).toEqual([])
  })

  it('that is hidden twice is hidden once, and nothing changes without a difference', () => {
    const hidden = withHidden(none, 'zigZag', true)
    expect(hidden.hiddenStudies).toEqual(['zigZag'])
    expect(withHidden(hidden, 'zigZag', true)).toBe(hidden)
    expect(withHidden(hidden, 'zigZag', false)).toEqual(none)
  })

  it('without its own inputs is not stored', () => {
    const set = withStudyInputs(withStudyInputs(none, 'sma', { length: 9 }), 'ema', { length: 5 })
    expect(withStudyInputs(set, 'sma', {}).studyInputs).toEqual({ ema: { length: 5 } })
  })
})
