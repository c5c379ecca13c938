// The studies that a chart shall show: the toggles that are on and the others of the account; nothing without premium.
import { useEffect, useMemo, useState } from 'react'
import { chartFlagNames, type ChartFlags } from '#shared/market/chart-flags.ts'
import { marketText } from '#shared/text/en/market.ts'
import { hiddenOf, withHidden } from '#shared/workspace/study-rules.ts'
import { toast } from '#web/ui/toast-queue.ts'
import { changeStudies, useKeptStudies } from './kept-studies.ts'
import type { StudyKit } from './study-kit.ts'
import type { StudyPicture } from './study-picture.ts'
import { wishesOf } from './study-wish.ts'

/** `flags` is undefined without premium, and until they are loaded. */
export function useChartStudies(flags: ChartFlags | undefined): StudyPicture | undefined {
  const kept = useKeptStudies()
  const wishes = useMemo(() => (flags === undefined ? [] : wishesOf(flags, kept)), [flags, kept])
  const kit = useStudyKit(wishes.length > 0)
  useEffect(() => {
    if (flags === undefined) return
    // A toggle that was switched off elsewhere must not come back unseen.
    const stale = chartFlagNames.filter((flag) => !flags[flag] && hiddenOf(kept).includes(flag))
    if (stale.length > 0) changeStudies((before) => stale.reduce((next, flag) => withHidden(next, flag, false), before))
  }, [flags, kept])
  return useMemo(() => (kit === undefined ? undefined : { kit, wishes }), [kit, wishes])
}

let fetched: StudyKit | undefined

function useStudyKit(isWanted: boolean): StudyKit | undefined {
  const [kit, setKit] = useState(fetched)
  const isMissing = isWanted && kit === undefined
  useEffect(() => {
    if (!isMissing) return
    import('./study-kit.ts').then(
      ({ studyKit }) => {
        fetched = studyKit
        setKit(studyKit)
      },
      () => toast({ kind: 'danger', text: marketText.panelFailed }),
    )
  }, [isMissing])
  return kit
}
