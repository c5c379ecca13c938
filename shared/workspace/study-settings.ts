// Rules of an account's studies: switching, hiding, and non-default inputs.
import type { InputValue } from '#shared/indicators/lib/study-input.ts'
import { classicIds, studyIds, type ClassicId, type StudyId } from '#shared/indicators/lib/study-ids.ts'
import type { Workspace } from './workspace.ts'

/** Study settings of an account. */
export type StudySettings = Pick<Workspace, 'studies' | 'hiddenStudies' | 'studyInputs'>

/** Active studies besides the six toggles; unknown names are skipped. */
export function classicsOn({ studies }: StudySettings): readonly ClassicId[] {
  return studies.flatMap((id) => classicIds.filter((known) => known === id))
}

export function hiddenOf({ hiddenStudies }: StudySettings): readonly StudyId[] {
  return studyIds.filter((id) => hiddenStudies.includes(id))
}

/** Switching a study also unhides it, so that switching it on again shows it. */
export function withClassic(settings: StudySettings, id: ClassicId, isOn: boolean): StudySettings {
  const others = settings.studies.filter((one) => one !== id)
  return withHidden({ ...settings, studies: isOn ? [...others, id] : others }, id, false)
}

export function withHidden(settings: StudySettings, id: StudyId, isHidden: boolean): StudySettings {
  if (settings.hiddenStudies.includes(id) === isHidden) return settings
  const others = settings.hiddenStudies.filter((one) => one !== id)
  return { ...settings, hiddenStudies: isHidden ? [...others, id] : others }
}

/** Sets inputs, of which only non-default ones should be passed; an empty record resets the study. */
export function withStudyInputs(settings: StudySettings, id: StudyId, changed: Readonly<Record<string, InputValue>>): StudySettings {
  const { [id]: _, ...others } = settings.studyInputs
  return { ...settings, studyInputs: Object.keys(changed).length === 0 ? others : { ...others, [id]: changed } }
}
