// The rules of the studies that an account keeps: switching, hiding, and inputs that differ from the defaults.
import type { InputValue } from '#shared/market/indicators/inputs.ts'
import { classicIds, studyIds, type ClassicId, type StudyId } from '#shared/market/indicators/study-ids.ts'
import type { KeptStudies } from './workspace.ts'

/** The studies beside the six toggles that are on; names that no study has any more are passed over. */
export function classicsOn({ studies }: KeptStudies): readonly ClassicId[] {
  return studies.flatMap((id) => classicIds.filter((known) => known === id))
}

export function hiddenOf({ hiddenStudies }: KeptStudies): readonly StudyId[] {
  return studyIds.filter((id) => hiddenStudies.includes(id))
}

/** A study that is switched is no longer hidden, so that switching it on again shows it. */
export function withClassic(kept: KeptStudies, id: ClassicId, isOn: boolean): KeptStudies {
  const others = kept.studies.filter((one) => one !== id)
  return withHidden({ ...kept, studies: isOn ? [...others, id] : others }, id, false)
}

export function withHidden(kept: KeptStudies, id: StudyId, isHidden: boolean): KeptStudies {
  if (kept.hiddenStudies.includes(id) === isHidden) return kept
  const others = kept.hiddenStudies.filter((one) => one !== id)
  return { ...kept, hiddenStudies: isHidden ? [...others, id] : others }
}

/** With these inputs, of which only those that differ from the defaults should be given; with none the study is reset. */
export function withStudyInputs(kept: KeptStudies, id: StudyId, changed: Readonly<Record<string, InputValue>>): KeptStudies {
  const { [id]: _, ...others } = kept.studyInputs
  return { ...kept, studyInputs: Object.keys(changed).length === 0 ? others : { ...others, [id]: changed } }
}
