// Legends of the studies, on the price and in their own panes.
import { useState } from 'react'
import { studyPanelText } from '#shared/text/en/study-panel.ts'
import { cn } from '#web/lib/cn.ts'
import { useMedia } from '#web/lib/use-media.ts'
import { ChevronDownIcon } from '#web/ui/icon.ts'
import { asideClass, overlayClass, rowsClass } from '../legend-classes.ts'
import type { StudyReading } from './legend-values.ts'
import { StudyRow, type StudyActions } from './study-row.tsx'

interface StudiesProps {
  readonly studies: readonly StudyReading[]
  readonly actions: StudyActions
}

/** On a small screen a long list would cover the candles: it is collapsed beyond this many rows. */
const rowsOnSmall = 2

/** Studies on the price, below its legend. */
export function PriceStudies({ studies, actions }: StudiesProps) {
  const isSmall = useMedia('(max-width: 639px)')
  const [request, setRequest] = useState<boolean>()
  const isOpen = request ?? !(isSmall && studies.length > rowsOnSmall)
  return (
    <div className={asideClass}>
      {isOpen && studies.map((study) => <StudyRow key={study.id} study={study} actions={actions} />)}
      {(studies.length > rowsOnSmall || !isOpen) && studies.length > 0 && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={isOpen ? studyPanelText.collapse : undefined}
          onClick={() => setRequest(!isOpen)}
          className="pointer-events-auto flex min-h-6 items-center gap-1 text-text-2 hover:text-text pointer-coarse:min-h-8"
        >
          <ChevronDownIcon aria-hidden className={cn('size-3.5', isOpen && 'rotate-180')} strokeWidth={1.75} />
          {!isOpen && studyPanelText.expand(studies.length)}
        </button>
      )}
    </div>
  )
}

/** A study with its own pane is named there. */
export function PaneLegends({ studies, actions }: StudiesProps) {
  return studies
    .filter((study) => study.paneTopPx > 0)
    .map((study) => (
      <div key={study.id} style={{ top: study.paneTopPx + 1 }} className={cn(overlayClass, rowsClass, 'left-3 sm:left-12')}>
        <StudyRow study={study} actions={actions} />
      </div>
    ))
}
