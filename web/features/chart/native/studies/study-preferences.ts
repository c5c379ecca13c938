// Studies of the account besides the six toggles, hidden ones, and inputs.
import { useMemo } from 'react'
import type { StudySettings } from '#shared/workspace/study-settings.ts'
import { changePreferences, usePreferences } from '#web/lib/preferences.ts'

export function useKeptStudies(): StudySettings {
  const studies = usePreferences(({ workspace }) => workspace.studies)
  const hiddenStudies = usePreferences(({ workspace }) => workspace.hiddenStudies)
  const studyInputs = usePreferences(({ workspace }) => workspace.studyInputs)
  return useMemo(() => ({ studies, hiddenStudies, studyInputs }), [studies, hiddenStudies, studyInputs])
}

export function changeStudies(update: (kept: StudySettings) => StudySettings): void {
  changePreferences((before) => ({ ...before, ...update(before) }))
}
