// Which studies a chart shows, in which order, and how.
import { chartFlagNames, type ChartFlags } from '#shared/chart/chart-flags.ts'
import type { InputValue } from '#shared/indicators/lib/study-input.ts'
import type { StudyId } from '#shared/indicators/lib/study-ids.ts'
import { classicsOn, hiddenOf, type StudySettings } from '#shared/workspace/study-settings.ts'

export interface StudyConfig {
  readonly id: StudyId
  /** Inputs that differ from the defaults. */
  readonly inputs: Readonly<Record<string, InputValue>>
  /** In the legend, but not drawn. */
  readonly isHidden: boolean
}

/** The six toggles in their order, then the others in the order they were switched on. */
export function studyConfigsOf(flags: ChartFlags, kept: StudySettings): readonly StudyConfig[] {
  const hidden = hiddenOf(kept)
  const ids: readonly StudyId[] = [...chartFlagNames.filter((flag) => flags[flag]), ...classicsOn(kept)]
  return ids.map((id) => ({ id, inputs: kept.studyInputs[id] ?? {}, isHidden: hidden.includes(id) }))
}
