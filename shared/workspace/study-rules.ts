// Rules of an account's studies: switching, hiding, and non-default inputs.
import type { InputValue } from '#shared/indicators/lib/study-input.ts'
import { classicIds, studyIds, type ClassicId, type StudyId } from '#shared/indicators/lib/study-ids.ts'
import type { KeptStudies } from './workspace.ts'

/** Active studies besides the six toggles; unknown names are skipped. */
export function classicsOn({ studies }: KeptStudies): readonly ClassicId[] {
  return studies.flatMap((id) => classicIds.filter((known) => known === id))
}

export function hiddenOf({ hiddenStudies }: KeptStudies): readonly StudyId[] {
  return studyIds.filter((id) => hiddenStudies.includes(id))
}

/** Switching a study also unhides it, so that switching it on again shows it. */
export function withClassic(kept: KeptStudies, id: ClassicId, isOn: boolean): KeptStudies {
  const others = kept.studies.filter((one) => one !== id)
  return withHidden({ ...kept, studies: isOn ? [...others, id] : others }, id, false)
}

export function withHidden(kept: KeptStudies, id: StudyId, isHidden: boolean): KeptStudies {
  if (kept.hiddenStudies.includes(id) === isHidden) return kept
  const others = kept.hiddenStudies.filter((one) => one !== id)
  return { ...kept, hiddenStudies: isHidden ? [...others, id] : others }
}

/** Sets inputs, of which only non-default ones should be passed; an empty record resets the study. */
export function withStudyInputs(kept: KeptStudies, id: StudyId, changed: Readonly<Record<string, InputValue>>): KeptStudies {
  const { [id]: _, ...others } = kept.studyInputs
  return { ...kept, studyInputs: Object.keys(changed).length === 0 ? others : { ...others, [id]: changed } }
}
