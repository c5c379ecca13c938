// Which studies a chart shall show, in their order, and how.
import { chartFlagNames, type ChartFlags } from '#shared/market/chart-flags.ts'
import type { InputValue } from '#shared/market/indicators/inputs.ts'
import type { StudyId } from '#shared/market/indicators/study-ids.ts'
import { classicsOn, hiddenOf } from '#shared/workspace/study-rules.ts'
import type { KeptStudies } from '#shared/workspace/workspace.ts'

export interface StudyWish {
  readonly id: StudyId
  /** Those that differ from the defaults. */
  readonly inputs: Readonly<Record<string, InputValue>>
  /** Named in the legend, but not drawn. */
  readonly isHidden: boolean
}

/** The six toggles in their order, then the others in that of switching them on. */
export function wishesOf(flags: ChartFlags, kept: KeptStudies): readonly StudyWish[] {
  const hidden = hiddenOf(kept)
  const ids: readonly StudyId[] = [...chartFlagNames.filter((flag) => flags[flag]), ...classicsOn(kept)]
  return ids.map((id) => ({ id, inputs: kept.studyInputs[id] ?? {}, isHidden: hidden.includes(id) }))
}
