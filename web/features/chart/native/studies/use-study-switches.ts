// All actions on the studies of a chart, whether stored as account toggles or in the workspace.
import { useMemo } from 'react'
import { chartFlagNames, type ChartFlag } from '#shared/chart/chart-flags.ts'
import type { InputValue } from '#shared/indicators/lib/study-input.ts'
import type { ClassicId, StudyId } from '#shared/indicators/lib/study-ids.ts'
import { classicsOn, hiddenOf, withClassic, withHidden, withStudyInputs } from '#shared/workspace/study-settings.ts'
import type { ChartFlagsControl } from '../../use-chart-flags.ts'
import { changeStudies, useKeptStudies } from './study-preferences.ts'

export interface StudySwitches {
  /** False while the toggles are loading. */
  readonly isReady: boolean
  readonly isOn: (id: StudyId) => boolean
  readonly isHidden: (id: StudyId) => boolean
  /** Inputs that differ from the defaults. */
  readonly inputsOf: (id: StudyId) => Readonly<Record<string, InputValue>>
  readonly turn: (id: StudyId, isOn: boolean) => void
  readonly hide: (id: StudyId, isHidden: boolean) => void
  readonly setInputs: (id: StudyId, changed: Readonly<Record<string, InputValue>>) => void
}

export function useStudySwitches({ flags, set }: ChartFlagsControl): StudySwitches {
  const kept = useKeptStudies()
  return useMemo(
    () => ({
      isReady: flags !== undefined,
      isOn: (id) => (isToggle(id) ? flags?.[id] === true : classicsOn(kept).includes(id)),
      isHidden: (id) => hiddenOf(kept).includes(id),
      inputsOf: (id) => kept.studyInputs[id] ?? {},
      turn(id, isOn) {
        if (isToggle(id)) set(id, isOn)
        else changeStudies((before) => withClassic(before, id, isOn))
      },
      hide: (id, isHidden) => changeStudies((before) => withHidden(before, id, isHidden)),
      setInputs: (id, changed) => changeStudies((before) => withStudyInputs(before, id, changed)),
    }),
    [kept, flags, set],
  )
}

function isToggle(id: ChartFlag | ClassicId): id is ChartFlag {
  return chartFlagNames.some((flag) => flag === id)
}
