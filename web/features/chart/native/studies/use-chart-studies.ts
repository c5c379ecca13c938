// Studies of a chart: the active toggles and the account's other studies; none for free users.
import { useEffect, useMemo, useState } from 'react'
import { chartFlagNames, type ChartFlags } from '#shared/chart/chart-flags.ts'
import { kitText } from '#shared/base/text/en-kit.ts'
import { hiddenOf, withHidden } from '#shared/workspace/study-settings.ts'
import { toast } from '#web/lib/toast.ts'
import { changeStudies, useKeptStudies } from './study-preferences.ts'
import type { StudyKit } from './lazy-entry.ts'
import type { StudyPicture } from './study-setup.ts'
import { studyConfigsOf } from './study-config.ts'

/** `flags` is undefined for free users, and until they are loaded. */
export function useChartStudies(flags: ChartFlags | undefined): StudyPicture | undefined {
  const kept = useKeptStudies()
  const configs = useMemo(() => (flags === undefined ? [] : studyConfigsOf(flags, kept)), [flags, kept])
  const kit = useStudyKit(configs.length > 0)
  useEffect(() => {
    if (flags === undefined) return
    // A toggle that was switched off elsewhere must not come back hidden.
    const stale = chartFlagNames.filter((flag) => !flags[flag] && hiddenOf(kept).includes(flag))
    if (stale.length > 0) changeStudies((before) => stale.reduce((next, flag) => withHidden(next, flag, false), before))
  }, [flags, kept])
  return useMemo(() => (kit === undefined ? undefined : { kit, configs }), [kit, configs])
}

let fetched: StudyKit | undefined

function useStudyKit(isWanted: boolean): StudyKit | undefined {
  const [kit, setKit] = useState(fetched)
  const isMissing = isWanted && kit === undefined
  useEffect(() => {
    if (!isMissing) return
    import('./lazy-entry.ts').then(
      ({ studyKit }) => {
        fetched = studyKit
        setKit(studyKit)
      },
      () => toast({ kind: 'danger', text: kitText.partFailed }),
    )
  }, [isMissing])
  return kit
}
