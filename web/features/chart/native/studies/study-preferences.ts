// Studies of the account besides the six toggles, hidden ones, and inputs.
import { useMemo } from 'react'
import type { KeptStudies } from '#shared/workspace/workspace.ts'
import { changePreferences, usePreferences } from '#web/lib/preferences.ts'

export function useKeptStudies(): KeptStudies {
  const studies = usePreferences(({ workspace }) => workspace.studies)
  const hiddenStudies = usePreferences(({ workspace }) => workspace.hiddenStudies)
  const studyInputs = usePreferences(({ workspace }) => workspace.studyInputs)
  return useMemo(() => ({ studies, hiddenStudies, studyInputs }), [studies, hiddenStudies, studyInputs])
}

export function changeStudies(update: (kept: KeptStudies) => KeptStudies): void {
  changePreferences((before) => ({ ...before, ...update(before) }))
}
